"""Query parameters that a route does not read: a misspelt one would widen a search (D-149)."""

from __future__ import annotations

from itertools import islice

from aiohttp import web

from ...domain.errors import MOST_PROBLEMS, FieldProblem, FormProblem, ValidationFailedError
from ..wire.known_members import MOST_OF_A_NAME
from .route import route_of


def refuse_unknown_parameters(request: web.Request) -> None:
    """Raise `ValidationFailedError` naming all query parameters that the route does not read (D-149)."""
    if problems := unknown_parameters(request):
        raise ValidationFailedError(problems)


def unknown_parameters(request: web.Request) -> list[FieldProblem]:
    """Return a problem for each query parameter that the route does not read, or that comes twice."""
    # Most requests have none at all, and a parsed query costs more than a look.
    if "?" not in request.raw_path:
        return []
    route = route_of(request)
    known, several = (route.query, route.several) if route else ((), ())
    there_are = f"there are {', '.join(known)}" if known else "there are none"
    # Each once, however often it came, and in its own spelling.
    unknown = (name for name in dict.fromkeys(request.query) if name not in known)
    repeated = (
        name for name in known if name not in several and len(request.query.getall(name, ())) > 1
    )
    return [
        *(
            FormProblem(name[:MOST_OF_A_NAME], f"is no query parameter of this route; {there_are}")
            for name in islice(unknown, MOST_PROBLEMS)
        ),
        *(
            FormProblem(name, "may come once; its other values would be ignored")
            for name in repeated
        ),
    ]
