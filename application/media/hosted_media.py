"""Find hosted media, and open their files (C-25)."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

from ...domain.errors import RetryLaterError
from ...domain.media import MediaNotFoundError, MediaRemovedError, is_media_id
from ..errors import UnavailableError
from ..journal import Journal
from ..paging import Listed, Paging
from ..ports.listings import Missing, Query, of_account
from ..ports.media_files import MediaFileMissing, MediaFiles, MediaFilesUnavailable, StoredFile
from ..records.media import MediaRow
from .views import MediaView

# The downloads at once: of all clients, and of one. Anyone may fetch a
# medium, as slowly as a listener allows (D-85).
MOST_DOWNLOADS, MOST_DOWNLOADS_OF_ONE = 256, 64


class TooManyDownloadsError(RetryLaterError):
    """The number of downloads at once has reached its limit (D-85)."""

    code = "unavailable"

    def __init__(self) -> None:
        super().__init__("Too many files are being fetched.", timedelta(seconds=5))


class HostedMedia:
    """The hosted media of accounts; `under_way` are the current downloads, by client."""

    def __init__(self, journal: Journal, files: MediaFiles) -> None:
        self._journal = journal
        self._files = files
        self.under_way: Counter[str] = Counter()

    async def get(self, media_id: str) -> MediaView:
        """Return a medium of any account; raises `MediaNotFoundError` or `MediaRemovedError`."""
        row = await self._journal.row(MediaRow, media_id) if is_media_id(media_id) else None
        if row is None:
            raise MediaNotFoundError
        if row.removed_at is not None:
            raise MediaRemovedError
        return MediaView.of(row)

    async def list(self, account_id: str | None, paging: Paging) -> Listed[MediaView]:
        """List what is hosted, of one account or of all, the newest first."""
        query = Query(rows=MediaRow, where=(*of_account(account_id), Missing("removed_at")))
        return (await self._journal.listed(query, paging)).showing(MediaView.of)

    @asynccontextmanager
    async def opened(self, media_id: str, client: str | None = None) -> AsyncIterator[StoredFile]:
        """
        Open a medium's file for a client; None is this process itself, which has no limit.

        Raises `TooManyDownloadsError`, and `UnavailableError` if the file in the log is missing or
        unreadable.
        """
        if self.under_way.total() >= MOST_DOWNLOADS or (
            client is not None and self.under_way[client] >= MOST_DOWNLOADS_OF_ONE
        ):
            raise TooManyDownloadsError
        counted = Counter({client or "": 1})
        self.under_way += counted
        try:
            file = await self._files.open(media_id)
            try:
                yield file
            finally:
                await file.close()
        except (MediaFileMissing, MediaFilesUnavailable):
            raise UnavailableError from None
        finally:
            self.under_way -= counted
