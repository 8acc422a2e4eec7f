"""The port for hashing passwords of people."""

from __future__ import annotations

from typing import Protocol


class PasswordHasher(Protocol):
    """
    Hashes passwords slowly, so that a stolen store tells none (C-42).

    Implementations keep the work off the event loop and bounded: where too many wait already they
    raise `UnavailableError`. They fail closed: a hash that they cannot read does not match.
    """

    async def hash(self, password: str) -> str:
        """Hash a password with a salt of its own."""
        ...

    async def matches(self, password: str, password_hash: str | None) -> bool:
        """Whether `password` is behind the hash; without one, False after the same work."""
        ...
