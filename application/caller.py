"""Who acts: written into every event's envelope (C-38)."""

from __future__ import annotations

from attrs import frozen

ADMIN = "admin"
WORKER = "worker"
EMBEDDED = "embedded"
PUBLIC = "public"


@frozen
class Caller:
    """
    The account acted for, the actor and the request.

    The actor is an API key's id, `admin`, `worker`, `embedded`, a channel account's id, or
    `public`: nobody knows who follows a short link.
    """

    account_id: str
    actor: str
    request_id: str
