"""A caller that is bound to an account finds its own records, and nobody else's (C-84, D-486)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from tests.application.house import House, build_house
from tests.rcs_templates import TEXT
from tests.whatsapp_templates import BODY, worded
from watchword.application.callbacks.deliveries import DeliveryNotFoundError
from watchword.application.caller import Caller
from watchword.application.channel_accounts.patch import ChannelAccountPatch
from watchword.application.channel_tests.views import ChannelTestRequest
from watchword.application.message_templates.template_kinds import RCS_TEMPLATES
from watchword.application.paging import Paging
from watchword.domain.accounts.account_limits import AccountLimits
from watchword.domain.errors import DomainError, NotFoundError
from watchword.domain.rcs_template import MessageType
from watchword.domain.rcs_template import TemplateDefinition as RcsDefinition
from watchword.domain.retention import Retention
from watchword.domain.whatsapp_template import TemplateDefinition

Call = Callable[[Any, Caller, str], Awaitable[object]]

CALLS: Mapping[str, tuple[str, Call]] = {
    "see an account": ("account", lambda s, by, i: s.accounts.get(by, i)),
    "find an account by name": ("name", lambda s, by, i: s.accounts.resolve(by, i)),
    "see limits": ("account", lambda s, by, i: s.accounts.limits(by, i)),
    "set limits": ("account", lambda s, by, i: s.accounts.set_limits(by, i, AccountLimits())),
    "suspend": ("account", lambda s, by, i: s.accounts.suspend(by, i)),
    "resume": ("account", lambda s, by, i: s.accounts.resume(by, i)),
    "call for an account": ("account", lambda s, by, i: s.accounts.calling(by, i)),
    "see a retention": ("account", lambda s, by, i: s.retention.get(by, i)),
    "set a retention": ("account", lambda s, by, i: s.retention.set(by, i, Retention())),
    "see a key": ("key", lambda s, by, i: s.api_keys.get(by, i)),
    "revoke a key": ("key", lambda s, by, i: s.api_keys.revoke(by, i)),
    "see a DLT template": ("dlt", lambda s, by, i: s.dlt_templates.get(by, i)),
    "remove a DLT template": ("dlt", lambda s, by, i: s.dlt_templates.remove(by, i)),
    "see a configuration": ("steps", lambda s, by, i: s.fallback_configurations.get(by, i)),
    "see a legacy user": ("user", lambda s, by, i: s.legacy_users.get(by, i)),
    "revoke a user's tokens": ("user", lambda s, by, i: s.legacy_users.revoke_tokens(by, i)),
    "remove a legacy user": ("user", lambda s, by, i: s.legacy_users.remove(by, i)),
    "see a channel account": ("channel", lambda s, by, i: s.channel_accounts.get(by, i)),
    "revise a channel account": (
        "channel",
        lambda s, by, i: s.revising_channel_accounts.update(by, i, ChannelAccountPatch(given=())),
    ),
    "enable a channel account": (
        "channel",
        lambda s, by, i: s.revising_channel_accounts.enable(by, i),
    ),
    "disable a channel account": (
        "channel",
        lambda s, by, i: s.revising_channel_accounts.disable(by, i),
    ),
    "test a channel account": (
        "channel",
        lambda s, by, i: s.channel_tests.begin(by, i, ChannelTestRequest(to="+919812345610")),
    ),
    "set a webhook": ("channel", lambda s, by, i: s.setting_webhooks.set(by, i)),
    "see a PIN template": ("template", lambda s, by, i: s.pin_templates.get(by, i)),
    "revise a PIN template": ("template", lambda s, by, i: s.pin_templates.revise(by, i)),
    "enable a PIN template": ("template", lambda s, by, i: s.pin_templates.enable(by, i)),
    "disable a PIN template": ("template", lambda s, by, i: s.pin_templates.disable(by, i)),
    "archive a PIN template": ("template", lambda s, by, i: s.pin_templates.archive(by, i)),
    "see an RCS template": (
        "rcs",
        lambda s, by, i: s.fetching_templates.get(by, RCS_TEMPLATES, i),
    ),
    "approve an RCS template": ("rcs", lambda s, by, i: s.reviewing_rcs_templates.approve(by, i)),
    "reject an RCS template": ("rcs", lambda s, by, i: s.reviewing_rcs_templates.reject(by, i)),
    "submit an RCS template": ("rcs", lambda s, by, i: s.reviewing_rcs_templates.submit(by, i)),
    "submit a WhatsApp template": (
        "whatsapp",
        lambda s, by, i: s.submitting_whatsapp_templates.submit(by, i),
    ),
    "approve a WhatsApp template": (
        "whatsapp",
        lambda s, by, i: s.reviewing_whatsapp_templates.approve(by, i),
    ),
    "see an endpoint": ("endpoint", lambda s, by, i: s.callbacks.get(by, i)),
    "remove an endpoint": ("endpoint", lambda s, by, i: s.callbacks.remove(by, i)),
    "see deliveries": ("endpoint", lambda s, by, i: s.callbacks.deliveries(by, i, Paging())),
    "redeliver": ("endpoint", lambda s, by, i: s.callbacks.redeliver(by, i, "cdl_1")),
    "remove a test destination": ("test", lambda s, by, i: s.test_destinations.remove(by, i)),
}


async def _furnished(house: House) -> Mapping[str, str]:
    """Make a record of each kind for the house's account; return their ids."""
    service, by = house.service, house.by
    definition = RcsDefinition(name="tea", content=TEXT)
    rcs = await service.creating_rcs_templates.create(
        by,
        sender_profile="Orchid",
        message_type=MessageType.TRANSACTIONAL,
        update_by="somebody",
        definition=definition,
    )
    whatsapp = await service.creating_whatsapp_templates.create(
        by, TemplateDefinition(name="tea", language="en", content=worded(BODY))
    )
    test = await service.test_destinations.put(
        by,
        destination="+919812345699",
        code="1234567890",
        until=house.clock.now() + timedelta(days=1),
    )
    return {
        "account": by.account_id,
        "name": "orchid",
        "key": (await service.api_keys.create(by, "web")).record.id,
        "dlt": (
            await service.dlt_templates.create(by, template_id="1", entity_id="2", text="Tea")
        ).id,
        "steps": (
            await service.fallback_configurations.create(by, fallback_id="f", steps=("sms",))
        ).id,
        "user": (await service.legacy_users.create(by, email="a@tea.example", password="t")).id,
        "channel": (await service.channel_accounts.list(by.account_id, Paging())).data[0].id,
        "template": house.template_id,
        "rcs": rcs.id,
        "whatsapp": whatsapp.id,
        "endpoint": (await service.callbacks.create(by, url="https://tea.example/")).id,
        "test": test.view.id,
    }


