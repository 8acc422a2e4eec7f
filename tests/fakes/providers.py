"""Channel providers that tests control."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from watchword.application.ports.channels import (
    Accepted,
    ChannelProvider,
    Message,
    Rejected,
    SentMessage,
    Unknown,
)
from watchword.domain.channel import ChannelName
from watchword.domain.fallback_run import RevokeOutcome

Answer = Accepted | Rejected | Unknown


class ScriptedProvider(ChannelProvider):
    """Takes every message, and answers it as the script says; accepts everything by default."""

    deduplicates = False

    def __init__(self, script: Callable[[Message], Awaitable[Answer]] | None = None) -> None:
        self.messages: list[Message] = []
        self.script = script

    def check_config(self, config: Mapping[str, Any]) -> Mapping[str, Any]:
        """Take any settings."""
        return dict(config)

    async def send(self, config: Mapping[str, Any], message: Message) -> Answer:
        """Answer as the script says."""
        self.messages.append(message)
        if self.script is not None:
            return await self.script(message)
        return Accepted(f"scripted-{len(self.messages)}")


class HesitantProvider(ScriptedProvider):
    """Answers nothing until a test releases it; `asked` is set after enough calls."""

    def __init__(self, asked_by: int = 1) -> None:
        super().__init__(self._hesitate)
        self._asked_by = asked_by
        self.asked = asyncio.Event()
        self.may_answer = asyncio.Event()

    async def _hesitate(self, message: Message) -> Answer:
        if len(self.messages) >= self._asked_by:
            self.asked.set()
        await self.may_answer.wait()
        return Accepted("at last")


class RevokingProvider(ScriptedProvider):
    """Takes messages back when it may answer, with the outcome that it was made with."""

    def __init__(self, outcome: RevokeOutcome) -> None:
        super().__init__()
        self._outcome = outcome
        self.asked_back: list[str] = []
        self.may_answer = asyncio.Event()

    def can_revoke(self, channel: ChannelName) -> bool:
        """Take messages back on every channel."""
        return True

    async def revoke(
        self, config: Mapping[str, Any], channel: ChannelName, sent: SentMessage
    ) -> RevokeOutcome:
        """Note the revoked message."""
        self.asked_back.append(str(sent.provider_message_id))
        await self.may_answer.wait()
        return self._outcome


class BlabbingProvider(ScriptedProvider):
    """Fails, with all that it was given in the text of its error."""

    def __init__(self) -> None:
        super().__init__(self._blab)

    async def _blab(self, message: Message) -> Answer:
        raise RuntimeError(f"cannot send {message.text!r} to {message.destination}")


class QuotingProvider(ScriptedProvider):
    """Refuses everything, and quotes the message in its code and its words."""

    def __init__(self) -> None:
        super().__init__(self._quote)

    async def _quote(self, message: Message) -> Answer:
        return Rejected(f"cannot_send_{message.text}", f"{message.text} to {message.destination}")
