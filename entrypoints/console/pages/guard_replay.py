"""A policy, replayed over the recorded sends of an account: what it would have refused (C-78, D-519)."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import aclosing, suppress
from datetime import datetime
from typing import Any

from aiohttp import web
from attrs import frozen

from ....application.caller import Caller
from ....application.guard.replay_figures import ReplayReport
from ....domain.accounts.token_role import TokenRole
from ....domain.errors import ValidationFailedError
from ....domain.guard import GuardPolicy
from ...wire.guard_policies import guard_policy_record
from ...wire.guard_replays import ReplayBody, read_replay
from ..forms import Form
from ..guard.policy_forms import LISTS, body_of, enforced, fields_of, filled, refused
from ..guard.replays import ReplayView, replay_body, usual_beginning
from ..guard.rule_cards import MODES, RULE_CARDS
from ..page import Page
from ..streaming import event_stream
from ..visit import Visit
from .guard import choose, fields_in, guarded

_TIMES = ("from", "to")


@frozen
class _Asked:
    """The replay that a request asks for, with the fields of its policy and its times."""

    body: ReplayBody
    fields: Mapping[str, str]


async def replay(visit: Visit) -> web.Response:
    """
    Replay the policy that the address names; without one, show the form with the policy that holds.

    The address has the whole policy, so a replay can be shared. Nothing is written. A script gets what
    tells it how far the replay is.
    """
    owner = await guarded(visit)
    if owner is None:
        return choose(visit)
    if "from" not in visit.request.query:
        return await _ask(visit, owner)
    try:
        asked = _asked(visit)
    except ValidationFailedError as refusal:
        if visit.moves_a_part:
            # The page itself says what is wrong, beside each field.
            return web.Response(headers={"HX-Redirect": visit.here()})
        return _show(visit, refused(Form.of_query(visit.request), refusal))
    if visit.moves_a_part:
        return visit.show("guard/replaying.html", asked=asked.fields)
    report = await visit.service.replaying_policies.report(*_wanted(visit, owner, asked))
    return _show(visit, filled(asked.fields), ReplayView.of(report))


async def live(visit: Visit) -> web.StreamResponse:
    """Stream how far a replay is, and its result, as server-sent events."""
    owner = await guarded(visit)
    if owner is None:
        return choose(visit)
    asked = _asked(visit)
    response = await event_stream(visit)
    # Whoever leaves the page ends the replay.
    with suppress(ConnectionResetError):
        replaying = visit.service.replaying_policies.replay(*_wanted(visit, owner, asked))
        async with aclosing(replaying) as steps:
            shown = -1
            async for each in steps:
                if isinstance(each, ReplayReport):
                    facts = _facts(asked.fields, ReplayView.of(each))
                    result = visit.rendered("guard/replay_result.html", **facts)
                    await response.write(_event("result", result))
                elif (percent := int(100 * each)) > shown:
                    shown = percent
                    progress = visit.rendered("guard/replay_progress.html", percent=percent)
                    await response.write(_event("progress", progress))
        await response.write(_event("end", ""))
    return response


def _event(name: str, html: str) -> bytes:
    lines = "".join(f"data: {line}\n" for line in html.splitlines() or ("",))
    return f"event: {name}\n{lines}\n".encode()


def _wanted(
    visit: Visit, owner: Caller, asked: _Asked
) -> tuple[str, GuardPolicy, datetime, datetime]:
    body = asked.body
    until = body.until or visit.service.clock.now()
    return owner.account_id, body.policy.policy, body.since, until


def _asked(visit: Visit) -> _Asked:
    """Read what is asked for; a rule that the address leaves out has its default."""
    form = Form.of_query(visit.request)
    times = {name: form.get(name) for name in _TIMES}
    body = read_replay(replay_body(body_of(fields_in(form)), times))
    policy = guard_policy_record(body.policy.policy)
    return _Asked(body, {**fields_of(policy), **times})


async def _ask(visit: Visit, owner: Caller) -> web.Response:
    present = guard_policy_record(await visit.service.managing_guard.get(owner.account_id))
    fields = {**fields_of(present), "from": usual_beginning(visit.service.clock.now()), "to": ""}
    return _show(visit, filled(fields))


def _show(visit: Visit, form: Form, found: ReplayView | None = None) -> web.Response:
    known = {*fields_of({}), *_TIMES}
    fields = {name: text for name, text in fields_in(form).items() if name in known}
    strict = enforced(fields)
    return visit.show(
        "guard/replay.html",
        status=400 if form.problems else 200,
        form=form,
        cards=RULE_CARDS,
        modes=list(MODES.items()),
        lists=list(LISTS.items()),
        as_enforced=visit.href("/guard/replay", **strict) if strict != fields else "",
        **_facts(fields, found),
    )


def _facts(fields: Mapping[str, str], found: ReplayView | None) -> dict[str, Any]:
    policy = {name: text for name, text in fields.items() if name not in _TIMES}
    return {"fields": policy, "found": found}


GUARD_REPLAY_PAGES = (
    Page("GET", "/guard/replay", replay, TokenRole.AUDITOR),
    Page("GET", "/guard/replay/live", live, TokenRole.AUDITOR),
)