@pytest.mark.parametrize("call", CALLS)
async def test_a_stranger_finds_nothing(call: str) -> None:
    """What is another account's is refused as unknown, and nothing is written."""
    house = await build_house()
    ids = await _furnished(house)
    lotus = (await house.service.accounts.create(house.by, "lotus")).id
    kind, use = CALLS[call]
    newest = await house.store.newest()
    with pytest.raises(NotFoundError):
        await use(house.service, Caller(lotus, "tok_1", "req_1", bound_to=lotus), ids[kind])
    assert newest == await house.store.newest()


@pytest.mark.parametrize("call", CALLS)
async def test_a_token_of_the_account_finds_all_of_it(call: str) -> None:
    """The scope alone refuses nothing that is the account's own."""
    house = await build_house()
    ids = await _furnished(house)
    kind, use = CALLS[call]
    refused: DomainError | None = None
    try:
        await use(house.service, replace(house.by, bound_to=house.by.account_id), ids[kind])
    except DomainError as refusal:
        refused = refusal
    # The endpoint is found, and has no such delivery.
    assert isinstance(refused, DeliveryNotFoundError) or not isinstance(refused, NotFoundError)


async def test_a_bound_caller_lists_its_account_alone() -> None:
    """The list of accounts has the one that the token is bound to; an unbound caller sees all."""
    house = await build_house()
    await house.service.accounts.create(house.by, "lotus")
    own = replace(house.by, bound_to=house.by.account_id)
    listed = await house.service.accounts.list(own, Paging())
    assert [house.by.account_id] == [each.id for each in listed.data]
    assert listed.total == 1
    assert (await house.service.accounts.list(house.by, Paging())).total == 2
