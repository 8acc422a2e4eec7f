"""Channel accounts: their list, each with its settings and health, and the forms for them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any

from aiohttp import web

from ....application.caller import Caller
from ....application.channel_accounts.views import (
    ChannelAccountView,
    ProviderView,
    SettingView,
)
from ....application.paging import Paging
from ....domain.accounts.channel_account.decide import MOST_FAILOVERS
from ....domain.accounts.token_role import TokenRole
from ....domain.errors import FieldProblem, NotFoundError, ValidationFailedError
from ...http.operator_handlers import acting_for
from ...http.requests import paging_of
from ...wire.channel_webhooks import shown as shown_webhook
from ...wire.structuring import structure
from ...wire.typed_requests import ChannelAccountChange, NewChannelAccount, channel_facts
from ..forms import Form
from ..page import Page
from ..provider_forms import account_form, config_form
from ..stories.telling import channel_words
from ..visit import Visit

_ALL = "/channels"
_NEW = f"{_ALL}/new"
_ONE = f"{_ALL}/{{id}}"
# Those that a form offers as failover; more are named by their ids over HTTP.
_OFFERED = Paging(page_size=200)
_LEAST_FAILOVERS = 2


async def channel_accounts(visit: Visit) -> web.StreamResponse:
    """List channel accounts, the newest first, with their health."""
    listed = await visit.service.channel_accounts.list(visit.account_id, paging_of(visit.request))
    return visit.show(
        "channels/list.html",
        listed=listed,
        records=[visit.shown(each) for each in listed.data],
        **await shared_facts(visit, listed.data),
    )


async def channel_account(visit: Visit) -> web.StreamResponse:
    """Show a channel account with its settings, and what may be done with it."""
    found = await visit.service.channel_accounts.get(visit.by, _id(visit))
    return await _shown(visit, found)


async def chosen(visit: Visit) -> web.StreamResponse:
    """Choose the provider of a new channel account, or fill in the settings that it asks for."""
    provider = _provider(visit, visit.request.query.get("provider", ""))
    if provider is None:
        providers = visit.service.channel_accounts.providers()
        return visit.show(
            "channels/providers.html", providers=providers, **await shared_facts(visit)
        )
    return await _form(visit, provider, Form.of(name=""), {}, _channel(visit, provider))


async def create(visit: Visit) -> web.StreamResponse:
    """Make a channel account; a secret part of its callback's address is shown this once."""
    provider = _provider(visit, visit.request.query.get("provider", ""))
    if provider is None:
        raise ValidationFailedError([FieldProblem("provider", "is not one of this service")])
    channel, form = _channel(visit, provider), visit.form
    try:
        asked = account_form.asked(form, provider.settings, {})
        named = form.optional("account") or visit.account
        raw = {**asked, "provider": provider.name, "channelType": channel, "account": named}
        body = structure(raw, NewChannelAccount)
        owner = await acting_for(visit.service, visit.by, body.account)
        made = await visit.service.channel_accounts.create(owner, **channel_facts(body))
    except ValidationFailedError as refusal:
        wrong = account_form.refused(form, refusal)
        return await _form(visit, provider, wrong, {}, channel)
    return await _told(visit, made, "created")


async def edited(visit: Visit) -> web.StreamResponse:
    """Show the form of a channel account; secrets stay unless others are entered."""
    account = await visit.service.channel_accounts.get(visit.by, _id(visit))
    provider = _known(visit, account)
    form = account_form.filled(account, provider.settings)
    return await _form(visit, provider, form, account.config, account.channel_type, account)


async def update(visit: Visit) -> web.StreamResponse:
    """Change a channel account."""
    account = await visit.service.channel_accounts.get(visit.by, _id(visit))
    provider, form = _known(visit, account), visit.form
    try:
        raw = account_form.asked(form, provider.settings, account.config)
        patch = structure(raw, ChannelAccountChange).patch(raw)
        changed = await visit.service.revising_channel_accounts.update(visit.by, account.id, patch)
    except ValidationFailedError as refusal:
        wrong = account_form.refused(form, refusal)
        return await _form(visit, provider, wrong, account.config, account.channel_type, account)
    return await _told(visit, changed, "changed")


async def set_webhook(visit: Visit) -> web.StreamResponse:
    """Set the account's address at the provider, and show the answer."""
    account = await visit.service.channel_accounts.get(visit.by, _id(visit))
    try:
        said = shown_webhook(await visit.service.setting_webhooks.set(visit.by, account.id))
    except ValidationFailedError as refusal:
        words = " ".join(each.message for each in refusal.problems)
        return await _shown(visit, account, status=400, unset=words)
    return await _shown(visit, account, webhook=said)


