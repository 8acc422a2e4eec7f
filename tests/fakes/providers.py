"""Channel providers that tests control."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from watchword.application.ports.channels import (
    Accepted,
    ChannelProvider,
    Message,
    Rejected,
    SentMessage,
    Submitted,
    TemplateReview,
    Unknown,
)
from watchword.domain.channel import ChannelName
from watchword.domain.fallback_run import RevokeOutcome
from watchword.domain.whatsapp_template import TemplateDefinition

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
        self.asked_before: list[bool] = []
        self.may_answer = asyncio.Event()

    def can_revoke(self, channel: ChannelName) -> bool:
        """Take messages back on every channel."""
        return True

    async def revoke(
        self, config: Mapping[str, Any], channel: ChannelName, sent: SentMessage
    ) -> RevokeOutcome:
        """Note the revoked message."""
        self.asked_back.append(str(sent.provider_message_id))
        self.asked_before.append(sent.asked_before)
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


class ReviewingProvider(ScriptedProvider):
    """
    Takes templates of channel accounts with a `businessAccountId`, and reviews them.

    It answers the next of `answers`, or takes a template under an id of its own; one that it has is
    adopted. `decisions` are those in force; `looked_up` counts the look-ups.
    """

    def __init__(self) -> None:
        super().__init__()
        self.is_broken = False
        self.templates: dict[tuple[str, str], str] = {}
        self.submissions: list[TemplateDefinition] = []
        self.answers: list[Submitted | Rejected | Unknown | Exception] = []
        self.decisions: Sequence[TemplateReview] | Rejected = ()
        self.looked_up = 0
        self.meanwhile: Callable[[], Awaitable[object]] | None = None

    def submits_templates(self, config: Mapping[str, Any]) -> bool:
        """Submit for the channel accounts that name a business account; or fail, as a test says."""
        if self.is_broken:
            raise RuntimeError
        return "businessAccountId" in config

    async def submit_template(
        self, config: Mapping[str, Any], template: TemplateDefinition
    ) -> Submitted | Rejected | Unknown:
        """Take a template, or answer as a test says."""
        self.submissions.append(template)
        await self._do_meanwhile()
        answer = self.answers.pop(0) if self.answers else None
        if isinstance(answer, Exception):
            raise answer
        if answer is not None:
            return answer
        names = template.name, template.language
        adopted = names in self.templates
        own_id = self.templates.setdefault(names, f"their-{len(self.templates) + 1}")
        return Submitted(own_id, category="UTILITY", adopted=adopted)

    async def template_states(
        self, config: Mapping[str, Any]
    ) -> Sequence[TemplateReview] | Rejected:
        """Tell the decisions."""
        self.looked_up += 1
        found = self.decisions
        await self._do_meanwhile()
        return found

    async def _do_meanwhile(self) -> None:
        await asyncio.sleep(0)
        if self.meanwhile is not None:
            meanwhile, self.meanwhile = self.meanwhile, None
            await meanwhile()
