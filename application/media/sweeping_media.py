"""Look after what a crash left of files: kept where the log names it, else removed (D-87)."""

from __future__ import annotations

from datetime import timedelta

from ..journal import Journal
from ..ports.media_files import MediaFiles
from ..records.media import MediaRow

# No append is under way for so long, and no upload says nothing for so long.
LEFT_FOR = timedelta(hours=1)


class SweepingMedia:
    """Looks at what nobody has confirmed and nobody is at; files that are confirmed cost nothing."""

    kind = None

    def __init__(self, journal: Journal, files: MediaFiles) -> None:
        self._journal = journal
        self._files = files

    async def run_due(self) -> int:
        """Look at all that was left, and give how much that was."""
        left = await self._files.left_over(LEFT_FOR)
        named = await self._journal.rows(MediaRow, left)
        for media_id in left:
            if media_id in named:
                await self._files.confirm(media_id)
            else:
                await self._files.discard(media_id)
        return len(left)
