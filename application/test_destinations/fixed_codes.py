"""
The fixed codes of test destinations: sealed under the destination's id, and in no event or row (D-401).

They are stored like the secrets of callback endpoints: wrapped by the code key, in a table of their own.
"""

from __future__ import annotations

from ...domain.pin.code import normalized
from ...domain.pin_template.policy import PinPolicy
from ..errors import UnavailableError
from ..journal import Journal
from ..ports.randomness import Randomness
from ..ports.sealer import SealBrokenError, Sealer, SealKey, SealKeyMissingError


class FixedCodes:
    """Seals fixed codes, and opens them for new PINs."""

    def __init__(self, journal: Journal, sealer: Sealer, randomness: Randomness) -> None:
        self._journal = journal
        self._sealer = sealer
        self._randomness = randomness

    def seal(self, test_id: str, code: str) -> SealKey:
        """Seal the code of a test destination; it replaces the code that was sealed before."""
        return self._sealer.wrap(test_id, normalized(code).encode())

    async def code_for(self, test_id: str | None, policy: PinPolicy) -> str:
        """
        Return a code for a PIN: the fixed one of a test destination if the policy allows it, else a new one.

        `test_id` is None for an ordinary destination. Raises `UnavailableError` if this node cannot open the
        fixed code.
        """
        fixed = None if test_id is None else await self._opened(test_id)
        if fixed is not None and fits(fixed, policy):
            return fixed
        return self._randomness.new_code(policy.pin_type.alphabet, policy.pin_length)

    async def _opened(self, test_id: str) -> str | None:
        kept = await self._journal.seal_key(test_id)
        if kept is None:
            # Removed since the guard was read, which the append finds out.
            return None
        try:
            return self._sealer.unwrap(kept).decode()
        except (SealBrokenError, SealKeyMissingError):
            raise UnavailableError from None


def fits(code: str, policy: PinPolicy) -> bool:
    """Return whether a code has the length and the characters of those that a policy makes."""
    plain = normalized(code)
    return len(plain) == policy.pin_length and set(plain) <= {*policy.pin_type.alphabet}
