"""Receive files, and store them together with the events that refer to them (C-25)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Iterable, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta

from attrs import field, frozen
from msgspec.structs import replace

from ...domain.accounts.account import account_decider
from ...domain.accounts.account_limits import within_media_bytes
from ...domain.errors import RateLimitedError, RetryLaterError
from ...domain.media import (
    FILE_LIMIT,
    EmptyFileError,
    FileTooLargeError,
    MediaStored,
    media_decider,
    plain_name,
    plain_type,
    store,
)
from ..caller import Caller
from ..concurrency.fair_shares import FairShares
from ..errors import UnavailableError
from ..journal import Journal, beginning
from ..ports.event_store import Change, HeldByOthers, StreamConflict
from ..ports.media_files import IncomingFile, MediaFiles, MediaFilesUnavailable
from ..ports.randomness import Randomness
from ..records.media import MEDIA

# The uploads at once, in fair shares; each holds about two megabytes of memory (D-85).
MOST_UPLOADS = 32
# The seconds for which an upload waits for a place; its body is not read meanwhile.
PATIENCE = 5.0
_AGAIN_AFTER = timedelta(seconds=5)


class TooManyUploadsError(RetryLaterError):
    """The number of uploads at once has reached its limit (D-85)."""

    code = "unavailable"

    def __init__(self) -> None:
        super().__init__("Too many uploads are under way.", _AGAIN_AFTER)


@frozen(kw_only=True)
class ReceivedFile:
    """A complete file; `name` and `content_type` are in plain form, `size` in bytes."""

    id: str
    name: str = field(repr=False)
    content_type: str
    size: int
    file: IncomingFile = field(repr=False)


class ReceivingMedia:
    """Receives files, up to a number at once."""

    def __init__(self, files: MediaFiles, randomness: Randomness) -> None:
        self._files = files
        self._randomness = randomness
        self._places = FairShares(MOST_UPLOADS)

    @asynccontextmanager
    async def upload(self, by: Caller) -> AsyncIterator[Upload]:
        """
        Receive files in a block; its end removes the files that were not kept.

        Raises `TooManyUploadsError`.
        """
        try:
            await self._places.take(by.account_id, PATIENCE)
        except UnavailableError:
            raise TooManyUploadsError from None
        upload = Upload(self._files, self._randomness, by)
        try:
            yield upload
        finally:
            self._places.release(by.account_id)
            await upload.discard()


class Upload:
    """The files of one request."""

    def __init__(self, files: MediaFiles, randomness: Randomness, by: Caller) -> None:
        self._files = files
        self._randomness = randomness
        self._by = by
        self._open: set[IncomingFile] = set()

    async def receive(
        self, chunks: AsyncIterable[bytes], *, name: str | None, content_type: str | None
    ) -> ReceivedFile:
        """
        Receive a file in chunks; `name` and `content_type` are those of its sender.

        Raises `FileTooLargeError` at the first byte above the limit, `EmptyFileError` for an empty
        file, and `UnavailableError` if the disk is full.
        """
        media_id = self._randomness.new_id(MEDIA.prefix)
        file = self._files.receive(media_id)
        self._open.add(file)
        try:
            async for chunk in chunks:
                if file.size + len(chunk) >= FILE_LIMIT:
                    raise FileTooLargeError
                await file.write(chunk)
        except MediaFilesUnavailable:
            raise UnavailableError from None
        if not file.size:
            raise EmptyFileError
        return ReceivedFile(
            id=media_id,
            name=plain_name(name),
            content_type=plain_type(content_type),
            size=file.size,
            file=file,
        )

    @asynccontextmanager
    async def keeping(self, at: datetime, *received: ReceivedFile) -> AsyncIterator[list[Change]]:
        """
        Keep files for the append that records them; the block must do nothing else.

        It yields the changes for that append. If the append loses a race, the files are removed at
        the end of the upload, or may be kept again. If it is unknown whether the append was
        written, the files stay for `SweepingMedia`. Raises `UnavailableError`.
        """
        try:
            changes = [await self._kept(at, each) for each in received]
        except MediaFilesUnavailable:
            raise UnavailableError from None
        try:
            yield changes
        except (StreamConflict, HeldByOthers, RateLimitedError):
            # These refusals prove that nothing was written.
            raise
        except BaseException:
            self._open -= {each.file for each in received}
            await _all(each.file.leave() for each in received)
            raise
        self._open -= {each.file for each in received}
        await _all(each.file.confirm() for each in received)

    async def counted(self, journal: Journal, kept: Sequence[Change]) -> Sequence[Change]:
        """
        Return the changes that record files, with the condition that their account has room (C-94).

        The first change has the condition for all of them, because an append has one condition of a
        total.
        """
        if not kept:
            return ()
        account = (await journal.load(account_decider, self._by.account_id)).state
        more = sum(each.state.size for each in kept)
        room = within_media_bytes(self._by.account_id, more, account.limits)
        first, *others = kept
        return (replace(first, conditions=(*first.conditions, room)), *others)

    async def discard(self) -> None:
        """Remove the files that were not kept."""
        discarded, self._open = self._open, set()
        await _all(each.discard() for each in discarded)

    async def _kept(self, at: datetime, received: ReceivedFile) -> Change:
        stored = MediaStored(
            at=at,
            account_id=self._by.account_id,
            name=received.name,
            content_type=received.content_type,
            size=received.size,
            sha256=await received.file.keep(),
        )
        return beginning(media_decider, received.id, store(stored))


async def _all(endings: Iterable[Awaitable[None]]) -> None:
    """Wait for all of them, even if the waiting task is cancelled."""
    await asyncio.shield(asyncio.gather(*endings, return_exceptions=True))
