"""A service as one endpoint offers it: with the environment's token of that endpoint as the root (D-482)."""

from __future__ import annotations

from attrs import evolve

from .wired import Wired


def rooted(service: Wired, admin_token: str | None) -> Wired:
    """Return a service whose operators may also hold this token, which is nowhere stored."""
    return evolve(
        service,
        operators=service.operators.rooted(admin_token),
        console_sessions=service.console_sessions.rooted(admin_token),
    )
