"""Hosted files beside the log: each as large as it says, with the digest that it says (C-25, C-91)."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator

from ...domain.media import Media
from ..ports.media_files import MediaFileMissing, MediaFiles, MediaFilesUnavailable
from .differences import Difference, Kind

_READ_AT_ONCE = 2**20


async def file_differences(
    files: MediaFiles, media_id: str, media: Media
) -> AsyncIterator[Difference]:
    """Compare a medium's file with what its event says."""
    try:
        file = await files.open(media_id)
    except MediaFileMissing:
        yield file_difference(media_id, "", "a file", "none")
        return
    except MediaFilesUnavailable:
        yield file_difference(media_id, "", "a file", "an unreadable one")
        return
    try:
        if file.size != media.size:
            yield file_difference(media_id, "size", str(media.size), str(file.size))
            return
        digest = hashlib.sha256()
        for offset in range(0, file.size, _READ_AT_ONCE):
            digest.update(await file.read(offset, _READ_AT_ONCE))
        if digest.hexdigest() != media.sha256:
            yield file_difference(media_id, "sha256", media.sha256, digest.hexdigest())
    except MediaFilesUnavailable:
        yield file_difference(media_id, "", "a file", "an unreadable one")
    finally:
        await file.close()


def file_difference(media_id: str, field: str, expected: str, found: str) -> Difference:
    """Say what is wrong with a file."""
    return Difference(
        kind=Kind.FILE, what="File", id=media_id, field=field, expected=expected, found=found
    )
