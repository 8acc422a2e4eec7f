"""GET /media/{id}: complete, in part, and harmless for any uploaded file (C-25)."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import time
from collections.abc import Callable
from email.message import Message
from pathlib import Path

import pytest

from tests.adapters.test_media_files import names
from tests.entrypoints.caller import Caller, Reply
from tests.entrypoints.conftest import listening
from tests.entrypoints.http.hostile.raw_client import HOST, exchange, request, wire
from tests.entrypoints.http.media.forms import FIELDS, FORM, file_part, form, upload
from watchword.entrypoints.http.listener.patience import Patience
from watchword.entrypoints.wired import Wired

# A store in memory has a folder of no known name.
STORES = ("sqlite",)
CONTENT = bytes(range(256)) * 1_024
_PLAIN = re.compile(r"""attachment; filename="[^"\\%;]*"; filename\*=UTF-8''[\w.%~-]+""", re.ASCII)


async def hosted(
    port: int, content: bytes = CONTENT, name: bytes = b"tea.png", kind: bytes = b"image/png"
) -> str:
    """Host a file, and return its path."""
    answer = await exchange(port, upload(form(file_part(content, name, kind), **FIELDS), FORM))
    assert 200 == answer.status, answer.body
    return f"/media/{json.loads(answer.body)['id']}"


async def fetched(caller: Caller, path: str, **headers: str) -> Reply:
    """Fetch, with no key."""
    return await caller.using(None).get(path, headers=headers)


async def test_a_file_comes_back_as_it_was_sent(caller: Caller, port: int) -> None:
    """With no key, as something to be saved and never to be run."""
    answer = await fetched(caller, await hosted(port))

    assert (200, CONTENT) == (answer.status, answer.body)
    assert "image/png" == answer.headers["Content-Type"]
    assert answer.headers["Content-Disposition"].startswith('attachment; filename="tea.png"')
    assert "nosniff" == answer.headers["X-Content-Type-Options"]
    assert "default-src 'none'; sandbox" == answer.headers["Content-Security-Policy"]
    assert "bytes" == answer.headers["Accept-Ranges"]
    assert {"X-Request-Id", "ETag"} <= answer.headers.keys()


async def test_caches_keep_a_file_for_a_day(caller: Caller, port: int) -> None:
    """A removed medium disappears from them after that (C-95)."""
    answer = await fetched(caller, await hosted(port))

    assert "public, max-age=86400" == answer.headers["Cache-Control"]


async def test_a_head_is_told_and_no_body(caller: Caller, port: int) -> None:
    """Its length is that of the file."""
    path = await hosted(port)
    answer = await exchange(port, request(path, HOST, method="HEAD"), bodiless=True)

    assert (200, str(len(CONTENT))) == (answer.status, answer.headers["Content-Length"])


RANGES = [
    ("bytes=0-0", 0, 1),
    ("bytes=1-65536", 1, 65_537),
    ("bytes=65535-", 65_535, 262_144),
    ("bytes=-5", 262_139, 262_144),
    ("bytes=-999999", 0, 262_144),
    ("bytes=262143-999999", 262_143, 262_144),
]


async def test_a_range_is_given(caller: Caller, port: int) -> None:
    """The range is one that media players request."""
    path = await hosted(port)
    for asked, first, end in RANGES:
        answer = await fetched(caller, path, Range=asked)
        assert (206, CONTENT[first:end]) == (answer.status, answer.body)
        assert f"bytes {first}-{end - 1}/262144" == answer.headers["Content-Range"]


async def test_other_ranges_are_not_heard(caller: Caller, port: int) -> None:
    """Several, wrong ones, and those of another file; one behind the end cannot be given."""
    path = await hosted(port)
    for asked in ("bytes=0-1,3-4", "bytes=5-1", "bytes=-", "lines=1-2", f"bytes=0-{'9' * 5_000}"):
        assert (200, CONTENT) == ((await fetched(caller, path, Range=asked)).status, CONTENT)
    stale = await fetched(caller, path, **{"Range": "bytes=1-", "If-Range": '"other"'})
    behind = await fetched(caller, path, Range="bytes=262144-")

    assert (200, CONTENT) == (stale.status, stale.body)
    assert (416, "range_not_satisfiable") == behind.refusal
    assert "bytes */262144" == behind.headers["Content-Range"]


async def test_who_has_it_is_told_so(caller: Caller, port: int) -> None:
    """The ETag of the client's copy makes the answer 304."""
    path = await hosted(port)
    tag = (await fetched(caller, path)).headers["ETag"]
    again = await fetched(caller, path, **{"If-None-Match": tag})

    assert (304, b"") == (again.status, again.body)


