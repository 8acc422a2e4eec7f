"""Cut conversations find the adapters that lie about them, and pass those that do not."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
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


class Held(ChannelProvider):
    """Sends lines on one connection, which it holds from `open` on and opens again when it is cut."""

    def __init__(self, after_a_cut: Rejected | Unknown | None = None) -> None:
        self._after_a_cut = after_a_cut or Unknown()
        self.port = 0

    async def open(self, context: Context) -> None:
        """Begin to connect."""
        self._writer: asyncio.StreamWriter | None = None
        self._asked: asyncio.Queue[asyncio.Future[bytes]] = asyncio.Queue()
        self._staying = asyncio.create_task(self._stay())

    async def close(self) -> None:
        """Close the connection."""
        self._staying.cancel()
        await asyncio.gather(self._staying, return_exceptions=True)

    async def send(
        self, config: Mapping[str, Any], message: Message
    ) -> Accepted | Rejected | Unknown:
        """Write the text as a line, and wait for the answer."""
        if self._writer is None:
            return Rejected("held_away", "There is no connection.", Fault.AWAY)
        answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._asked.put_nowait(answer)
        self._writer.write(f"{message.text}\n".encode())
        line = await answer
        return Accepted(line.decode().strip()) if line.endswith(b"\n") else self._after_a_cut

    async def _stay(self) -> None:
        while True:
            reader, self._writer = await asyncio.open_connection("127.0.0.1", self.port)
            with suppress(ConnectionError):
                while (line := await reader.readline()).endswith(b"\n"):
                    self._asked.get_nowait().set_result(line)
            self._writer.transport.abort()
            self._writer = None
            while not self._asked.empty():
                self._asked.get_nowait().set_result(b"")
            # The pause of an adapter that does not hurry a counterpart.
            await asyncio.sleep(0.01)


async def tally_of_held(held: Held, count: int) -> Cuts:
    """Cut the connection that an adapter holds."""
    lines: list[bytes] = []

    async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while (line := await reader.readline()).endswith(b"\n"):
                lines.append(line)
                writer.write(f"line-{len(lines)}\n".encode())
        writer.close()

    server = await asyncio.start_server(take, "127.0.0.1", 0)
    async with FaultyTcp(server.sockets[0].getsockname()[1]) as proxy:
        held.port = proxy.port
        await held.open(FakeContext())
        try:
            return await cuts(held, {}, proxy, lambda: len(lines), a_message, count=count)
        finally:
            await held.close()
            server.close()


async def test_a_connection_held_from_the_start_is_cut_as_often_as_wanted() -> None:
    """The cuts wait while the adapter connects again, and do not hurry on."""
    tally = await tally_of_held(Held(), 30)

    assert [] == tally.wrong
    assert 30 == tally.cut
    assert 0 < tally.taken
    assert {"Accepted", "Unknown"} >= tally.answers.keys()


async def test_a_liar_that_holds_its_connection_is_found() -> None:
    """It calls what the counterpart took rejected, because its connection was cut afterwards."""
    tally = await tally_of_held(Held(Rejected("held_away", "It was cut.", Fault.AWAY)), 30)

    assert 30 == tally.cut
    assert tally.wrongly_rejected


async def test_too_few_cuts_prove_nothing(web: FaultyHttp) -> None:
    """An adapter whose conversations pass beside the proxy fails, in words."""
    posting = Posting()
    await posting.open(FakeContext())
    async with FaultyTcp(web.port) as proxy:
        with pytest.raises(AssertionError, match="Only 0 of 5 conversations were cut"):
            await cuts(
                posting, {"url": web.url}, proxy, lambda: len(web.requests), a_message, count=5
            )
    await posting.close()


async def test_an_adapter_that_does_not_come_back_fails(
    web: FaultyHttp, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cuts wait for it as long as for an answer, and say so."""
    monkeypatch.setattr(sys.modules["watchword.entrypoints.testing.cuts"], "PATIENCE", 0.2)

    class Away(Posting):
        async def send(self, config: Mapping[str, Any], message: Message) -> Rejected:
            return Rejected("gone", "It is away.", Fault.AWAY)

    with pytest.raises(AssertionError, match=r"answered Fault\.AWAY for 0\.2 s"):
        await tally_of(Away(), web, count=3)


async def test_the_first_message_must_be_accepted(web: FaultyHttp) -> None:
    """Cuts of an adapter that sends nothing at all would prove nothing."""

    class Refusing(Posting):
        async def send(self, config: Mapping[str, Any], message: Message) -> Rejected:
            return Rejected("no", "It never sends.")

    with pytest.raises(AssertionError, match="Accept the first message"):
        await tally_of(Refusing(), web, count=3)


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
        try:
            return await cuts(
                provider, config, proxy, lambda: len(web.requests), a_message, count=count
            )
        finally:
            await provider.close()


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
