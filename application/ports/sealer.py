"""The port for sealing: contents with a code, encrypted until they are no longer needed (C-23)."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, Protocol

from attrs import field, frozen

# The name of the key that is there once in a store: the secret that finds people.
INDEX: Final = "index"
# The beginnings of the ids that name the keys of people and accounts.
PERSON_PREFIX: Final = "per_"
ACCOUNT_PREFIX: Final = "acc_"
# That of the streams of parked receipts, which own what is sealed in them (D-358).
PARKED_PREFIX: Final = "rcp_"
# The settings with the versions of the code key that a store had, and with those that it lost (D-314).
CODE_KEY_VERSIONS: Final = "code_key_versions"
CODE_KEY_LOST: Final = "code_key_lost"


def check_value_of(version: object) -> str:
    """Return the name of the setting with the check value of a version of the code key (C-3)."""
    return f"code_key:{version}"


def is_person(name: str) -> bool:
    """Return whether the owner of a key is a person."""
    return name.startswith(PERSON_PREFIX)


def is_account(name: str) -> bool:
    """Return whether the owner of a key is an account."""
    return name.startswith(ACCOUNT_PREFIX)


def belongs_to_owner(name: str) -> bool:
    """Return whether a key seals what is personal of its owner, or finds people."""
    return name == INDEX or is_person(name) or is_account(name) or name.startswith(PARKED_PREFIX)


@frozen
class SealKey:
    """
    A secret that a version of the code key wraps.

    It is the key of one run's seals, the secret of a callback endpoint, the secret settings of a channel
    account, or the key under which everything personal of its owner is sealed (`belongs_to_owner`).

    It is in no event. One append stores it under its name (the id of what it belongs to). Another append
    drops it; after that, nothing in the store opens what it sealed.
    """

    name: str
    version: int
    wrapped: bytes = field(repr=False)


class KeyState(StrEnum):
    """What an audit learns of a wrapped key; nothing without a code key."""

    OPENS = "a key that the code key opens"
    BROKEN = "one that it does not open"
    OTHER_VERSION = "a key under a version that the audit does not have"
    UNKNOWN = "unknown"


class SealBrokenError(Exception):
    """
    A sealed text cannot be opened; the error quotes nothing of it.

    It was sealed with another key or for another subject, or it was changed.
    """

    def __init__(self) -> None:
        super().__init__(
            "A sealed text cannot be opened. Look whether the store was changed by other hands."
        )


class SealKeyMissingError(Exception):
    """The code key version of a seal is not on this node's ring; another node may have it."""


class Sealer(Protocol):
    """Encrypts texts and authenticates their subject; fails closed."""

    @property
    def newest(self) -> int:
        """The version of the code key that wraps new keys."""
        ...

    def new_key(self, name: str) -> SealKey:
        """Make a new key."""
        ...

    def wrap(self, name: str, secret: bytes) -> SealKey:
        """Wrap an existing secret under a name."""
        ...

    def unwrap(self, key: SealKey) -> bytes:
        """Return the wrapped secret; raises `SealBrokenError` or `SealKeyMissingError`."""
        ...

    def rewrapped(self, key: SealKey) -> SealKey:
        """Wrap the secret of a key again, with the newest version; raises as `unwrap` does."""
        ...

    def seal(self, key: SealKey, subject: str, plain: bytes) -> str:
        """Seal a text for a subject (a run's id and step); it opens only for that subject."""
        ...

    def open(self, key: SealKey, subject: str, text: str) -> bytes:
        """Open a text sealed for this subject; raises `SealBrokenError` or `SealKeyMissingError`."""
        ...

    def seal_under(self, code: str, subject: str, plain: bytes) -> str:
        """Seal a text for a subject so that only the code opens it, on any node and with any code key."""
        ...

    def open_under(self, code: str, subject: str, text: str) -> bytes:
        """Open a text sealed under this code for this subject; raises `SealBrokenError`."""
        ...
