"""A code by every channel: it leaves the building, its receipt comes back, and it verifies (C-63, C-70)."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

import pytest

from tests.entrypoints.conftest import Serving
from tests.entrypoints.networks.accounts import PUBLIC, account_of
from tests.entrypoints.networks.lines import Line, mail_line, smpp_line
from tests.entrypoints.networks.posting_lines import gateway_line, graph_line

STORES = ("sqlite",)
PERSON = "+4915112345610"
ENTRIES = {
    "whatsapp": {
        "providerTemplateRef": "login_code",
        "languageCode": "en_US",
        "copyCodeButtonIndex": 0,
    }
}
Lines = Callable[[], AbstractAsyncContextManager[Line]]


@pytest.mark.parametrize("line_of", [gateway_line, smpp_line, graph_line])
async def test_a_code_arrives_is_reported_and_verifies(serving: Serving, line_of: Lines) -> None:
    """The network gets the code, and its report stands in the PIN's record."""
    async with line_of() as line, serving(public_url=PUBLIC) as caller:
        account = await account_of(caller, line.channel, line.provider, line.config)
        entry = {"channelType": line.channel, "channelAccountId": account.channel_account_id}
        mine = await caller.with_template({**entry, **ENTRIES.get(line.channel, {})})
        pin_id = await mine.created(PERSON)
        (code,) = {*re.findall(r"\b[0-9]{4,8}\b", line.texts[-1])}
        await line.report(account)
        (channel,) = (await mine.get(f"/v1/pins/{pin_id}")).json["channels"]

        assert ("accepted", "delivered") == (channel["status"], channel["receipt"]["status"])
        assert 200 == (await mine.verify(pin_id, code)).status


async def test_a_code_by_mail_arrives_and_verifies(serving: Serving) -> None:
    """A mail server reports nothing."""
    async with mail_line() as line, serving() as caller:
        account = await account_of(caller, line.channel, line.provider, line.config)
        mine = await caller.with_template(
            {"channelType": "email", "channelAccountId": account.channel_account_id}
        )
        pin_id = await mine.created("ann@example.com")
        (code,) = {*re.findall(r"\b[0-9]{4,8}\b", line.texts[-1])}

        assert 200 == (await mine.verify(pin_id, code)).status
