"""The port for hashing passwords of people."""

from __future__ import annotations

from typing import Protocol


class PasswordHasher(Protocol):
    """
    Hashes passwords slowly, so that a stolen store reveals none (C-42).

    Implementations keep the work off the event loop and bounded: where too many wait already they
    raise `UnavailableError`. Clients share what is bounded, so that no flood of one takes it from
    another (C-97). They fail closed: a hash that they cannot read does not match.
    """

    async def hash(self, password: str) -> str:
        """Hash a password with a salt of its own."""
        ...

    async def matches(self, password: str, password_hash: str | None, client: str) -> bool:
        """
        Whether `password` is behind the hash; without one, False after the same work.

        `client` is for whom the work is done.
        """
        ...
