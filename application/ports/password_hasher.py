"""The port for hashing people's passwords."""

from __future__ import annotations

from typing import Protocol


class PasswordHasher(Protocol):
    """
    Hashes passwords slowly, so that a stolen store reveals none (C-42).

    Implementations run outside the event loop, and limit the work: if too many calls wait, they raise
    `UnavailableError`. The clients share the limit fairly, so that no flood from one of them blocks the
    others (C-97). Implementations fail closed: a hash that they cannot read does not match.
    """

    async def hash(self, password: str) -> str:
        """Hash a password with a salt of its own."""
        ...

    async def matches(self, password: str, password_hash: str | None, client: str) -> bool:
        """
        Return whether `password` matches the hash; without a hash, return False after the same work.

        The work is counted for `client`.
        """
        ...
