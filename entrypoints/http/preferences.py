"""Reads `Prefer: handling=strict`, with which unknown members are refused (C-93, D-150)."""

from __future__ import annotations

from aiohttp import web
from multidict import istr

from ..wire.prefer_header import prefer_strict

PREFER = istr("Prefer")
PREFERENCE_APPLIED = "Preference-Applied"
HANDLING_STRICT = "handling=strict"
# What the answer to such a request says in `Preference-Applied`.
APPLIED = web.RequestKey("preference_applied", str)


def handled_strictly(request: web.Request) -> bool:
    """Return whether a request prefers strict handling; if so, its answer says that it was applied."""
    # Hardly any request has the header, and a look is all that the others pay for.
    if PREFER not in request.headers or not prefer_strict(request.headers.getall(PREFER)):
        return False
    request[APPLIED] = HANDLING_STRICT
    return True
