"""The keys under which budgets count prefixes and IPs: HMACs, so that no name contains a number."""

from __future__ import annotations

from functools import lru_cache

from ...domain.guard import prefix_of
from ..ports.person_keys import PersonKeys

# An attack stays in few prefixes, and an account sends to few.
MOST_REMEMBERED = 4_096


class BudgetKeys:
    """
    Makes the keys of an account's prefixes, the latest of which it remembers, and of its users' IPs.

    Those of an IP and of a user agent are all that is kept of them (D-391).
    """

    def __init__(self, keys: PersonKeys) -> None:
        self._keys = keys
        self._of_prefix = lru_cache(maxsize=MOST_REMEMBERED)(self._hashed_prefix)

    def prefix(self, account_id: str, canonical: str) -> str | None:
        """Return the key of a canonical number's prefix; None for an e-mail address."""
        return self._of_prefix(account_id, prefix_of(canonical)) if canonical.isdecimal() else None

    def listed_prefix(self, account_id: str, digits: str) -> str:
        """Return the key of a prefix, given as its digits."""
        return self._of_prefix(account_id, digits)

    def ip(self, account_id: str, ip: str) -> str:
        """Return the key of an IP in the form that its text has when it is written anew."""
        return self._keys.hashed("guard.ip", account_id, ip)

    def user_agent(self, account_id: str, text: str) -> str:
        """Return the HMAC of a user agent, which counts in no budget."""
        return self._keys.hashed("guard.user-agent", account_id, text)

    def _hashed_prefix(self, account_id: str, prefix: str) -> str:
        return self._keys.hashed("guard.prefix", account_id, prefix)
