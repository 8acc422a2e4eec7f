"""Who acts: written into every event's envelope (C-38)."""

from __future__ import annotations

from msgspec import Struct

ADMIN = "admin"
WORKER = "worker"
EMBEDDED = "embedded"
PUBLIC = "public"


class Caller(Struct, frozen=True):
    """
    The account acted for, the actor and the request.

    The actor is an API key's id, a legacy user's, `admin`, `worker`, `embedded`, a channel account's
    id, or `public`: nobody knows who follows a short link, or logs in. `template_auto_match` is a
    setting of the key: whether the DLT ids that an SMS lacks are filled in (SPEC 5).
    `stored_bytes_per_day` is the account's limit where it calls for itself (C-94).
    """

    account_id: str
    actor: str
    request_id: str
    template_auto_match: bool = False
    stored_bytes_per_day: int | None = None


# Who does due work that no account has asked for.
THE_WORKER = Caller("", WORKER, "")
