"""The adapters that the documents show keep the rules that the documents state."""

from __future__ import annotations

import asyncio
import hmac
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from watchword import (
    Channel,
    ChannelProvider,
    Message,
    ProviderAccount,
    ReceiptStatus,
)
from watchword.testing import FakeContext, SignedReportsContract, a_message

DOCS = Path(__file__).parents[2] / "docs" / "how-to"


def shown(page: str, name: str) -> Any:
    """Return a class that a page shows, without running the program around it."""
    blocks = re.findall(r"```python\n(.*?)```", (DOCS / page).read_text(), re.DOTALL)
    (block,) = (each for each in blocks if f"class {name}(" in each)
    members: dict[str, Any] = {"__name__": "shown"}
    exec(block.replace("asyncio.run(main())", ""), members)  # noqa: S102  a page of our own
    return members[name]


def test_the_manual_has_every_part_of_the_port_in_its_order() -> None:
    """Whoever adds a part to the port describes it, where readers of the port look for it."""
    table = (DOCS / "adapters.md").read_text().partition("| part |")[2].partition("\n\n")[0]
    cells = "\n".join(line.split(" | ")[0] for line in table.splitlines())
    described = re.findall(r"`(?:async )?(\w+)[^`]*`", cells)

    assert [each for each in vars(ChannelProvider) if not each.startswith("_")] == described


async def test_the_wire_outlives_a_store_that_is_away() -> None:
    """It acknowledges nothing meanwhile, repeats its report, and goes on."""
    account = ProviderAccount(
        channel_account_id="cha_tea", channel=Channel.SMS, sender=None, config={}
    )
    context, wire = _Away(account), shown("adapters.md", "Wire")()
    wire.pause = 0.001
    context.away = True
    await wire.open(context)
    await wire.listen()
    await wire.queue.put("their-7")
    await asyncio.wait_for(context.asked_twice.wait(), 5)
    meanwhile = [*wire.acknowledged]
    context.away = False
    await wire.queue.put("their-8")
    await asyncio.wait_for(wire.queue.join(), 5)
    await wire.close()

    assert [] == meanwhile
    assert ["their-7", "their-8"] == wire.acknowledged
    assert ["cha_tea", "cha_tea"] == [account_id for account_id, _ in context.heard]


class _Away(FakeContext):
    """Tells when it was asked a second time while it was away."""

    def __init__(self, *accounts: ProviderAccount) -> None:
        super().__init__(*accounts)
        self.asked_twice = asyncio.Event()
        self._asked = 0

    async def hear(self, channel_account_id: str, reports: Any) -> None:
        """Keep reports, and count the calls."""
        self._asked += 1
        if self._asked == 2:
            self.asked_twice.set()
        await super().hear(channel_account_id, reports)


class TestGateway(SignedReportsContract):
    """The gateway of the page for embedders keeps the contract of channel providers."""

    failed_code = None

    @pytest.fixture
    def provider(self) -> ChannelProvider:
        """Return the gateway."""
        gateway: ChannelProvider = shown("own-provider.md", "Gateway")()
        return gateway

    @pytest.fixture
    def config(self) -> Mapping[str, Any]:
        """Return a config with its one setting."""
        return {"secret": "tea"}

    @pytest.fixture
    def rejected(self) -> Message:
        """Return a message to a country that it does not reach."""
        return a_message(destination="+919812345610")

    def message(self, channel: str, number: int = 1) -> Message:
        """Return a message to a number that it reaches."""
        return a_message(number, channel=channel, destination=f"+4477009{number:05}")

    def taken(self, provider: Any) -> int:
        """Count what it took."""
        return len(provider.sent)

    def worded(
        self, provider_message_id: str, status: ReceiptStatus, error_code: str | None
    ) -> bytes:
        """Return a receipt in its words."""
        at = "2030-01-31T12:00:00+00:00"
        return json.dumps({"id": provider_message_id, "status": status, "at": at}).encode()

    def headers(self, config: Mapping[str, Any], body: bytes) -> Mapping[str, str]:
        """Sign a body as it does."""
        return {"x-signature": hmac.digest(config["secret"].encode(), body, "sha256").hex()}
