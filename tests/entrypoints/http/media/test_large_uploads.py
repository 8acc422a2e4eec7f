"""Files of a hundred megabytes, sent to a process of its own: taken or refused, in bounded memory."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.adapters.test_media_files import names
from tests.entrypoints.cli.processes import Served, served
from tests.entrypoints.http.hostile.raw_client import HOST, RawAnswer, Wire, wire
from tests.entrypoints.http.media.forms import A3, FIELDS, FORM, KEY, file_part, form

MIB = 2**20
# A file has fewer bytes (C-58).
LIMIT = 100 * MIB
PIECE = b"\0" * MIB


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve a sandbox, for all of the tests, which upload more than an account may have by default."""
    with served(tmp_path_factory.mktemp("media"), "--sandbox") as running:
        room = {"mediaBytes": 100 * LIMIT}
        path = "/admin/v1/accounts/demo/limits"
        assert 200 == running.ask("PUT", path, room, key="sandbox-admin")[0]
        yield running


@pytest.fixture
def folder(service: Served) -> Path:
    """Name the folder of its media."""
    return service.data_dir / "media"


def port_of(service: Served) -> int:
    """Return the listener's port."""
    return int(service.url.rpartition(":")[2])


async def begin(line: Wire, size: int, *, chunked: bool = False) -> bytes:
    """Send the head of an upload and the beginning of its file; returns the rest."""
    before, behind = form(file_part(b"|"), **FIELDS).split(b"|")
    length = len(before) + size + len(behind)
    framing = b"Transfer-Encoding: chunked" if chunked else b"Content-Length: %d" % length
    head = b"POST %s HTTP/1.1\r\n%s%s%s%s\r\n\r\n" % (A3.encode(), HOST, KEY, FORM, framing)
    await line.send(head + (_chunk(before) if chunked else before))
    return _chunk(behind) + b"0\r\n\r\n" if chunked else behind


async def sent(service: Served, size: int, *, chunked: bool = False) -> RawAnswer:
    """Upload a file of a size."""
    async with wire(port_of(service)) as line:
        behind = await begin(line, size, chunked=chunked)
        try:
            for left in range(size, 0, -MIB):
                piece = PIECE[:left]
                await line.send(_chunk(piece) if chunked else piece)
            await line.send(behind)
        except ConnectionError:
            # The answer came before the end of the upload.
            pass
        return await line.answer()


def _chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


def memory(service: Served, name: str = "VmRSS") -> int:
    """Return the resident memory of the process, in bytes; `VmHWM` is the most that it ever was."""
    status = Path(f"/proc/{service.process.pid}/status").read_text()
    return int(status.partition(f"{name}:")[2].split()[0]) * 1024


@pytest.mark.parametrize("chunked", [False, True])
async def test_100_mib_are_too_many(service: Served, folder: Path, chunked: bool) -> None:
    """A byte less is accepted; a refused upload leaves no file (C-58)."""
    taken = await sent(service, LIMIT - 1, chunked=chunked)
    media_id = json.loads(taken.body)["id"]
    before = names(folder)
    refused = [await sent(service, size, chunked=chunked) for size in (LIMIT, LIMIT + 1)]

    assert 200 == taken.status
    assert LIMIT - 1 == (folder / media_id).lstat().st_size
    assert [413, 413] == [answer.status for answer in refused]
    assert [413, 413] == [json.loads(answer.body)["http_status"] for answer in refused]
    assert media_id in before
    assert before == names(folder)
    (folder / media_id).unlink()


async def test_what_is_announced_too_large_is_not_read(service: Served, folder: Path) -> None:
    """It is not stored either."""
    before = names(folder)
    async with wire(port_of(service)) as line:
        await begin(line, 2**40)
        assert 413 == (await line.answer()).status

    assert before == names(folder)


async def test_an_upload_that_is_cut_off_leaves_nothing(service: Served, folder: Path) -> None:
    """Half of it came, and nothing of it stays."""
    before = names(folder)
    async with wire(port_of(service)) as line, asyncio.timeout(10):
        await begin(line, 8 * MIB)
        await line.send(PIECE * 4)
        while before == names(folder):  # noqa: ASYNC110  the server is another process
            await asyncio.sleep(0.01)
        line.writer.transport.abort()
        while before != names(folder):  # noqa: ASYNC110  the server is another process
            await asyncio.sleep(0.01)


async def test_ten_uploads_at_once_take_little_memory(service: Served, folder: Path) -> None:
    """Fewer than 50 MB more than before, of which ten files of 95 MiB would be 950."""
    await sent(service, MIB)
    before = memory(service)
    answers = await asyncio.gather(*(sent(service, 95 * MIB) for _ in range(10)))
    grown = memory(service, "VmHWM") - before

    assert [200] * 10 == [answer.status for answer in answers]
    assert grown < 50_000_000, grown
    for answer in answers:
        (folder / json.loads(answer.body)["id"]).unlink()
