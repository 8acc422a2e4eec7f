"""What routes read from a request: its JSON body, its page and search, its Idempotency-Key."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from typing import Any, TypeVar

from aiohttp import web
from aiohttp.hdrs import CONTENT_TYPE
from attrs import AttrsInstance
from multidict import istr

from ...application.caller import Caller
from ...application.idempotency import Idempotency
from ...application.paging import DEFAULT_PAGE_SIZE, Paging
from ...domain.errors import FieldProblem, ValidationFailedError
from ..addresses.media import AddressOf, hosted_under
from ..messaging.short_domains import ShortDomains
from ..wire.known_members import unknown_members, unknown_problems
from ..wire.searches import read_members, read_query, whole_number
from ..wire.strict_json import parse_json
from ..wire.structuring import structure
from ..wired import Wired
from .answers import Answer
from .listener.bodies import MAX_BODY, arrived_body, read_body
from .listener.callers_port import listening_address
from .listener.large_bodies import LARGE, LARGE_BODIES
from .preferences import handled_strictly
from .replay import CLAIMED, saved
from .request_ids import settle_unread
from .route import ALL, PAGE, route_of
from .unknown_parameters import refuse_unknown_parameters, unknown_parameters

T = TypeVar("T")


IDEMPOTENCY_KEY = istr("Idempotency-Key")
NO_BODY = FieldProblem("body", "is required; send {} for defaults alone")
_JSON = "application/json"


async def json_read(
    request: web.Request,
    reading: type[T] | Callable[[Any], T],
    *,
    whole: bool = False,
    required: bool = False,
    trial: Callable[[Any], object] | None = None,
) -> tuple[Any, T]:
    """
    Read a JSON body and structure it with `reading`, a request type or a function of the body.

    No body at all reads as `{}` (C-64), unless one is `required`. The type is checked first, then the size,
    then the syntax. Raises `ValidationFailedError` for an unknown member or query parameter if the client
    prefers strict handling (C-93), and for an unknown member if the body is the `whole` of what it replaces,
    or if the route is for admins alone (D-547).
    The error also names the faults that `reading` finds, or those of `trial` if `reading` leaves faults to
    others.
    """
    if request.content.at_eof():
        raw = b""
    elif request.headers.get(CONTENT_TYPE) != _JSON and not _is_json(request):
        raise web.HTTPUnsupportedMediaType
    elif request.content.is_eof():
        raw = arrived_body(request)
    else:
        raw = await read_body(request)
    unknown: list[FieldProblem] | None = [] if whole or _is_for_admins(request) else None
    if handled_strictly(request):
        unknown = unknown_parameters(request)
    if required and not raw:
        raise ValidationFailedError([NO_BODY])
    try:
        if len(raw) <= LARGE:
            return _read(raw, reading, unknown, trial)
        return await request.app[LARGE_BODIES].do(partial(_read, raw, reading, unknown, trial))
    except ValidationFailedError:
        settle_unread(request, raw)
        raise


def _read(
    raw: bytes,
    reading: type[T] | Callable[[Any], T],
    unknown: list[FieldProblem] | None,
    trial: Callable[[Any], object] | None,
) -> tuple[Any, T]:
    """Parse and structure a body; unless `unknown` is None, refuse it and unknown members together."""
    body = parse_json(raw) if raw else {}
    if unknown is not None:
        reader = partial(structure, kind=reading) if isinstance(reading, type) else reading
        refuse(unknown_problems(body, trial or reader) + unknown)
    return body, structure(body, reading) if isinstance(reading, type) else reading(body)


def _is_json(request: web.Request) -> bool:
    charset = (request.charset or "utf-8").lower()
    return request.content_type == _JSON and charset in ("utf-8", "utf8", "us-ascii")


def _is_for_admins(request: web.Request) -> bool:
    """Return whether a request asks for what admins alone may do: open the store, or close it."""
    row = route_of(request)
    return row is not None and row.needs == ALL


async def body_as(request: web.Request, kind: type[T]) -> T:
    """Read a JSON body as one request type."""
    _, read = await json_read(request, kind)
    return read


async def whole_body_as(request: web.Request, kind: type[T]) -> T:
    """
    Read a JSON body that rebuilds or tells all unless it says less, as one request type.

    Raises `ValidationFailedError` for an unknown member, whoever asks: what it was meant for would be
    rebuilt or told (D-547).
    """
    _, read = await json_read(request, kind, whole=True)
    return read


async def refuse_body(request: web.Request) -> None:
    """Raise `ValidationFailedError` naming the members of a body whose route reads none (C-93)."""
    _, members = await json_read(request, dict)
    refuse(unknown_members(members))


async def idempotency_of(
    request: web.Request,
    by: Caller,
    service: Wired,
    route: str,
    body: Any,
    present: Callable[[Any], Answer],
) -> Idempotency | None:
    """Return the claim on the request's Idempotency-Key, if it has one; `route` names the operation."""
    keys = request.headers.getall(IDEMPOTENCY_KEY, [])
    if not keys:
        return None
    # Two of them are no key: what joins them is none of its characters.
    claim = partial(
        service.idempotency_keys.claim,
        by.account_id,
        route,
        ", ".join(keys),
        body,
        lambda result: saved(present(result), by.request_id),
        field=IDEMPOTENCY_KEY,
    )
    large = (request.content_length or MAX_BODY) > LARGE
    claimed = request[CLAIMED] = await request.app[LARGE_BODIES].do(claim) if large else claim()
    return claimed


