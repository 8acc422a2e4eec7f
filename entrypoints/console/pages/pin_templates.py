"""PIN templates: listed, shown, written and revised with a preview, enabled, disabled, archived."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any

from aiohttp import web

from ....application.caller import Caller
from ....application.pins.views import PinTemplateView
from ....domain.accounts.token_role import TokenRole
from ....domain.channel import PIN_CHANNELS
from ....domain.errors import ValidationFailedError
from ....domain.pin_template.policy import PinPolicy
from ...http.operator_handlers import acting_for
from ...http.requests import paging_of
from ...wire.codec import unstructure
from ...wire.searches import template_search
from ...wire.typed_requests import NewPinTemplate, PinTemplatePatch, revised_policy, with_policy
from ...wired import Wired
from ..forms import Form
from ..page import LONG_FORM, Page
from ..template_forms.fields import CHANNEL_NAMES, POLICY_FIELDS
from ..template_forms.pin_form import (
    ADD,
    body_of,
    entries_of,
    field_names,
    filled_form,
    label_of,
    languages_to_add,
    with_added_entry,
)
from ..template_forms.previewing import ChannelAccounts, pin_previews
from ..visit import Visit

_ALL = "/templates"
_NEW = "/templates/pin/new"
_ONE = "/templates/pin/{id}"
# Makes or revises a template, or returns the draft of it; raises `ValidationFailedError`.
Make = Callable[[Mapping[str, Any]], Awaitable[PinTemplateView]]


async def listed(visit: Visit) -> web.StreamResponse:
    """List the templates, with the API's filters."""
    query = visit.request.query
    found = await visit.service.pin_templates.list(
        visit.account_id, template_search(query), paging_of(visit.request)
    )
    return visit.show(
        "templates/pin_list.html",
        listed=found,
        templates=[visit.shown(each) for each in found.data],
        form=Form.of_query(visit.request),
        channel_names=CHANNEL_NAMES,
    )


async def show(visit: Visit) -> web.StreamResponse:
    """Show one template with the previews of its channels."""
    template = visit.shown(await visit.service.pin_templates.get(visit.by, _id(visit)))
    accounts = await ChannelAccounts.of_template(visit.service, visit.by, template)
    return visit.show(
        "templates/pin.html",
        template=template,
        accounts=accounts,
        previews=await pin_previews(
            visit.service, visit.by, template, accounts, accounts.account_id
        ),
        policy_fields=POLICY_FIELDS,
        channel_names=CHANNEL_NAMES,
    )


async def new(visit: Visit) -> web.StreamResponse:
    """Show the form of a new template, with the limits and the first channel that most have."""
    if _names_no_account(visit):
        return visit.show("templates/pin_account.html")
    by = await acting_for(visit.service, visit.by, visit.account)
    accounts = await ChannelAccounts.of_account(visit.service, by.account_id)
    usual = [each for each in PIN_CHANNELS if accounts.has(each)][:1]
    first = [{"channelType": str(each), "isDefault": True} for each in usual]
    empty = {"name": "", "channels": first, **unstructure(PinPolicy())}
    return await _form(visit, by.account_id, filled_form(empty), None)


async def create(visit: Visit) -> web.StreamResponse:
    """Create a template; a refused one stands in its form with what is wrong."""
    by = await acting_for(visit.service, visit.by, visit.account)
    return await _write(visit, by.account_id, partial(_created, visit.service, by), None)


async def draft(visit: Visit) -> web.StreamResponse:
    """Check a new template while it is written."""
    by = await acting_for(visit.service, visit.by, visit.account)
    return await _check(visit, by.account_id, partial(_drafted, visit.service, by), None)


async def edit(visit: Visit) -> web.StreamResponse:
    """Show the form of a template that there is."""
    template = visit.shown(await visit.service.pin_templates.get(visit.by, _id(visit)))
    account_id = await _account_of(visit, template)
    return await _form(visit, account_id, filled_form(template), template)


async def revise(visit: Visit) -> web.StreamResponse:
    """Revise a template; a refused one stands in its form with what is wrong."""
    template = visit.shown(await visit.service.pin_templates.get(visit.by, _id(visit)))
    make = partial(_revised, visit.service.pin_templates.revise, visit.by, _id(visit))
    return await _write(visit, await _account_of(visit, template), make, template)


async def draft_revision(visit: Visit) -> web.StreamResponse:
    """Check the revision of a template while it is written."""
    template = visit.shown(await visit.service.pin_templates.get(visit.by, _id(visit)))
    make = partial(_revised, visit.service.pin_templates.drafted_revision, visit.by, _id(visit))
    return await _check(visit, await _account_of(visit, template), make, template)


async def enable(visit: Visit) -> web.StreamResponse:
    """Allow sends under a template again."""
    await visit.service.pin_templates.enable(visit.by, _id(visit))
    return visit.redirect(f"/templates/pin/{_id(visit)}", done="enabled")


async def disable(visit: Visit) -> web.StreamResponse:
    """Stop sends under a template."""
    await visit.service.pin_templates.disable(visit.by, _id(visit))
    return visit.redirect(f"/templates/pin/{_id(visit)}", done="disabled")


async def archive(visit: Visit) -> web.StreamResponse:
    """Archive a template, which is final."""
    await visit.service.pin_templates.archive(visit.by, _id(visit))
    return visit.redirect(f"/templates/pin/{_id(visit)}", done="archived")


