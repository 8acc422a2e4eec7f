"""A policy, replayed over the recorded sends of an account: what it would have refused (C-78)."""

from __future__ import annotations

from aiohttp import web

from ....application.caller import Caller
from ....domain.accounts.token_role import TokenRole
from ....domain.errors import ValidationFailedError
from ...wire.guard_policies import guard_policy_record
from ...wire.guard_replays import read_replay
from ..forms import Form
from ..guard.policy_forms import LISTS, body_of, enforced, fields_of, filled, refused
from ..guard.replays import ReplayView, replay_body, usual_beginning
from ..guard.rule_cards import MODES, RULE_CARDS
from ..page import Page
from ..visit import Visit
from .guard import choose, fields_in, guarded

_TIMES = ("from", "to")


async def replay(visit: Visit) -> web.Response:
    """
    Replay the policy that the address names; without one, show the form with the policy that holds.

    The address has the whole policy, so a replay can be shared. Nothing is written.
    """
    owner = await guarded(visit)
    if owner is None:
        return choose(visit)
    query = visit.request.query
    if "from" not in query:
        return await _ask(visit, owner)
    form = Form({name: query.getall(name) for name in query})
    fields = fields_in(form)
    times = {name: form.get(name) for name in _TIMES}
    try:
        asked = read_replay(replay_body(body_of(fields), times))
    except ValidationFailedError as refusal:
        return _show(visit, refused(form, refusal))
    report = await visit.service.replaying_policies.report(
        owner.account_id,
        asked.policy.policy,
        asked.since,
        asked.until or visit.service.clock.now(),
    )
    return _show(visit, form, ReplayView.of(report))


async def _ask(visit: Visit, owner: Caller) -> web.Response:
    present = guard_policy_record(await visit.service.managing_guard.get(owner.account_id))
    fields = {**fields_of(present), "from": usual_beginning(visit.service.clock.now()), "to": ""}
    return _show(visit, filled(fields))


def _show(visit: Visit, form: Form, found: ReplayView | None = None) -> web.Response:
    fields = fields_in(form)
    own = {name: text for name, text in fields.items() if name in fields_of({}) or name in _TIMES}
    strict = enforced(own)
    return visit.show(
        "guard/replay.html",
        status=400 if form.problems else 200,
        form=form,
        cards=RULE_CARDS,
        modes=list(MODES.items()),
        lists=list(LISTS.items()),
        found=found,
        fields={name: text for name, text in own.items() if name not in _TIMES},
        as_enforced=visit.href("/guard/replay", **strict) if strict != own else "",
    )


GUARD_REPLAY_PAGES = (Page("GET", "/guard/replay", replay, TokenRole.AUDITOR),)
