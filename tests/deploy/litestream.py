"""A SQLite store that Litestream copied comes back after a kill; `.ci/image` runs this."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.crash.server import serving
from tests.crash.waiting import until
from tests.deploy.deployed import DEPLOY, guide, parse_yaml
from tests.deploy.restoring import check_restored, loaded, lost

LITESTREAM = os.environ.get("WATCHWORD_LITESTREAM", "litestream")
# The guide promises it: a look a second, a copy a second later, and the time that these take.
PROMISED_SECONDS = 2.5


def configured(folder: Path) -> Path:
    """Write the configuration of `deploy/` with the folders of a test."""
    text = (DEPLOY / "litestream.yml").read_text()
    text = text.replace("/var/lib/watchword", str(folder / "data"))
    text = text.replace("file:///backup/watchword", f"file://{folder}/replica")
    assert [f"{folder}/data/watchword.db"] == [each["path"] for each in parse_yaml(text)["dbs"]]
    file = folder / "litestream.yml"
    file.write_text(text)
    return file


@asynccontextmanager
async def replicating(folder: Path) -> AsyncIterator[asyncio.subprocess.Process]:
    """Copy the store of a folder until the end of the block."""
    with (folder / "litestream.log").open("wb") as log:
        command = (LITESTREAM, "replicate", "-config", str(configured(folder)))
        process = await asyncio.create_subprocess_exec(*command, stdout=log, stderr=log)
        try:
            await until(lambda: any((folder / "replica").rglob("*.ltx")), 30)
            yield process
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()


async def restore(folder: Path) -> Path:
    """Restore the store into a folder of its own, with the code key that was kept apart."""
    target = folder / "restored"
    target.mkdir(mode=0o700)
    shutil.copy(folder / "data" / "code.key", target)
    flags = ("-config", str(folder / "litestream.yml"), "-o", str(target / "watchword.db"))
    process = await asyncio.create_subprocess_exec(
        LITESTREAM, "restore", *flags, str(folder / "data" / "watchword.db")
    )
    assert 0 == await process.wait()
    return target / "watchword.db"


def test_the_guide_types_what_is_tried() -> None:
    """The words of both commands, but for the folders of the tests."""
    page = guide("backups.md")
    store = "/var/lib/watchword/watchword.db"

    assert "\nlitestream replicate -config deploy/litestream.yml\n" in page
    assert f"\nlitestream restore -config deploy/litestream.yml -o {store} {store}\n" in page


@pytest.mark.parametrize("round_", range(3))
async def test_a_store_comes_back_after_a_kill(tmp_path: Path, round_: int) -> None:
    """Service and Litestream die at once, and the disk with them: what is older than the promise is there."""
    (tmp_path / "data").mkdir(mode=0o700)
    async with (
        serving(tmp_path / "data") as server,
        replicating(tmp_path) as litestream,
        loaded(server) as load,
    ):
        await load.goes_on(60 + 40 * round_)
        litestream.kill()
        killed = await load.kill()
    older, newer = load.verified_before(killed - PROMISED_SECONDS), load.verified_before(killed)
    for each in (tmp_path / "data").glob("watchword.db*"):
        each.unlink()
    restored = await restore(tmp_path)
    record = await check_restored(restored, ("--data-dir", str(restored.parent)))

    print(f"of {len(newer)} verifications, {len(lost(record, newer))} were not copied yet")  # noqa: T201  measured
    assert len(newer) >= 60
    assert [] == lost(record, older)


async def test_a_killed_service_alone_loses_nothing(tmp_path: Path) -> None:
    """Litestream that lives on, and is told to end, has copied the last commit before it ends."""
    (tmp_path / "data").mkdir(mode=0o700)
    async with serving(tmp_path / "data") as server, replicating(tmp_path) as litestream:
        async with loaded(server) as load:
            await load.goes_on(60)
            killed = await load.kill()
        litestream.terminate()
        await litestream.wait()
    restored = await restore(tmp_path)
    record = await check_restored(restored, ("--data-dir", str(restored.parent)))

    assert [] == lost(record, load.verified_before(killed))
