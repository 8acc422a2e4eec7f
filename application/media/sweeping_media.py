"""Clean up files that a crash left: keep those that the log names, remove the others (D-87)."""

from __future__ import annotations

from datetime import timedelta

from ..journal import Journal
from ..ports.media_files import MediaFiles
from ..records.media import MediaRow

# Appends and pauses of uploads never last this long.
LEFT_FOR = timedelta(hours=1)


class SweepingMedia:
    """Checks files that are neither confirmed nor being uploaded; confirmed files cost nothing."""

    kind = None

    def __init__(self, journal: Journal, files: MediaFiles) -> None:
        self._journal = journal
        self._files = files

    async def run_due(self) -> int:
        """Check all files that were left, and return how many there were."""
        left = await self._files.left_over(LEFT_FOR)
        named = await self._journal.rows(MediaRow, left)
        for media_id in left:
            if media_id in named:
                await self._files.confirm(media_id)
            else:
                await self._files.discard(media_id)
        return len(left)
