"""What the routes of operators share: for which account they act, and how a record is shown."""

from __future__ import annotations

from typing import Any

from aiohttp import web

from ...application.caller import Caller
from ...domain.errors import FieldProblem, ValidationFailedError
from .. import sandbox as sandbox_mode
from ..wiring import Wired
from .answers import Answer
from .codec import encode, unstructure


async def acting_for(service: Wired, by: Caller, account: str | None) -> Caller:
    """Give the operator acting for an account; the sandbox's demo account by default (C-35)."""
    if account is None:
        if service.sandbox is None:
            raise ValidationFailedError([FieldProblem("account", "is required")])
        account = sandbox_mode.ACCOUNT
    return Caller(await service.accounts.resolve(account), by.actor, by.request_id)


async def account_filter(service: Wired, request: web.Request) -> str | None:
    """Give the id of the account that a list is narrowed to, if there is one."""
    account = request.query.get("account")
    return None if account is None else await service.accounts.resolve(account)


def record_answer(by: Caller, record: Any, status: int) -> web.Response:
    """Give one record."""
    shown = record if isinstance(record, dict) else unstructure(record)
    return Answer(status, encode(shown)).response(by.request_id)
