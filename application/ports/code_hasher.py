"""The port for hashing codes."""

from __future__ import annotations

from typing import Protocol


class CodeKeyMissingError(Exception):
    """
    A hash was made with a version of the key that is not on this node's ring.

    Whether a code matches it is not known here, and on a node of a rotation that went ahead it may.
    """


class CodeHasher(Protocol):
    """
    Hashes codes under a key that is kept outside the store (C-31).

    Implementations compare in constant time, keep off the event loop what takes long, and fail
    closed: a hash that they cannot read does not match. A hash is `<key version>$<the rest>`.
    """

    async def hash(self, pin_id: str, issue: int, code: str) -> str:
        """Hash a code, bound to its PIN and issue number, with the newest key version."""
        ...

    async def matches(self, pin_id: str, issue: int, code: str, code_hash: str) -> bool:
        """Whether `code` is the one behind `code_hash`; raises `CodeKeyMissingError`."""
        ...
