"""The actor of a change, written into every event's envelope (C-38)."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

ADMIN = "admin"
WORKER = "worker"
EMBEDDED = "embedded"
PUBLIC = "public"


class Caller(Struct, frozen=True):
    """
    The account, the actor and the request of a call.

    The actor is the id of an API key, of an operator's token, of a legacy user or of a channel account,
    or one of `admin`, `worker`, `embedded` and `public`. `public` stands for people without an identity,
    who follow a short link or log in. `template_auto_match` is a setting of the key: whether missing DLT
    ids of an SMS are filled in (SPEC 5). `stored_bytes_per_day` is the account's limit if the account
    itself calls (C-94). `bound_to` is the account that an operator's token is bound to, which sees no
    other (C-84); `masked` is whether an auditor sees destinations masked.
    """

    account_id: str
    actor: str
    request_id: str
    template_auto_match: bool = False
    stored_bytes_per_day: int | None = None
    bound_to: str | None = None
    masked: bool = False

    def acting_for(self, account_id: str) -> Caller:
        """Return the caller acting for an account, with the scope of its token."""
        return replace(self, account_id=account_id)

    def sees(self, account_id: str | None) -> bool:
        """Return whether a record of an account, or of none, may be shown to the caller (C-84)."""
        return self.bound_to is None or self.bound_to == account_id


# The actor of due work that no account requested.
THE_WORKER = Caller("", WORKER, "")
