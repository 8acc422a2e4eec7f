"""Dispatch a rendered code to its channels in parallel, each with its own timeout."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from functools import partial

from ...domain.channel import Channel, ChannelOutcome, OutcomeStatus, rejected
from ...domain.destination import INVALID_DESTINATION, destination_problem
from ...domain.event import MASK
from ...domain.pin import sent_as
from ...domain.pin_template import TemplateChannel, render
from ..ports.channels import Message, ProviderTemplate, Rejected
from ..provider_calls import ProviderCalls


class Dispatching:
    """
    Sends codes through channel providers; a failure on one channel does not affect the others.

    The clear code is only on this call stack.
    """

    def __init__(self, calls: ProviderCalls) -> None:
        self._calls = calls

    async def dispatch(
        self,
        pin_id: str,
        issue: int,
        destination: str,
        entries: Sequence[TemplateChannel],
        code: str,
        params: Mapping[str, str],
        ttl_seconds: int | None = None,
        *,
        test: bool = False,
    ) -> tuple[ChannelOutcome, ...]:
        """
        Send a code on every entry's channel; return one outcome each, in their order.

        No provider receives a destination that does not fit its channel (C-89), or a code that is a
        `test`: its outcomes are those of a send that is accepted (C-79). After `ttl_seconds`, a provider
        need not deliver the code any more.
        """
        if test:
            return tuple([_tested(pin_id, issue, destination, entry) for entry in entries])
        sends = [
            self._calls.send(
                _message(
                    sent_as(pin_id, issue, entry.channel_type),
                    destination,
                    entry,
                    code,
                    params,
                    ttl_seconds,
                ),
                partial(_veiled, code),
            )
            if (problem := destination_problem(destination, entry.channel_type)) is None
            else _not_tried(entry, problem)
            for entry in entries
        ]
        if len(sends) == 1:
            return (await sends[0],)
        return tuple(await asyncio.gather(*sends))


async def _not_tried(entry: TemplateChannel, problem: str) -> ChannelOutcome:
    return _unfit(entry, problem)


def _tested(pin_id: str, issue: int, destination: str, entry: TemplateChannel) -> ChannelOutcome:
    problem = destination_problem(destination, entry.channel_type)
    if problem is not None:
        return _unfit(entry, problem)
    return ChannelOutcome(
        channel=entry.channel_type,
        channel_account_id=entry.channel_account_id,
        status=OutcomeStatus.ACCEPTED,
        # Answers have an id as those of a provider do; this one says that there was none.
        provider_message_id=f"test:{sent_as(pin_id, issue, entry.channel_type)}",
    )


def _unfit(entry: TemplateChannel, problem: str) -> ChannelOutcome:
    said = f"On {entry.channel_type} the destination {problem}."
    return rejected(entry.channel_type, entry.channel_account_id, INVALID_DESTINATION, said)


def _veiled(code: str, refusal: Rejected) -> Rejected:
    # Providers also quote a code in groups, such as 482-913.
    grouped = r"[\W_]*".join(map(re.escape, code))

    def hide(text: str) -> str:
        return re.sub(grouped, MASK, text, flags=re.IGNORECASE)

    return Rejected(hide(refusal.code), hide(refusal.message))


def _message(
    reference: str,
    destination: str,
    entry: TemplateChannel,
    code: str,
    params: Mapping[str, str],
    ttl_seconds: int | None,
) -> Message:
    rendered = render(entry, code, params)
    # An SMS has a DLT template instead of a provider's (C-71); an empty id is none.
    is_sms = entry.channel_type is Channel.SMS
    template = None
    if entry.channel_type is Channel.WHATSAPP and entry.provider_template_ref:
        template = ProviderTemplate(
            name=entry.provider_template_ref,
            language=entry.language_code,
            code=code,
            params=rendered.params,
            copy_code_button_index=entry.copy_code_button_index,
        )
    return Message(
        reference=reference,
        channel=entry.channel_type,
        channel_account_id=entry.channel_account_id,
        destination=destination,
        text=rendered.text,
        subject=rendered.subject,
        template=template,
        template_id=(entry.provider_template_ref or None) if is_sms else None,
        entity_id=entry.entity_id or None,
        unicode=entry.unicode,
        ttl_seconds=ttl_seconds,
    )
