"""A house with a channel account, on which tests of channel accounts run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from tests.application.house import House, build_house
from tests.fakes.providers import ScriptedProvider
from watchword.application.channel_accounts.views import ChannelAccountView
from watchword.application.channel_tests.views import (
    ChannelTestRequest,
    ChannelTestView,
)
from watchword.application.ports.channels import (
    Message,
    ProviderReport,
)
from watchword.domain.channel import Channel

TO = "+447700900123"


class Probed(ScriptedProvider):
    """A provider whose log-in ends as the test says."""

    def __init__(self, answer: Any = None) -> None:
        super().__init__()
        self.answer = answer

    async def probe(self, config: Mapping[str, Any]) -> Any:
        """Log in."""
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@frozen
class Bench:
    """A house with a channel account to test."""

    house: House
    account: ChannelAccountView

    async def run(self, to: str = TO, **more: Any) -> ChannelTestView:
        """Do a test to its end."""
        asked = ChannelTestRequest(to=to, **more)
        return await self.house.service.channel_tests.whole(self.house.by, self.account.id, asked)

    async def report(self, told: ProviderReport) -> None:
        """Have the provider report."""
        await self.house.service.recording_reports.record(self.account.id, [told], "req_post")

    async def recorded(self) -> list[Any]:
        """Return the events of tests."""
        log = await self.house.store.read_log(0, 1000)
        return [each.event for each in log if each.type == "ChannelAccountTested"]


async def bench(
    provider: ScriptedProvider | None = None,
    config: Mapping[str, Any] | None = None,
    channel: Channel = Channel.SMS,
) -> Bench:
    """Build the house, with one more channel account."""
    house = await build_house(provider)
    account = await house.service.channel_accounts.create(
        house.by,
        channel_type=channel,
        provider="scripted",
        name="bench",
        sender="BENCH",
        config=config or {},
    )
    return Bench(house, account)


def steps(test: ChannelTestView) -> list[tuple[str, str]]:
    """Return the steps of a test and their outcomes."""
    return [(str(each.step), str(each.status)) for each in test.steps]


def details(test: ChannelTestView) -> list[str]:
    """Return the words of a test's steps."""
    return [each.detail for each in test.steps]


def answering(answer: Any) -> ScriptedProvider:
    """Return a provider with one answer."""

    async def script(message: Message) -> Any:
        return answer

    return ScriptedProvider(script)
