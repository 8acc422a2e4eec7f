"""The port for hashing codes."""

from __future__ import annotations

from typing import Protocol


class CodeKeyMissingError(Exception):
    """
    A hash was made with a key version that is not on this node's ring.

    This node cannot tell whether a code matches. During a rotation, another node may.
    """


class CodeHasher(Protocol):
    """
    Hashes codes with a key that is kept outside the store (C-31).

    Implementations compare in constant time, run slow work outside the event loop, and fail closed: a
    hash that they cannot read does not match. A hash is `<key version>$<the rest>`.
    """

    async def hash(self, pin_id: str, issue: int, code: str) -> str:
        """Hash a code, bound to its PIN and issue number, with the newest key version."""
        ...

    async def matches(self, pin_id: str, issue: int, code: str, code_hash: str) -> bool:
        """Return whether `code` matches `code_hash`; raises `CodeKeyMissingError`."""
        ...