NOWHERE = [
    f"/media/med_{'0' * 32}",
    "/media/med_",
    "/media/..%2f..%2fcode.key",
    "/media/%2e%2e%2fstore.db",
    "/media/incoming",
    "/media/%00",
    "/media/" + "x" * 5_000,
]


async def test_nothing_else_is_there(caller: Caller) -> None:
    """Other paths below it are unknown."""
    for path in NOWHERE:
        assert (404, "not_found") == (await fetched(caller, path)).refusal


NAMES = [
    b"../../etc/passwd",
    b"..\\\\..\\\\windows\\\\win.ini",
    b"/etc/passwd",
    b"C:\\\\fakepath\\\\tea.png",
    b"\\\\\\\\server\\\\share\\\\tea.png",
    b"CON",
    b"..",
    b".",
    b" ",
    b"<script>alert(1)</script>.html",
    b"a%0d%0aSet-Cookie: tea=1",
    b"a; filename=b.exe",
    b'a\\"; filename=\\"b.exe',
    "tee grün 茶 \u202egnp.exe".encode(),
    "\u2028\u0085".encode(),
    b"x" * 5_000,
    b"tea.png%00.html",
]


async def test_no_name_does_harm(caller: Caller, port: int, folder: Path) -> None:
    """A name is no path here, and no header, markup or path for the client that saves the file."""
    for name in NAMES:
        path = await hosted(port, name=name)
        answer = await fetched(caller, path)
        told = Message()
        told["Content-Disposition"] = answer.headers["Content-Disposition"]
        saved = str(told.get_filename())
        assert _PLAIN.fullmatch(answer.headers["Content-Disposition"]), name
        assert "Set-Cookie" not in answer.headers
        assert not {*saved} & {*"/\\\0\r\n"}, name
        assert saved not in ("", ".", ".."), name
        assert len(saved) <= 255, name

    assert {f"med_{'0' * 32}"} == {re.sub("[0-9a-f]{32}", "0" * 32, each) for each in names(folder)}


KINDS = [
    b"text/html",
    b"TEXT/HTML; charset=utf-8",
    b"image/svg+xml",
    b"application/xhtml+xml",
    b"text/xml",
    b"image/xml",
    b"text/javascript",
    b"application/x-shockwave-flash",
    b"message/rfc822",
    b"image/png, text/html",
    b"image/",
    b"tea",
    b"",
    b"image/" + b"x" * 1_000,
]


async def test_no_script_is_ever_served_as_one(caller: Caller, port: int) -> None:
    """Types that a browser could run, and values that are no type, are served as bytes."""
    for kind in KINDS:
        path = await hosted(port, b"<script>alert(1)</script>", b"x.html", kind)
        answer = await fetched(caller, path)
        assert "application/octet-stream" == answer.headers["Content-Type"], kind


@pytest.mark.parametrize("harm", [Path.unlink, lambda file: file.write_bytes(b"tea")])
async def test_a_file_that_is_gone_is_503(
    caller: Caller, port: int, folder: Path, harm: Callable[[Path], object]
) -> None:
    """The log names it, so it is no 404, and needs an operator; the same for a cut file."""
    path = await hosted(port)
    harm(folder / path.rpartition("/")[2])

    assert (503, "unavailable") == (await fetched(caller, path)).refusal


async def test_a_client_that_reads_nothing_is_let_go(service: Wired) -> None:
    """After the patience of the listener: nothing is held open for it."""
    async with listening(service, patience=Patience(answer=0.4)) as caller:
        port = int(caller.endpoint.make_url("/").port or 0)
        path = await hosted(port, b"x" * 2**24)
        async with wire(port) as line, asyncio.timeout(10):
            await line.send(request(path, HOST))
            await line.reader.readuntil(b"\r\n\r\n")
            assert 1 == service.hosted_media.under_way.total()
            while service.hosted_media.under_way:  # noqa: ASYNC110  it ends by itself
                await asyncio.sleep(0.05)


async def test_a_client_that_reads_slowly_gets_it_all(service: Wired) -> None:
    """Each read of the client starts its time limit again."""
    size = 2**24
    async with listening(service, patience=Patience(answer=0.3)) as caller:
        port = int(caller.endpoint.make_url("/").port or 0)
        path = await hosted(port, b"x" * size)
        with socket.create_connection(("127.0.0.1", port)) as line:
            # Large buffers of the system would hide that the client is slow.
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2**18)
            await asyncio.to_thread(line.sendall, request(path, HOST, b"Connection: close\r\n"))
            got = await asyncio.to_thread(_taken_slowly, line)

    assert got.endswith(b"x" * size)


def _taken_slowly(line: socket.socket) -> bytes:
    got = bytearray()
    while piece := line.recv(2**16):
        got += piece
        time.sleep(0.005)
    return bytes(got)
