"""What callers prefer: `Prefer: handling=strict`, to be told of what is unknown (C-93, D-150)."""

from __future__ import annotations

from aiohttp import web
from multidict import istr

from ..wire.prefer_header import prefer_strict

PREFER = istr("Prefer")
PREFERENCE_APPLIED = "Preference-Applied"
HANDLING_STRICT = "handling=strict"
# What was said of a request that was handled so.
APPLIED = web.RequestKey("preference_applied", str)


def handled_strictly(request: web.Request) -> bool:
    """Say whether a request is to be, and note that its answer says so."""
    # Hardly any request has the header, and a look is all that the others pay for.
    if PREFER not in request.headers or not prefer_strict(request.headers.getall(PREFER)):
        return False
    request[APPLIED] = HANDLING_STRICT
    return True
