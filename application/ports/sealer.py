"""The port for sealing: contents that carry a code, encrypted until nobody needs them (C-23)."""

from __future__ import annotations

from typing import Protocol

from attrs import field, frozen


@frozen
class SealKey:
    """
    The key of one run's seals, or an endpoint's secret, wrapped by a version of the code key.

    It stands in no event: an append keeps it under its name (the id of the run or the endpoint) and
    another drops it, after which nothing in the store opens what it sealed.
    """

    name: str
    version: int
    wrapped: bytes = field(repr=False)


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
    """The version of the code key that a seal needs is not on this node's ring; another may have it."""


class Sealer(Protocol):
    """Encrypts, and authenticates with it what the text is for; fails closed."""

    @property
    def newest(self) -> int:
        """The version of the code key that wraps new keys."""
        ...

    def new_key(self, name: str) -> SealKey:
        """Make a key that nothing was sealed with yet."""
        ...

    def wrap(self, name: str, secret: bytes) -> SealKey:
        """Keep a secret of somebody else's making under a name."""
        ...

    def unwrap(self, key: SealKey) -> bytes:
        """Return what was wrapped; raises `SealBrokenError` or `SealKeyMissingError`."""
        ...

    def seal(self, key: SealKey, subject: str, plain: bytes) -> str:
        """Seal for a subject (a run's id and step), to be opened for no other."""
        ...

    def open(self, key: SealKey, subject: str, text: str) -> bytes:
        """Open what was sealed for this subject; raises `SealBrokenError` or `SealKeyMissingError`."""
        ...

    def seal_under(self, code: str, subject: str, plain: bytes) -> str:
        """Seal for a subject so that only the code opens it, on any node and with any code key."""
        ...

    def open_under(self, code: str, subject: str, text: str) -> bytes:
        """Open what was sealed under this code for this subject; raises `SealBrokenError`."""
        ...
