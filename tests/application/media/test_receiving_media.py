"""A file is stored together with its event, or not at all (C-25)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from pathlib import Path

import pytest
from attrs import frozen

from tests.adapters.test_media_files import age, names
from tests.application.house import House, build_house
from tests.fakes.webs import ScriptedWeb
from watchword.adapters.media_files import FolderMediaFiles
from watchword.adapters.randomness import SecretRandomness
from watchword.application.caller import Caller
from watchword.application.errors import UnavailableError
from watchword.application.journal import Journal
from watchword.application.media import receiving_media
from watchword.application.media.hosted_media import HostedMedia
from watchword.application.media.receiving_media import (
    MOST_UPLOADS,
    ReceivingMedia,
    TooManyUploadsError,
    Upload,
)
from watchword.application.media.storing_media import MediaUrlFailedError, StoringMedia
from watchword.application.media.sweeping_media import SweepingMedia
from watchword.application.media.views import MediaView
from watchword.application.paging import Paging
from watchword.application.ports.event_store import StreamConflict
from watchword.domain.errors import ValidationFailedError
from watchword.domain.media import (
    EmptyFileError,
    FileTooLargeError,
    MediaNotFoundError,
)

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)


@frozen
class Rooms:
    """The use cases of media in a house, and the folder of its files."""

    house: House
    folder: Path
    files: FolderMediaFiles
    receiving: ReceivingMedia
    storing: StoringMedia
    hosted: HostedMedia
    sweeping: SweepingMedia

    @property
    def by(self) -> Caller:
        """Return the caller that uploads."""
        return self.house.by

    async def store(self, *chunks: bytes, name: str = "tea.png") -> MediaView:
        """Store a file."""
        async with self.receiving.upload(self.by) as upload:
            received = await upload.receive(sent(*chunks), name=name, content_type="image/png")
            return await self.storing.store(self.by, upload, received)

    async def swept(self) -> int:
        """Sweep leftover files, two hours later."""
        age(self.folder)
        return await self.sweeping.run_due()


@pytest.fixture
async def rooms(tmp_path: Path) -> AsyncIterator[Rooms]:
    """Yield a house whose files are in a folder."""
    house = await build_house()
    files = FolderMediaFiles(tmp_path)
    journal = Journal(house.store)
    yield Rooms(
        house,
        tmp_path,
        files,
        ReceivingMedia(files, SecretRandomness()),
        StoringMedia(journal, house.web, house.clock),
        HostedMedia(journal, files),
        SweepingMedia(journal, files),
    )
    await files.close()


async def sent(*chunks: bytes) -> AsyncIterator[bytes]:
    """Send chunks."""
    for chunk in chunks:
        yield chunk


async def cut_off(*chunks: bytes) -> AsyncIterator[bytes]:
    """Send chunks, and then be gone."""
    for chunk in chunks:
        yield chunk
    raise ConnectionResetError


async def test_a_file_is_stored_with_its_event(rooms: Rooms) -> None:
    """It can be found, listed and read, and the log says what it is."""
    stored = await rooms.store(b"x" * 300_000, b"tea")

    assert ["MediaStored"] == await rooms.house.story(stored.id)
    assert (300_003, "tea.png", "image/png") == (stored.size, stored.name, stored.content_type)
    assert stored == await rooms.hosted.get(stored.id)
    assert [stored] == list((await rooms.hosted.list(rooms.by.account_id, Paging())).data)
    async with rooms.hosted.opened(stored.id) as file:
        assert b"xtea" == await file.read(299_999, 10)
    assert [stored.id] == names(rooms.folder)


async def test_what_is_no_mediums_id_is_unknown(rooms: Rooms) -> None:
    """It is looked up by no other form of its id, and nothing else is found by one."""
    stored = await rooms.store(b"tea")

    for unknown in (f"med_{'0' * 32}", "", "med_", "\0", stored.id.upper(), rooms.by.account_id):
        with pytest.raises(MediaNotFoundError):
            await rooms.hosted.get(unknown)


async def test_a_byte_too_many_is_refused_as_it_comes(rooms: Rooms) -> None:
    """The rest of the file is never read."""
    chunks = [b"x" * 2**20] * 100
    asked = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal asked
        while True:
            asked += 1
            yield chunks[0]

    with pytest.raises(FileTooLargeError):
        async with rooms.receiving.upload(rooms.by) as upload:
            await upload.receive(endless(), name=None, content_type=None)

    assert 100 == asked
    assert [] == names(rooms.folder)


async def test_a_file_without_a_byte_is_refused(rooms: Rooms) -> None:
    """One that comes, and one that a URL leads to, by the field that named it."""
    web: ScriptedWeb = rooms.house.web
    web.contents = {"https://shop.example/none.png": b""}
    async with rooms.receiving.upload(rooms.by) as upload:
        with pytest.raises(EmptyFileError) as sent_so:
            await upload.receive(sent(b""), name="tea.png", content_type="image/png")
        with pytest.raises(ValidationFailedError) as found:
            await rooms.storing.fetch(upload, "https://shop.example/none.png")

    assert ["file", "url"] == [each.value.problems[0].field for each in (sent_so, found)]
    assert [] == names(rooms.folder)


async def test_an_upload_that_is_cut_off_leaves_nothing(rooms: Rooms) -> None:
    """No file and no event."""
    with pytest.raises(ConnectionResetError):
        async with rooms.receiving.upload(rooms.by) as upload:
            await upload.receive(cut_off(b"x" * 2**20), name=None, content_type=None)

    assert [] == names(rooms.folder)


async def test_a_cancelled_upload_leaves_nothing(rooms: Rooms) -> None:
    """It may be cancelled while bytes are written, or while it waits for them."""
    begun = asyncio.Event()

    async def stalling() -> AsyncIterator[bytes]:
        yield b"x" * 2**20
        begun.set()
        await asyncio.Event().wait()

    async def upload() -> None:
        async with rooms.receiving.upload(rooms.by) as under_way:
            await under_way.receive(stalling(), name=None, content_type=None)

    uploading = asyncio.create_task(upload())
    await begun.wait()
    assert names(rooms.folder)
    uploading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await uploading

    assert [] == names(rooms.folder)


async def test_what_is_not_kept_is_gone_at_the_end(rooms: Rooms) -> None:
    """A request that is refused for another field leaves nothing of its files."""
    async with rooms.receiving.upload(rooms.by) as upload:
        await upload.receive(sent(b"x" * 2**20), name=None, content_type=None)
        assert names(rooms.folder)

    assert [] == names(rooms.folder)


async def keep_two(upload: Upload, journal: Journal, by: Caller) -> None:
    """Keep two files in one append."""
    received = [
        await upload.receive(sent(b"x" * 300_000), name=None, content_type=None) for _ in range(2)
    ]
    async with upload.keeping(NOON, *received) as changes:
        await journal.write(by, NOON, *changes)


async def test_files_are_kept_together(rooms: Rooms) -> None:
    """One append names them all."""
    async with rooms.receiving.upload(rooms.by) as upload:
        await keep_two(upload, Journal(rooms.house.store), rooms.by)

    log = await rooms.house.store.read_log(0, 1000)
    assert names(rooms.folder) == sorted(e.stream for e in log if e.type == "MediaStored")
    assert 2 == len(names(rooms.folder))


async def test_a_refused_append_leaves_no_file(rooms: Rooms) -> None:
    """A race that was lost says for sure that nothing was written."""
    rooms.house.store.races = 1
    with pytest.raises(StreamConflict):
        async with rooms.receiving.upload(rooms.by) as upload:
            await keep_two(upload, Journal(rooms.house.store), rooms.by)

    assert [] == names(rooms.folder)


async def test_a_lost_race_can_be_tried_again(rooms: Rooms) -> None:
    """The same files are kept by the next append."""
    journal = Journal(rooms.house.store)
    rooms.house.store.races = 1
    async with rooms.receiving.upload(rooms.by) as upload:
        received = await upload.receive(sent(b"tea"), name=None, content_type=None)
        for lost in (True, False):
            try:
                async with upload.keeping(NOON, received) as changes:
                    await journal.write(rooms.by, NOON, *changes)
            except StreamConflict:
                assert lost

    assert [received.id] == names(rooms.folder)
    assert ["MediaStored"] == await rooms.house.story(received.id)


async def test_a_store_out_of_reach_leaves_files_for_the_sweep(rooms: Rooms) -> None:
    """It is unknown whether the append will be written, so a later sweep decides."""
    rooms.house.store.reachable = False
    with pytest.raises(UnavailableError):
        await rooms.store(b"tea")
    rooms.house.store.reachable = True
    assert 2 == len(names(rooms.folder))
    assert 0 == await rooms.sweeping.run_due()

    assert 1 == await rooms.swept()
    assert [] == names(rooms.folder)


async def test_a_crash_behind_the_append_keeps_the_file(rooms: Rooms) -> None:
    """The log names it, so it stays, and is looked at once."""
    async with rooms.receiving.upload(rooms.by) as upload:
        received = await upload.receive(sent(b"tea"), name=None, content_type=None)
        keeping = upload.keeping(NOON, received)
        await Journal(rooms.house.store).write(rooms.by, NOON, *await keeping.__aenter__())
        # As of a process that dies here.
        await received.file.leave()

        assert [1, 0] == [await rooms.swept(), await rooms.swept()]
        assert [received.id] == names(rooms.folder)


async def test_one_account_leaves_places_for_the_uploads_of_others(
    rooms: Rooms, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One account has three quarters of the places at most; the last quarter is others' (C-94, D-85)."""
    monkeypatch.setattr(receiving_media, "PATIENCE", 0)
    receiving = rooms.receiving
    other = Caller("acc_other", "key_other", "req_other")
    async with AsyncExitStack() as under_way:
        for _ in range(MOST_UPLOADS * 3 // 4):
            await under_way.enter_async_context(receiving.upload(rooms.by))
        with pytest.raises(TooManyUploadsError):
            await receiving.upload(rooms.by).__aenter__()
        for _ in range(MOST_UPLOADS // 4):
            await under_way.enter_async_context(receiving.upload(other))
        with pytest.raises(TooManyUploadsError):
            await receiving.upload(other).__aenter__()

    async with receiving.upload(rooms.by):
        pass


async def test_what_stands_at_a_url_is_stored(rooms: Rooms) -> None:
    """It is stored under the last part of the URL's path, with the type that its host names."""
    web: ScriptedWeb = rooms.house.web
    web.contents = {"https://shop.example/a/tea%20menu.png?x=1": b"tea"}
    async with rooms.receiving.upload(rooms.by) as upload:
        received = await rooms.storing.fetch(upload, "https://shop.example/a/tea%20menu.png?x=1")
        stored = await rooms.storing.store(rooms.by, upload, received)

    assert ("tea menu.png", "image/png", 3) == (stored.name, stored.content_type, stored.size)


async def test_a_url_that_gives_no_file_is_told_from_a_refused_one(rooms: Rooms) -> None:
    """The one is its host's fault, the other its writer's (C-58)."""
    web: ScriptedWeb = rooms.house.web
    web.refused = {"http://10.0.0.1/": "must have a public address"}
    async with rooms.receiving.upload(rooms.by) as upload:
        with pytest.raises(ValidationFailedError) as refused:
            await rooms.storing.fetch(upload, "http://10.0.0.1/")
        with pytest.raises(MediaUrlFailedError, match="another status than 200"):
            await rooms.storing.fetch(upload, "https://shop.example/none")

    assert "must have a public address" == refused.value.problems[0].message
