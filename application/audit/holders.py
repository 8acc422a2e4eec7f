"""Compare the subjects that a stream holds with those that its state holds (C-91)."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ...domain.event import ERASED, MASK
from ...domain.personal_subjects import PERSONAL_KINDS
from ..ports.person_keys import PersonKeys
from ..stored_subjects import stored_subject
from .differences import Difference, holder_difference

_UNREADABLE = (f":{ERASED}", f":{MASK}")


def holder_differences(
    stream: str, wanted: Collection[str], found: Collection[str], keys: PersonKeys | None
) -> Iterator[Difference]:
    """
    Yield the subjects that are wrongly held or not held.

    A subject can end in a provider's id, which nobody reads after an erasure or without the code key. Then
    no subject of its kind is compared: an erasure drops it some time after the key. Stores have HMACs in
    the place of personal subjects, which are not compared without `keys` (D-333).
    """
    unknown = {_kind(each) for each in wanted if each.endswith(_UNREADABLE)}
    if keys is None:
        unknown |= PERSONAL_KINDS
    readable = {
        each if keys is None else stored_subject(each, keys)
        for each in wanted
        if _kind(each) not in unknown
    }
    kept = {each for each in found if _kind(each) not in unknown}
    for subject in sorted(kept ^ readable):
        yield holder_difference(stream, subject, held=subject in kept)


def holds_erased(wanted: Collection[str], found: Collection[str]) -> bool:
    """Return whether a stream still holds an HMAC of an id that nobody reads after an erasure."""
    erased = {_kind(each) for each in wanted if each.endswith(f":{ERASED}")} & PERSONAL_KINDS
    return any(_kind(each) in erased for each in found)


def _kind(subject: str) -> str:
    return subject.partition(":")[0]
