"""Channel providers that do what a test says."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from watchword.application.ports.channels import Accepted, ChannelProvider, Message, Rejected

Answer = Accepted | Rejected


class ScriptedProvider(ChannelProvider):
    """Takes every message, and answers it as the script says; accepts everything by default."""

    def __init__(self, script: Callable[[Message], Awaitable[Answer]] | None = None) -> None:
        self.messages: list[Message] = []
        self._script = script

    def check_config(self, config: Mapping[str, Any]) -> Mapping[str, Any]:
        """Take any settings."""
        return dict(config)

    async def send(self, config: Mapping[str, Any], message: Message) -> Answer:
        """Answer as the script says."""
        self.messages.append(message)
        if self._script is not None:
            return await self._script(message)
        return Accepted(f"scripted-{len(self.messages)}")


class HesitantProvider(ScriptedProvider):
    """Answers nobody before it is told to; `asked` is set when it was asked often enough."""

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


class BlabbingProvider(ScriptedProvider):
    """Fails, with all that it was given in the text of its error."""

    def __init__(self) -> None:
        super().__init__(self._blab)

    async def _blab(self, message: Message) -> Answer:
        raise RuntimeError(f"cannot send {message.text!r} to {message.destination}")


class QuotingProvider(ScriptedProvider):
    """Refuses everything, and quotes what it refuses in the code and the words of its answer."""

    def __init__(self) -> None:
        super().__init__(self._quote)

    async def _quote(self, message: Message) -> Answer:
        return Rejected(f"cannot_send_{message.text}", f"{message.text} to {message.destination}")
