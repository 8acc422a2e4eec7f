"""The guard's policy: a form for each rule, which replaces the whole policy (C-76, D-518)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aiohttp import web
from attrs import frozen

from ....application.caller import Caller
from ....domain.accounts.token_role import TokenRole
from ....domain.errors import NotFoundError, ValidationFailedError
from ...http.operator_handlers import acting_for
from ...wire.guard_policies import guard_policy_record, read_guard_policy
from ..forms import Form
from ..guard.policy_forms import LISTS, body_of, fields_of, filled, refused, with_rule, without_rule
from ..guard.rule_cards import CARDS_BY_PATH, MODES, RULE_CARDS, RuleCard
from ..page import Page
from ..visit import Visit


@frozen
class ShownRule:
    """A rule under the policy that holds, and its form; a form with problems is open."""

    card: RuleCard
    told: str
    mode: str
    is_default: bool
    form: Form


async def guarded(visit: Visit) -> Caller | None:
    """
    Return the caller, acting for the account that a page of the guard is about.

    Every account has a policy of its own. None if there are several accounts and none is chosen.
    """
    alone = None if visit.account else await visit.only_account()
    account = visit.account if alone is None else alone.id
    if account is None and visit.service.sandbox is None:
        return None
    return await acting_for(visit.service, visit.by, account)


async def policy(visit: Visit) -> web.Response:
    """Show the policy of an account."""
    owner = await guarded(visit)
    if owner is None:
        return choose(visit)
    return await _show(visit, owner)


async def change_rule(visit: Visit) -> web.Response:
    """Change one rule, or set it back to its default; the others stay as they are."""
    card = CARDS_BY_PATH.get(visit.request.match_info["rule"])
    if card is None:
        raise NotFoundError("The guard has no such rule. Choose one on its page.")
    owner = await guarded(visit)
    if owner is None:
        return choose(visit)
    form, present = visit.form, await _record(visit, owner)
    body = (
        without_rule(present, card)
        if form.checked("reset")
        else with_rule(present, card, fields_in(form))
    )
    try:
        wanted = read_guard_policy(body)
        await visit.service.managing_guard.put(owner, wanted)
    except ValidationFailedError as refusal:
        return await _show(visit, owner, {card.path: refused(form, refusal)})
    return visit.redirect("/guard", done="changed")


async def put_policy(visit: Visit) -> web.Response:
    """Replace the whole policy by one that was replayed."""
    owner = await guarded(visit)
    if owner is None:
        return choose(visit)
    wanted = read_guard_policy(body_of(fields_in(visit.form)))
    await visit.service.managing_guard.put(owner, wanted)
    return visit.redirect("/guard", done="changed")


def choose(visit: Visit) -> web.Response:
    """Ask for the account, because each has a policy of its own."""
    return visit.show("guard/choose.html", path=visit.path)


def fields_in(form: Form) -> dict[str, str]:
    """Return the fields of a form about a policy."""
    return {name: form.get(name) for name in form.names()}


async def _show(
    visit: Visit, owner: Caller, wrong: Mapping[str, Form] | None = None
) -> web.Response:
    present = await _record(visit, owner)
    wrong = wrong or {}
    return visit.show(
        "guard/policy.html",
        status=400 if wrong else 200,
        rules=[
            ShownRule(
                card,
                card.told(present),
                card.mode(present),
                card.is_default(present),
                wrong.get(card.path) or filled(fields_of(present, [card])),
            )
            for card in RULE_CARDS
        ],
        modes=list(MODES.items()),
        lists=list(LISTS.items()),
        owner_name=(await visit.names_of([owner.account_id])).get(owner.account_id, ""),
    )


async def _record(visit: Visit, owner: Caller) -> dict[str, Any]:
    return guard_policy_record(await visit.service.managing_guard.get(owner.account_id))


GUARD_PAGES = (
    Page("GET", "/guard", policy, TokenRole.AUDITOR),
    Page("POST", "/guard/rules/{rule}", change_rule, TokenRole.OPERATOR),
    Page("POST", "/guard/policy", put_policy, TokenRole.OPERATOR),
)
