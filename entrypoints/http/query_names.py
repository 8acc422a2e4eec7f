"""What a route takes: query parameters, of which a misspelt one would widen a search, and a body or none."""

from __future__ import annotations

from collections.abc import Callable, Collection
from itertools import islice
from typing import Any, TypeVar

from aiohttp import web

from ...domain.errors import MOST_PROBLEMS, FieldProblem, FormProblem, ValidationFailedError
from ..known_members import MOST_OF_A_NAME

H = TypeVar("H", bound=Callable[..., Any])

PAGE = ("page", "pageSize")
_NAMES = "query_names"
_SEVERAL = "several_values"
_BODILESS = "bodiless"


def takes(*names: str, several: Collection[str] = ()) -> Callable[[H], H]:
    """
    Say which query parameters a handler reads; one of which nothing is said reads none.

    Of those in `several` it reads every one that comes; any other may come once.
    """

    def declared(handler: H) -> H:
        setattr(handler, _NAMES, names)
        setattr(handler, _SEVERAL, several)
        return handler

    return declared


def bodiless(handler: H) -> H:
    """Say that a handler reads no body, so that members of one are unknown."""
    setattr(handler, _BODILESS, True)
    return handler


def is_bodiless(handler: Callable[..., Any]) -> bool:
    """Say whether a handler was said to read no body."""
    return getattr(handler, _BODILESS, False)


def like(handler: Callable[..., Any], around: H) -> H:
    """Say that a handler around another one reads what that reads."""
    return takes(*getattr(handler, _NAMES, ()), several=getattr(handler, _SEVERAL, ()))(around)


def refuse_unknown_parameters(request: web.Request) -> None:
    """Raise `ValidationFailedError` naming all query parameters that the route would not read (D-149)."""
    if problems := unknown_parameters(request):
        raise ValidationFailedError(problems)


def unknown_parameters(request: web.Request) -> list[FieldProblem]:
    """Name all query parameters that the route of a request does not read, and those that come twice."""
    # Most requests have none at all, and a parsed query costs more than a look.
    if "?" not in request.raw_path:
        return []
    handler = request.match_info.handler
    known = getattr(handler, _NAMES, ())
    several = getattr(handler, _SEVERAL, ())
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
