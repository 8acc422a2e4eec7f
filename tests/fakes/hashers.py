"""Hashers of codes and passwords that tests control."""

from __future__ import annotations

from watchword.application.ports.code_hasher import CodeHasher


class FailingHasher:
    """Hashes as the inner hasher does; while `failing`, its errors contain what it was `given`."""

    def __init__(self, inside: CodeHasher, *, failing: bool = False) -> None:
        self._inside = inside
        self.failing = failing
        self.given: list[str] = []

    async def hash(self, pin_id: str, issue: int, code: str) -> str:
        """Hash a code, or fail."""
        self._take(code)
        return await self._inside.hash(pin_id, issue, code)

    async def matches(self, pin_id: str, issue: int, code: str, code_hash: str) -> bool:
        """Compare a code, or fail."""
        self._take(code)
        return await self._inside.matches(pin_id, issue, code, code_hash)

    def _take(self, code: str) -> None:
        self.given.append(code)
        if self.failing:
            raise LookupError(f"no hash of {code}")


class FakePasswordHasher:
    """Makes readable hashes at once; `asked` are the compared passwords."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def hash(self, password: str) -> str:
        """Hash a password."""
        return f"hash of {password}"

    async def matches(self, password: str, password_hash: str | None, client: str) -> bool:
        """Compare a password."""
        self.asked.append(password)
        return f"hash of {password}" == password_hash
