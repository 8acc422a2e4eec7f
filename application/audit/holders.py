"""Compare the subjects that a stream holds with those that its state holds (C-91)."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ...domain.event import ERASED, MASK
from .differences import Difference, holder_difference

_UNREADABLE = (f":{ERASED}", f":{MASK}")


def holder_differences(
    stream: str, wanted: Collection[str], found: Collection[str]
) -> Iterator[Difference]:
    """
    Yield the subjects that are wrongly held or not held.

    A subject can end in a provider's id, which nobody reads after an erasure or without the code key. Then
    no subject of its kind is compared: an erasure drops it some time after the key.
    """
    unknown = {_kind(each) for each in wanted if each.endswith(_UNREADABLE)}
    readable = {each for each in wanted if _kind(each) not in unknown}
    kept = {each for each in found if _kind(each) not in unknown}
    for subject in sorted(kept ^ readable):
        yield holder_difference(stream, subject, held=subject in kept)


def _kind(subject: str) -> str:
    return subject.partition(":")[0]
