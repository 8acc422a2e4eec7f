"""The promises of a provider about sends, log-ins, and being opened and closed (C-34, C-68)."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import pytest
from msgspec.structs import replace

from ....application.ports.channels import (
    Accepted,
    ChannelProvider,
    Connected,
    Fault,
    Message,
    Rejected,
)
from ..contexts import FakeContext
from ..messages import CODE
from .hooks import PATIENCE, ContractHooks, sent

_SNAKE_CASE = re.compile(r"[a-z][a-z0-9_]*")
_AT_ONCE = 50
_ODD_TEXTS = (
    "two\r\nlines\r\n.\r\nQUIT",
    '"quotes", {braces}, {{text}}, %s, \\ and <tags/>',
    "\0 and \x1b and \u2028",
    "😀 тест चाय",
)


class SendingPromises(ContractHooks):
    """The promises about sends."""

    @pytest.mark.asyncio
    async def test_a_message_that_it_takes_gets_an_id(
        self, opened: ChannelProvider, config: Mapping[str, Any]
    ) -> None:
        """Accepted carries the provider's own id, another one for each message."""
        for channel in self.channels(opened):
            first = await sent(opened, config, self.message(channel, 1))
            second = await sent(opened, config, self.message(channel, 2))

            assert isinstance(first, Accepted), (channel, first)
            assert isinstance(second, Accepted), (channel, second)
            assert first.provider_message_id
            assert first.provider_message_id != second.provider_message_id

    @pytest.mark.asyncio
    async def test_a_message_that_it_refuses_is_no_exception(
        self, opened: ChannelProvider, config: Mapping[str, Any], rejected: Message
    ) -> None:
        """Rejected has a fault, a code in snake case and a sentence; nothing was taken (C-68)."""
        before = self.taken(opened)
        answer = await sent(opened, config, rejected)

        assert isinstance(answer, Rejected), (rejected.channel, answer)
        assert isinstance(answer.fault, Fault)
        assert _SNAKE_CASE.fullmatch(answer.code)
        assert answer.message
        assert answer.retry_after is None or answer.retry_after >= 0
        assert before == self.taken(opened)

    @pytest.mark.asyncio
    async def test_no_answer_and_no_log_has_the_code(
        self,
        opened: ChannelProvider,
        config: Mapping[str, Any],
        rejected: Message,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        """A clear code leaves the provider in the message alone."""
        with caplog.at_level(logging.DEBUG):
            answers = [
                await sent(opened, config, self.message(self.channels(opened)[0])),
                await sent(opened, config, rejected),
            ]
        logged = [
            each.getMessage()
            for each in caplog.records
            if not each.name.startswith(tuple(self.counterpart_loggers))
        ]

        assert CODE in rejected.text
        assert [] == [each for each in answers if CODE in f"{each!r}"]
        assert [] == [each for each in logged if CODE in each]

    @pytest.mark.asyncio
    async def test_a_text_of_any_characters_is_one_message_or_refused(
        self, opened: ChannelProvider, config: Mapping[str, Any]
    ) -> None:
        """Line breaks, quotes and controls neither add a command nor cause an error."""
        for number, text in enumerate(_ODD_TEXTS, 1):
            before = self.taken(opened)
            message = replace(self.message(self.channels(opened)[0], number), text=text)
            answer = await sent(opened, config, message)
            after = self.taken(opened)

            assert isinstance(answer, Accepted | Rejected), (message.channel, text, answer)
            if before is not None and after is not None:
                assert isinstance(answer, Accepted) == after - before, text

    @pytest.mark.asyncio
    async def test_it_serves_many_at_once(
        self, opened: ChannelProvider, config: Mapping[str, Any]
    ) -> None:
        """One object serves all sends, from one event loop."""
        channel = self.channels(opened)[0]
        sends = [sent(opened, config, self.message(channel, each)) for each in range(_AT_ONCE)]
        answers = await asyncio.gather(*sends)

        assert _AT_ONCE == len(
            {each.provider_message_id for each in answers if isinstance(each, Accepted)}
        )

    @pytest.mark.asyncio
    async def test_a_repeated_reference_is_taken_once_by_one_that_deduplicates(
        self, opened: ChannelProvider, config: Mapping[str, Any]
    ) -> None:
        """It then has the same id, and the counterpart one message; elsewhere it is sent again (C-20)."""
        message = self.message(self.channels(opened)[0])
        before = self.taken(opened)
        first, again = await sent(opened, config, message), await sent(opened, config, message)
        after = self.taken(opened)

        assert isinstance(first, Accepted), (message.channel, first)
        if opened.deduplicates:
            assert first == again
        if before is not None and after is not None:
            assert (1 if opened.deduplicates else 2) == after - before

    @pytest.mark.asyncio
    async def test_a_cancelled_send_does_no_harm_to_the_next(
        self, opened: ChannelProvider, config: Mapping[str, Any]
    ) -> None:
        """The caller cancels at its time limit, wherever the send stands then."""
        channel = self.channels(opened)[0]
        for steps in range(20):
            send = asyncio.create_task(sent(opened, config, self.message(channel, 100 + steps)))
            for _ in range(steps):
                await asyncio.sleep(0)
            send.cancel()
            with suppress(asyncio.CancelledError):
                await send

        answer = await sent(opened, config, self.message(channel, 1))
        assert isinstance(answer, Accepted), (channel, answer)

    @pytest.mark.asyncio
    async def test_nothing_is_written_to_a_counterpart_that_is_away(
        self, opened: ChannelProvider, unreachable: Mapping[str, Any] | None
    ) -> None:
        """Without a connection nobody has the message: rejected, and another account may try (C-69)."""
        if unreachable is None:
            pytest.skip("`unreachable` is not defined, or None.")
        answer = await sent(opened, unreachable, self.message(self.channels(opened)[0]))

        assert isinstance(answer, Rejected), (self.channels(opened)[0], answer)
        assert Fault.AWAY is answer.fault

    @pytest.mark.asyncio
    async def test_a_log_in_sends_nothing(
        self, opened: ChannelProvider, config: Mapping[str, Any]
    ) -> None:
        """`probe` connects; None says that there is nothing to log in to (C-67)."""
        before = self.taken(opened)
        async with asyncio.timeout(PATIENCE):
            answer = await opened.probe(config)

        assert answer is None or isinstance(answer, Connected), answer
        assert before == self.taken(opened)

    @pytest.mark.asyncio
    async def test_a_log_in_to_a_counterpart_that_is_away_fails(
        self, opened: ChannelProvider, unreachable: Mapping[str, Any] | None
    ) -> None:
        """An answer or an exception says so, in time; only a provider without log-in says nothing."""
        if unreachable is None:
            pytest.skip("`unreachable` is not defined, or None.")
        async with asyncio.timeout(PATIENCE):
            try:
                answer = await opened.probe(unreachable)
            except OSError:
                return

        assert not isinstance(answer, Connected)

    @pytest.mark.asyncio
    async def test_it_can_be_closed_twice_and_opened_again(
        self, provider: ChannelProvider, config: Mapping[str, Any]
    ) -> None:
        """One that was never used closes; a closed one serves the next service that opens it."""
        await provider.open(FakeContext())
        await provider.close()
        await provider.close()
        await provider.open(FakeContext())
        try:
            answer = await sent(provider, config, self.message(self.channels(provider)[0]))
        finally:
            await provider.close()

        assert isinstance(answer, Accepted), (self.channels(provider)[0], answer)
