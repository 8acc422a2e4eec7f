"""The guard policy of an account (C-76)."""

from __future__ import annotations

from aiohttp import web

from ....application.caller import Caller
from ...wire.guard_policies import guard_policy_record, read_guard_policy
from ...wired import Wired
from ..operator_handlers import acting_for, record_answer
from ..requests import json_read
from ..route import ACT, READ, About, Route

_GUARD = "/admin/v1/guard"


async def guard_policy(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Show the guard policy of an account."""
    owner = await acting_for(service, by, request.query.get("account"))
    policy = await service.managing_guard.get(owner.account_id)
    return record_answer(by, guard_policy_record(policy))


async def put_guard_policy(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Replace the guard policy of an account."""
    # A client whose file is missing sends no body, which must not end an enforced guard (D-415).
    _, policy = await json_read(request, read_guard_policy, required=True)
    owner = await acting_for(service, by, request.query.get("account"))
    return record_answer(by, guard_policy_record(await service.managing_guard.put(owner, policy)))


GUARD_ROUTES = (
    Route("GET", _GUARD, guard_policy, READ, About.ACCOUNT, ("account",)),
    Route("PUT", _GUARD, put_guard_policy, ACT, About.ACCOUNT, ("account",)),
)
