"""The roles of operators' tokens (C-84)."""

from __future__ import annotations

from enum import StrEnum


class TokenRole(StrEnum):
    """The role of a token. Each role also allows everything that the roles before it allow."""

    # Look at anything.
    AUDITOR = "auditor"
    # Run what there is: templates, links, media, channel accounts, callbacks, the guard, tests.
    OPERATOR = "operator"
    # Give access and limit it: accounts, keys, tokens, legacy users, people, test destinations.
    ADMIN = "admin"

    def allows(self, needed: TokenRole) -> bool:
        """Return whether a token of this role may do what needs that role."""
        order = list(TokenRole)
        return order.index(self) >= order.index(needed)
