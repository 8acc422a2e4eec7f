"""Translates a legacy send to the service's own, and its refusals back (C-43, C-62)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...application.callbacks.managing_callbacks import ManagingCallbacks
from ...application.caller import Caller
from ...application.message_templates.finding_templates import FindingTemplates
from ...application.messages.planning.send_requests import MessageRequest, SendRequest
from ...application.messages.sending_messages import SendingMessages, SentMessage
from ...domain.channel import Channel
from ...domain.errors import FieldProblem, ValidationFailedError
from ...domain.message import ResourceType, WhatsappTemplateContent
from ...domain.template_filling import read_components
from ..messaging.problems import Problems
from .components import components
from .left_out import left_out
from .send_bodies import LegacySend, read_send


class LegacySends:
    """Sends of the legacy platform, each with one message under a template."""

    def __init__(
        self, callbacks: ManagingCallbacks, finding: FindingTemplates, sending: SendingMessages
    ) -> None:
        self._callbacks = callbacks
        self._finding = finding
        self._sending = sending

    async def send(self, by: Caller, raw: Any) -> SentMessage:
        """
        Send one message under a template.

        Raises `ValidationFailedError`, which names every wrong field, and the errors of a template's send.
        """
        problems = Problems()
        wanted = read_send(raw, problems)
        url = raw.get("callbackUrl") if isinstance(raw, dict) else None
        if isinstance(url, str) and url:
            problems.found += await self._callbacks.url_problems(url, "callbackUrl")
        if wanted is None or problems.found:
            raise ValidationFailedError(problems.found)
        template = await self._finding.whatsapp_template_in_any_language(
            by.account_id, wanted.template_id
        )
        parts = list(components(wanted, template.content))
        content = WhatsappTemplateContent(
            name=template.name,
            language=template.language,
            components=tuple(part for _, part in parts),
        )
        try:
            _, found = read_components(content.components, "components")
            if found:
                raise ValidationFailedError(found)
            sent = await self._sending.send(by, _request(wanted, content))
        except ValidationFailedError as refusal:
            fields = [name for name, _ in parts]
            missing = left_out(wanted, template.content)
            # `missing` names the legacy field of a missing component; the service's problem has Meta's path.
            others = [
                each for each in refusal.problems if not (missing and _is_of_all_components(each))
            ]
            raise ValidationFailedError(
                [*missing, *(_in_legacy_fields(each, fields) for each in others)]
            ) from None
        return sent.messages[0]


def read(raw: Any) -> None:
    """Read a body on trial (C-93); raises `ValidationFailedError` naming every wrong field."""
    problems = Problems()
    read_send(raw, problems)
    problems.refuse()


def recipient_of(raw: Any) -> Sequence[str]:
    """Return the recipient that a body names, if any."""
    recipient = raw.get("recipientPhone") if isinstance(raw, dict) else None
    return (recipient,) if isinstance(recipient, str) else ()


def _request(wanted: LegacySend, content: WhatsappTemplateContent) -> SendRequest:
    message = MessageRequest(
        channel=Channel.WHATSAPP,
        sender=wanted.sender_phone,
        recipient=wanted.recipient_phone,
        content=content,
        cust_refs=wanted.cust_refs,
        # Refusals use these paths; `_in_legacy_fields` translates them.
        path="message",
        content_path="components",
    )
    return SendRequest(
        messages=(message,),
        resource_type=ResourceType.LEGACY,
        tags=wanted.tag_texts,
        callback_url=wanted.callback_url or None,
    )


def _is_of_all_components(problem: FieldProblem) -> bool:
    return problem.parts[-1] == "components"


def _in_legacy_fields(problem: FieldProblem, fields: Sequence[str]) -> FieldProblem:
    """Return a problem under its field of the legacy body."""
    match problem.parts:
        case ("message", "sender"):
            field = "senderPhone"
        case ("components", int(index), "cards", int(card), *_):
            field = f"{fields[index]}[{card}]"
        case ("components", int(index), *_):
            field = fields[index]
        case _:
            field = "templateId"
    return FieldProblem(field, problem.message)
