"""An authenticated operator: what the token allows, on whose records, and until when (C-84)."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from ...domain.accounts.api_key import ForbiddenError
from ...domain.accounts.token_role import TokenRole
from ..caller import Caller

_REACH = {
    TokenRole.AUDITOR: "reads",
    TokenRole.OPERATOR: "leaves access and people to admins",
    TokenRole.ADMIN: "does all",
}


class Operator(Struct, frozen=True):
    """
    A person or a program with an operator's token.

    Its `caller` is what use cases get: with the token as the actor, the account that the token is bound
    to, and whether it sees numbers masked. The environment's token is the root: it has no `token_id`.
    """

    caller: Caller
    role: TokenRole
    name: str
    token_id: str | None = None
    expires_at: datetime | None = None

    def may(self, needed: TokenRole, *, whole_store: bool) -> bool:
        """Return whether the token opens what needs a role, and what is about the whole store."""
        return self.role.allows(needed) and not (whole_store and self.caller.bound_to is not None)

    def require(self, needed: TokenRole, *, whole_store: bool) -> None:
        """Raise `ForbiddenError` where `may` returns False."""
        if not self.role.allows(needed):
            raise ForbiddenError(
                f"This token has the role {self.role}, which {_REACH[self.role]}."
                f" Use one with the role {needed}."
            )
        if not self.may(needed, whole_store=whole_store):
            raise ForbiddenError(
                "This token is bound to an account, and this is about the whole store."
                " Use a token without an account."
            )
