"""Remove hosted media: make them unavailable at once, and delete their files, even after a crash (C-95)."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from functools import partial

from ...domain.media import MediaNotFoundError, media_decider, remove
from ..caller import THE_WORKER, Caller
from ..due_work import handle_due
from ..journal import Journal, change, retry_on_conflict
from ..ports.clock import Clock
from ..ports.event_store import Due, DueKind
from ..ports.media_files import MediaFiles, MediaFilesUnavailable
from ..records.media import media_row
from ..repository import find_visible
from .views import MediaView

# The use case removes the file itself; the worker checks the file after this time.
_LEFT_FOR = timedelta(minutes=1)


class RemovingMedia:
    """
    Records the removal of a medium in the log, then deletes its file.

    The append leaves a due row. If the process dies before the file is deleted, or the disk is not
    available, the worker deletes it (D-136).
    """

    kind = DueKind.REMOVED_FILE

    def __init__(self, journal: Journal, files: MediaFiles, clock: Clock) -> None:
        self._journal = journal
        self._files = files
        self._clock = clock

    async def remove(self, by: Caller, media_id: str) -> MediaView:
        """Remove a medium; raises `MediaNotFoundError`. Nothing happens when it is removed already."""
        removed = await retry_on_conflict(partial(self._record, by, media_id))
        with suppress(MediaFilesUnavailable):
            await self._finish(by, media_id)
        return removed

    async def run_due(self) -> int:
        """Delete the files of removed media that are still there; return how many."""

        async def finish(due: Due) -> None:
            await self._finish(THE_WORKER, due.stream)

        return await handle_due(self._journal, self._clock, self.kind, finish)

    async def _record(self, by: Caller, media_id: str) -> MediaView:
        loaded = await find_visible(self._journal, by, media_decider, media_id)
        if loaded is None:
            raise MediaNotFoundError
        now = self._clock.now()
        after = change(media_decider, media_id, loaded, remove(loaded.state, now))
        if after.events:
            due = Due(self.kind, media_id, 1, now + _LEFT_FOR)
            await self._journal.write(by, now, after, due=(due,))
        return MediaView.of(media_row(media_id, after.state))

    async def _finish(self, by: Caller, media_id: str) -> None:
        now = self._clock.now()
        await self._files.discard(media_id)
        await self._journal.write(by, now, done=(Due(self.kind, media_id, 1, now),))
