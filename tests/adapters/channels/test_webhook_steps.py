"""Where people enter the address of a channel account, by provider (D-282)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from watchword.adapters.channels.http.config import stored_config
from watchword.adapters.channels.http.presets import PRESETS
from watchword.adapters.channels.http.provider import HttpProvider
from watchword.adapters.channels.http.webhook_steps import webhook_steps
from watchword.adapters.channels.rcs_business.provider import RcsBusinessProvider
from watchword.adapters.channels.sandbox import SandboxProvider
from watchword.adapters.channels.smpp.provider import SmppProvider
from watchword.adapters.channels.smtp.provider import SmtpProvider
from watchword.application.ports.channels import ChannelProvider, Webhook

URL = "https://pins.example.com/callbacks/cha_orchid"
API = {
    "method": "POST",
    "url": "https://sms.example.com/send",
    "body": {"to": "{{destination}}"},
    "accepted": {"idPath": "id"},
}
RECEIPT = {"idPath": "id", "statusPath": "state", "statuses": {"gone": "delivered"}}
INBOUND = {"senderPath": "from", "recipientPath": "to", "textPath": "text"}


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_each_preset_has_its_steps(preset: str) -> None:
    """Receipts need none; messages from people need one."""
    steps = webhook_steps({"preset": preset}, {}, has_token=False)

    assert 2 == len(steps)
    assert "Receipts need nothing" in steps[0]
    assert "messages from people" in steps[1]


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({}, ["neither receipt nor inbound"]),
        ({"receipt": RECEIPT}, ["for receipts", "secret query"]),
        ({"inbound": INBOUND}, ["messages from people", "secret query"]),
        ({"receipt": RECEIPT, "inbound": INBOUND}, ["for receipts", "from people", "secret query"]),
    ],
    ids=["neither", "receipts", "inbound", "both"],
)
async def test_a_described_api_has_a_step_for_each_part(
    more: Mapping[str, Any], words: list[str]
) -> None:
    """An address with a token is complete with its token alone, which no step repeats."""
    config = stored_config({**API, **more}, has_address=True)
    provider = HttpProvider()
    query = provider.callback_query(config)
    webhook = await provider.set_webhook(config, f"{URL}?{query}")
    await provider.close()

    assert not webhook.is_set
    assert len(words) == len(webhook.steps)
    assert [] == [word for word, step in zip(words, webhook.steps, strict=True) if word not in step]
    assert not any(URL in each or (query and query in each) for each in webhook.steps)


@pytest.mark.parametrize(
    "provider",
    [SmtpProvider(), SmppProvider(), SandboxProvider(lambda: datetime.now(UTC))],
    ids=["smtp", "smpp", "sandbox"],
)
async def test_who_posts_nothing_needs_nothing(provider: ChannelProvider) -> None:
    """The step says so, so that nobody looks for a place to enter the address."""
    webhook = await provider.set_webhook({}, URL)

    assert isinstance(webhook, Webhook)
    assert "Nothing is to be entered" in webhook.steps[0]


async def test_the_address_of_an_agent_is_entered_at_google() -> None:
    """Google asks it for the token at once, so the account exists before."""
    webhook = await RcsBusinessProvider().set_webhook({}, URL)

    assert not webhook.is_set
    assert "clientToken" in webhook.steps[0]