def paging_of(request: web.Request) -> Paging:
    """
    Read `page` and `pageSize`; what cannot be read takes its default (C-17).

    Raises `ValidationFailedError` as `search_of` does for whoever prefers strict handling.
    """
    if handled_strictly(request):
        refuse_unknown_parameters(request)
    query = request.query
    return Paging.clamped(
        integer(query.get("page"), 1), integer(query.get("pageSize"), DEFAULT_PAGE_SIZE)
    )


def search_of(
    request: web.Request,
    search: type[AttrsInstance],
    read: Callable[[dict[str, Any]], T],
) -> T:
    """
    Read a search from the parameters that the route's row names; an empty one is none (D-114).

    `read` gets them by the names of the search's fields. Raises `ValidationFailedError` naming, for
    callers who prefer strict handling, parameters that the route does not read, too (C-93).
    """
    unknown = unknown_parameters(request) if handled_strictly(request) else []
    row = route_of(request)
    names = [each for each in row.query if each not in PAGE] if row else []
    given = {name: request.query[name] for name in names if request.query.get(name)}
    try:
        found = read_query(given, search, read)
    except ValidationFailedError as refusal:
        raise ValidationFailedError([*refusal.problems, *unknown]) from None
    refuse(unknown)
    return found


async def search_in_body(
    request: web.Request,
    search: type[AttrsInstance],
    read: Callable[[dict[str, Any]], T],
) -> tuple[T, Paging]:
    """
    Read a search and its page from the members that the route's row names (C-73).

    A number in a query would be in the logs of proxies. Raises `ValidationFailedError` for an unknown
    member, whoever asks: it would widen the search (D-334).
    """
    row = route_of(request)
    names = row.members if row else ()
    reading = partial(read_members, names=names, search=search, read=read)
    _, found = await json_read(request, reading, whole=True)
    return found


def refuse(problems: Collection[FieldProblem]) -> None:
    """Raise `ValidationFailedError` if there are problems."""
    if problems:
        raise ValidationFailedError(problems)


def domains_of(request: web.Request, service: Wired) -> ShortDomains:
    """Return the service's addresses as answers to this request may name them (C-1)."""
    return service.short_domains.served_at(listening_address(request))


def media_addresses(request: web.Request, service: Wired) -> AddressOf:
    """Return what makes the absolute address of a medium for the answer to this request (C-1)."""
    return hosted_under(domains_of(request, service).base_url)


def integer(text: str | None, default: int) -> int:
    """Read a whole number from a query; any other text takes the default."""
    read = whole_number(text or "")
    return read if isinstance(read, int) else default