def _id(visit: Visit) -> str:
    return visit.request.match_info["id"]


def _names_no_account(visit: Visit) -> bool:
    """Return whether an account has to be chosen first, since there is none by default."""
    has_default = visit.by.bound_to is not None or visit.service.sandbox is not None
    return visit.account is None and not has_default


async def _account_of(visit: Visit, template: Mapping[str, Any]) -> str | None:
    accounts = await ChannelAccounts.of_template(visit.service, visit.by, template)
    return accounts.account_id


async def _created(service: Wired, by: Caller, body: Mapping[str, Any]) -> PinTemplateView:
    read, policy = with_policy(body, NewPinTemplate)
    return await service.pin_templates.create(
        by, name=read.name, policy=policy, channels=read.channels
    )


async def _drafted(service: Wired, by: Caller, body: Mapping[str, Any]) -> PinTemplateView:
    read, policy = with_policy(body, NewPinTemplate)
    return await service.pin_templates.drafted(
        by, name=read.name, policy=policy, channels=read.channels
    )


async def _revised(
    revise: Callable[..., Awaitable[PinTemplateView]],
    by: Caller,
    template_id: str,
    body: Mapping[str, Any],
) -> PinTemplateView:
    read, _ = with_policy(body, PinTemplatePatch)
    policy = revised_policy(body)
    return await revise(by, template_id, name=read.name, policy=policy, channels=read.channels)


async def _write(
    visit: Visit, account_id: str | None, make: Make, template: Mapping[str, Any] | None
) -> web.StreamResponse:
    body = body_of(visit.form)
    try:
        made = await make(body.members)
    except ValidationFailedError as refusal:
        wrong = visit.form.with_problems(body.placed(refusal))
        return await _form(visit, account_id, wrong, template, status=400)
    done = "created" if template is None else "changed"
    return visit.redirect(f"/templates/pin/{made.id}", done=done)


async def _check(
    visit: Visit, account_id: str | None, make: Make, template: Mapping[str, Any] | None
) -> web.StreamResponse:
    """Answer with the preview and the findings alone while somebody types, else with the whole page."""
    form, drafted = visit.form, None
    if form.checked(ADD):
        # Nothing is wrong yet in an entry that its author has not seen.
        return await _form(visit, account_id, with_added_entry(form), template)
    body = body_of(form)
    try:
        drafted = visit.shown(await make(body.members))
    except ValidationFailedError as refusal:
        form = form.with_problems(body.placed(refusal))
    if not visit.moves_a_part:
        return await _form(visit, account_id, form, template, drafted=drafted)
    facts = await _facts(visit, account_id, form, drafted)
    return visit.show("templates/pin_draft.html", live=True, **facts)


async def _form(
    visit: Visit,
    account_id: str | None,
    form: Form,
    template: Mapping[str, Any] | None,
    *,
    drafted: Mapping[str, Any] | None = None,
    status: int = 200,
) -> web.StreamResponse:
    path = _NEW if template is None else f"/templates/pin/{template['id']}/edit"
    draft_path = "/templates/pin/draft" if template is None else f"{path[:-5]}/draft"
    return visit.show(
        "templates/pin_form.html",
        status=status,
        template=template,
        path=path,
        draft_path=draft_path,
        live=False,
        policy_fields=POLICY_FIELDS,
        **await _facts(visit, account_id, form, drafted),
    )


async def _facts(
    visit: Visit, account_id: str | None, form: Form, drafted: Mapping[str, Any] | None
) -> dict[str, Any]:
    accounts = ChannelAccounts({})
    if account_id is not None:
        accounts = await ChannelAccounts.of_account(visit.service, account_id)
    seen = body_of(form).members if drafted is None else drafted
    return {
        "form": form,
        "entries": entries_of(form),
        "accounts": accounts,
        "previews": await pin_previews(visit.service, visit.by, seen, accounts, account_id),
        "findings": [] if drafted is None else _placed(form, drafted["findings"]),
        "names": field_names(form),
        "label_of": partial(label_of, form),
        "channel_names": CHANNEL_NAMES,
        "channel_choices": [(str(each), CHANNEL_NAMES[each]) for each in PIN_CHANNELS],
        "languages": languages_to_add(),
    }


def _placed(form: Form, findings: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the findings about a draft with the names that its form has for their fields."""
    body = body_of(form)
    return [{**each, "field": body.place(each["field"])} for each in findings]


PIN_TEMPLATE_PAGES = (
    Page("GET", _ALL, listed, TokenRole.AUDITOR),
    Page("GET", _NEW, new, TokenRole.OPERATOR),
    Page("POST", _NEW, create, TokenRole.OPERATOR, most=LONG_FORM),
    Page("POST", "/templates/pin/draft", draft, TokenRole.OPERATOR, most=LONG_FORM),
    Page("GET", _ONE, show, TokenRole.AUDITOR),
    Page("GET", f"{_ONE}/edit", edit, TokenRole.OPERATOR),
    Page("POST", f"{_ONE}/edit", revise, TokenRole.OPERATOR, most=LONG_FORM),
    Page("POST", f"{_ONE}/draft", draft_revision, TokenRole.OPERATOR, most=LONG_FORM),
    Page("POST", f"{_ONE}/enable", enable, TokenRole.OPERATOR),
    Page("POST", f"{_ONE}/disable", disable, TokenRole.OPERATOR),
    Page("POST", f"{_ONE}/archive", archive, TokenRole.OPERATOR),
)
