"""Compare the size and digest of each hosted file with the log (C-25, C-91)."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator

from ...domain.media import Media, media_decider
from ..journal import Journal
from ..ports.media_files import MediaFileMissing, MediaFiles, MediaFilesUnavailable, StoredFile
from .differences import Difference, Kind

_READ_AT_ONCE = 2**20


class HostedFiles:
    """The files of a service that may be running; a file removed during the audit is no difference."""

    def __init__(self, journal: Journal, files: MediaFiles) -> None:
        self._journal = journal
        self._files = files

    async def differences(self, media_id: str, media: Media | None) -> AsyncIterator[Difference]:
        """Compare a file with its medium in the log; None means that the log has none."""
        try:
            file = await self._files.open(media_id)
        except MediaFileMissing:
            if media is not None and not await self._removed(media_id):
                yield file_difference(media_id, "", "a file", "none")
            return
        except MediaFilesUnavailable:
            yield file_difference(media_id, "", "a file", "an unreadable one")
            return
        try:
            if media is None:
                yield file_difference(media_id, "", "none", "a file")
            elif file.size != media.size:
                yield file_difference(media_id, "size", str(media.size), str(file.size))
            elif (digest := await _digest(file)) != media.sha256:
                yield file_difference(media_id, "sha256", media.sha256, digest)
        except MediaFilesUnavailable:
            yield file_difference(media_id, "", "a file", "an unreadable one")
        finally:
            await file.close()

    async def _removed(self, media_id: str) -> bool:
        loaded = await self._journal.find(media_decider, media_id)
        return loaded is not None and loaded.state.removed_at is not None


async def _digest(file: StoredFile) -> str:
    digest = hashlib.sha256()
    for offset in range(0, file.size, _READ_AT_ONCE):
        digest.update(await file.read(offset, _READ_AT_ONCE))
    return digest.hexdigest()


def file_difference(media_id: str, field: str, expected: str, found: str) -> Difference:
    """Return a difference in a file."""
    return Difference(
        kind=Kind.FILE, what="File", id=media_id, field=field, expected=expected, found=found
    )
