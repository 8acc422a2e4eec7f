"""Who acts: written into every event's envelope (C-38)."""

from __future__ import annotations

from attrs import frozen

ADMIN = "admin"
WORKER = "worker"
EMBEDDED = "embedded"


@frozen
class Caller:
    """
    The account acted for, the actor and the request.

    The actor is an API key's id, `admin`, `worker`, `embedded` or a channel account's id.
    """

    account_id: str
    actor: str
    request_id: str
