"""Subjects that name a person, or an id that follows from one; stores have HMACs of them (C-73)."""

from __future__ import annotations

from typing import Final

# A provider may make its ids of the number: a WhatsApp id is the number in base64.
PROVIDER_MESSAGE: Final = "provider-message:"
LEGACY_EMAIL: Final = "legacy-email:"
_KINDS = (PROVIDER_MESSAGE, LEGACY_EMAIL)
# Their kinds, as audits name them.
PERSONAL_KINDS: Final = frozenset(each.rstrip(":") for each in _KINDS)


def is_personal(subject: str) -> bool:
    """Return whether a subject may reveal a person."""
    return subject.startswith(_KINDS)
