"""Cut conversations find the adapters that lie about them, and pass those that do not."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any

import aiohttp
import pytest

from watchword import Accepted, ChannelProvider, Context, Fault, Message, Rejected, Unknown
from watchword.testing import Cuts, FakeContext, FaultyHttp, FaultyTcp, HttpAnswer, a_message, cuts


class Posting(ChannelProvider):
    """Posts the text, on connections that it keeps, and answers with what it knows."""

    async def open(self, context: Context) -> None:
        """Prepare a client that repeats nothing by itself."""
        self._http = aiohttp.ClientSession()
        self._http._retry_connection = False

    async def close(self) -> None:
        """Close its connections."""
        await self._http.close()

    async def send(
        self, config: Mapping[str, Any], message: Message
    ) -> Accepted | Rejected | Unknown:
        """Post the text."""
        try:
            async with self._http.post(config["url"], data=message.text) as answer:
                return Accepted(str((await answer.json())["id"]))
        except aiohttp.ClientConnectorError:
            return Rejected("no_connection", "The counterpart is away.", Fault.AWAY)
        except aiohttp.ClientError:
            return Unknown()


class Lying(Posting):
    """Takes every error for a rejection."""

    async def send(
        self, config: Mapping[str, Any], message: Message
    ) -> Accepted | Rejected | Unknown:
        """Post the text, and call doubt a rejection."""
        answer = await super().send(config, message)
        return Rejected("no_answer", "It failed.") if isinstance(answer, Unknown) else answer


class Boasting(Posting):
    """Takes every error for a success."""

    async def send(
        self, config: Mapping[str, Any], message: Message
    ) -> Accepted | Rejected | Unknown:
        """Post the text, and call doubt a success."""
        answer = await super().send(config, message)
        return Accepted("7") if isinstance(answer, Unknown) else answer


class Repeating(Posting):
    """Posts again after an error."""

    async def send(
        self, config: Mapping[str, Any], message: Message
    ) -> Accepted | Rejected | Unknown:
        """Post the text, and in doubt once more."""
        answer = await super().send(config, message)
        return await super().send(config, message) if isinstance(answer, Unknown) else answer


class Quoting(Posting):
    """Quotes the text when it is in doubt."""

    async def send(
        self, config: Mapping[str, Any], message: Message
    ) -> Accepted | Rejected | Unknown:
        """Post the text."""
        answer = await super().send(config, message)
        return Unknown(message=message.text) if isinstance(answer, Unknown) else answer


@pytest.fixture
async def web() -> AsyncIterator[FaultyHttp]:
    """Yield a counterpart that takes everything."""
    async with FaultyHttp(HttpAnswer.json({"id": "7"})) as web:
        yield web


async def tally_of(provider: ChannelProvider, web: FaultyHttp, count: int | None = None) -> Cuts:
    """Cut a provider's conversations."""
    await provider.open(FakeContext())
    async with FaultyTcp(web.port) as proxy:
        config = {"url": f"http://{proxy.host}:{proxy.port}/"}
        tally = await cuts(
            provider, config, proxy, lambda: len(web.requests), a_message, count=count
        )
    await provider.close()
    return tally


async def test_an_honest_adapter_passes(web: FaultyHttp) -> None:
    """As many conversations are cut as wanted, on either side of the request's end."""
    tally = await tally_of(Posting(), web)

    assert [] == tally.wrong
    assert 100 <= tally.cut
    assert {"Accepted", "Unknown"} == tally.answers.keys()
    assert 0 < tally.taken < tally.cut


@pytest.mark.parametrize(
    ("provider", "found"),
    [
        (Lying, "wrongly_rejected"),
        (Boasting, "wrongly_accepted"),
        (Repeating, "sent_twice"),
        (Quoting, "quoted"),
    ],
)
async def test_a_lying_adapter_is_found(
    web: FaultyHttp, provider: type[Posting], found: str
) -> None:
    """Each lie has its own list, with the places of the cuts."""
    tally = await tally_of(provider(), web, count=40)

    assert getattr(tally, found)
    assert getattr(tally, found) == tally.wrong


async def test_the_environment_sets_the_number(
    web: FaultyHttp, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`WATCHWORD_CUTS` asks for more than the suite's 100, or fewer."""
    monkeypatch.setenv("WATCHWORD_CUTS", "3")

    assert 3 == (await tally_of(Posting(), web)).cut