def _acted(act: Callable[[Visit], Callable[[Caller, str], Awaitable[Any]]], done: str) -> Any:
    async def acted(visit: Visit) -> web.StreamResponse:
        account_id = _id(visit)
        await act(visit)(visit.by, account_id)
        return visit.redirect(f"{_ALL}/{account_id}", done=done)

    return acted


async def _told(visit: Visit, account: ChannelAccountView, done: str) -> web.StreamResponse:
    """Lead to the account, unless its address has a secret part, which is shown once."""
    if account.callback_url is None or "?" not in account.callback_url:
        return visit.redirect(f"{_ALL}/{account.id}", done=done)
    return visit.show("channels/told.html", account=account)


async def _shown(
    visit: Visit, account: ChannelAccountView, *, status: int = 200, **facts: Any
) -> web.StreamResponse:
    record = visit.shown(account)
    others = await _others(visit, account.account, account.channel_type)
    common = {
        **await shared_facts(visit, [account]),
        "form": Form.of(waitSeconds="20"),
        "webhook": None,
        "unset": "",
    }
    return visit.show(
        "channels/one.html",
        status=status,
        record=record,
        settings=config_form.lines(record["config"]),
        names={each.id: each.name for each in others},
        **{**common, **facts},
    )


async def _form(
    visit: Visit,
    provider: ProviderView,
    form: Form,
    config: Mapping[str, Any],
    channel: str,
    account: ChannelAccountView | None = None,
) -> web.StreamResponse:
    owner = visit.account_id if account is None else account.account
    others = await _others(visit, owner, channel)
    chosen_ones = [each for each in form.all("failover") if each][: MOST_FAILOVERS + 1]
    places = max(_LEAST_FAILOVERS, len(chosen_ones) + 1)
    return visit.show(
        "channels/form.html",
        status=400 if form.problems else 200,
        form=form,
        provider=provider,
        channel=channel,
        account=account,
        groups=config_form.groups(provider.settings, config),
        undeclared=config_form.OTHERS,
        failovers=[*chosen_ones, *[""] * (places - len(chosen_ones))],
        others=[each for each in others if account is None or each.id != account.id],
        **await shared_facts(visit, others),
    )


async def _others(
    visit: Visit, account_id: str | None, channel: str
) -> Sequence[ChannelAccountView]:
    found = await visit.service.channel_accounts.list(account_id, _OFFERED, channel)
    return found.data


async def shared_facts(visit: Visit, accounts: Iterable[ChannelAccountView] = ()) -> dict[str, Any]:
    """Return what every page of channel accounts shows with: words of channels, and names of owners."""
    return {
        "channel_words": channel_words,
        "owners": await visit.names_of(each.account for each in accounts),
    }


def _id(visit: Visit) -> str:
    return visit.request.match_info["id"]


def _provider(visit: Visit, name: str) -> ProviderView | None:
    providers = visit.service.channel_accounts.providers()
    return next((each for each in providers if each.name == name), None)


def _known(visit: Visit, account: ChannelAccountView) -> ProviderView:
    """Return the provider of an account; one without its plugin declares nothing."""
    settings: tuple[SettingView, ...] = ()
    nothing = ProviderView(name=account.provider, channels=(), settings=settings)
    return _provider(visit, account.provider) or nothing


def _channel(visit: Visit, provider: ProviderView) -> str:
    wanted = visit.request.query.get("channelType", provider.channels[0])
    if wanted not in provider.channels:
        raise NotFoundError(f"The provider {provider.name} has no such channel.")
    return wanted


CHANNEL_PAGES = (
    Page("GET", _ALL, channel_accounts, TokenRole.AUDITOR),
    Page("GET", _NEW, chosen, TokenRole.OPERATOR),
    Page("POST", _NEW, create, TokenRole.OPERATOR),
    Page("GET", _ONE, channel_account, TokenRole.AUDITOR),
    Page("GET", f"{_ONE}/edit", edited, TokenRole.OPERATOR),
    Page("POST", f"{_ONE}/edit", update, TokenRole.OPERATOR),
    Page(
        "POST",
        f"{_ONE}/enable",
        _acted(lambda visit: visit.service.revising_channel_accounts.enable, "enabled"),
        TokenRole.OPERATOR,
    ),
    Page(
        "POST",
        f"{_ONE}/disable",
        _acted(lambda visit: visit.service.revising_channel_accounts.disable, "disabled"),
        TokenRole.OPERATOR,
    ),
    Page("POST", f"{_ONE}/webhook", set_webhook, TokenRole.OPERATOR),
)
