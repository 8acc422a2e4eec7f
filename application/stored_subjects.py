"""The subjects of holders as stores have them, for stores and for audits (D-333)."""

from __future__ import annotations

from ..domain.personal_subjects import is_personal
from .ports.person_keys import PersonKeys


def stored_subject(subject: str, keys: PersonKeys) -> str:
    """Return a subject as stores have it: of a personal one, its kind and an HMAC."""
    if not is_personal(subject):
        return subject
    kind, separator, _ = subject.partition(":")
    return f"{kind}{separator}{keys.hashed('subject', subject)}"
