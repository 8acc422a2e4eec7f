"""
Handlers that the routes of operators share: they create, list or change records of accounts.

The tables in `routes/` say which role each route needs (`route.py`), and `gate.py` checks it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol, TypeVar

from aiohttp import web

from ...application.caller import Caller
from ...application.paging import Listed, Paging
from ...domain.errors import FieldProblem, ValidationFailedError
from ..demo.seeding import ACCOUNT as DEMO_ACCOUNT
from ..wire.codec import encode
from ..wire.masked_records import shown_to
from ..wired import Wired
from .answers import Answer, list_answer
from .requests import body_as, paging_of
from .route import PAGE

OperatorHandler = Callable[[Wired, web.Request, Caller], Awaitable[web.StreamResponse]]
Records = Callable[[str | None, Paging], Awaitable[Listed[Any]]]
Act = Callable[[Caller, str], Awaitable[Any]]


class NamesAccount(Protocol):
    """A body that may name the account that a record is for."""

    @property
    def account(self) -> str | None:
        """The account's id or name."""
        ...


B = TypeVar("B", bound=NamesAccount)
ACCOUNT_AND_PAGE = ("account", *PAGE)


async def acting_for(service: Wired, by: Caller, account: str | None) -> Caller:
    """
    Return the operator acting for an account, by its id or name.

    By default it is the account that the token is bound to, or else the sandbox's demo account (C-35).
    """
    if account is None and by.bound_to is not None:
        return by.acting_for(by.bound_to)
    if account is None:
        if service.sandbox is None:
            raise ValidationFailedError([FieldProblem("account", "is required")])
        account = DEMO_ACCOUNT
    return by.acting_for(await service.accounts.resolve(by, account))


async def account_filter(service: Wired, by: Caller, request: web.Request) -> str | None:
    """Return the id of the account that a list is narrowed to, if one is named (D-114)."""
    return await account_searched(service, by, request.query.get("account") or None)


async def account_searched(
    service: Wired, by: Caller, account: str | None, *personal: str | None
) -> str | None:
    """
    Return the id of the account that a search names; by default, that of a token that is bound to one.

    A sandbox's is its own one, if the search is by something `personal`. The store knows destinations
    and references by account alone (C-100).
    """
    if account is None:
        by_default = service.sandbox is not None and any(personal)
        account = by.bound_to or (DEMO_ACCOUNT if by_default else None)
    return None if account is None else await service.accounts.resolve(by, account)


def creating(
    kind: type[B], create: Callable[[Wired, Caller, B], Awaitable[Any]]
) -> OperatorHandler:
    """Return the handler that creates a record for the account that its body, a `kind`, names."""

    async def created(service: Wired, request: web.Request, by: Caller) -> web.Response:
        body = await body_as(request, kind)
        record = await create(service, await acting_for(service, by, body.account), body)
        return record_answer(by, record, 201)

    return created


def listing(records: Callable[[Wired], Records]) -> OperatorHandler:
    """Return the handler of a list of records: of all accounts, or of the one that the query names."""

    async def listed(service: Wired, request: web.Request, by: Caller) -> web.Response:
        account_id = await account_filter(service, by, request)
        page = await records(service)(account_id, paging_of(request))
        return records_answer(by, page)

    return listed


def acting(act: Callable[[Wired], Act], name: str = "id") -> OperatorHandler:
    """Return the handler that does one thing to the record named in the path, and shows it."""

    async def acted(service: Wired, request: web.Request, by: Caller) -> web.Response:
        return record_answer(by, await act(service)(by, request.match_info[name]))

    return acted


def record_answer(by: Caller, record: Any, status: int = 200) -> web.Response:
    """Answer with one record."""
    return Answer(status, encode(shown_to(by, record))).response(by.request_id)


def records_answer(
    by: Caller, listed: Listed[Any], data: Sequence[Any] | None = None, **more: Any
) -> web.Response:
    """Answer with a page: its records, or the `data` that shows them."""
    shown = [shown_to(by, each) for each in (listed.data if data is None else data)]
    return list_answer(listed, shown, **more).response(by.request_id)
