"""
Bodies that clients post in the name of the sandbox's provider: receipts and template decisions.

A receipt is `{providerMessageId? | reference?, status, errorCode?}`, a decision
`{template: {name, senderProfile? | language?}, status, reason?}`.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import msgspec
from attrs import frozen

from ...application.ports.channels import TemplateReview
from ...domain.approval import MAX_REASON
from ...domain.errors import FieldProblem, ValidationFailedError
from ...domain.receipt import ReceiptStatus

VISIBLE_RULE = "must have 1 to 200 visible ASCII characters"
_VISIBLE = re.compile(r"[\x21-\x7e]{1,200}")
MAX_TEXT = 512


class PostedStatus(StrEnum):
    """The status in a receipt, as providers spell it (SPEC section 6, C-39)."""

    SENT = "SENT"
    DELIVERED = "DELIVERED"
    READ = "READ"
    FAILED = "FAILED"

    @property
    def receipt_status(self) -> ReceiptStatus:
        """The status of the domain that this one means."""
        return ReceiptStatus[self.name]


class PostedDecision(StrEnum):
    """The decision on a template, as providers spell it."""

    APPROVED = "APPROVED"
    REJECTED = "REJECTED"


@frozen
class PostedReceipt:
    """A receipt without the time of its arrival."""

    provider_message_id: str | None
    reference: str | None
    status: ReceiptStatus
    error_code: str | None


def visible(value: object) -> bool:
    """Return whether a value can be a provider's id or an error code by `VISIBLE_RULE`."""
    return isinstance(value, str) and _VISIBLE.fullmatch(value) is not None


def queried(url: str) -> bytes:
    """Return the body that has the members of a query."""
    return msgspec.json.encode(dict(parse_qsl(urlsplit(url).query)))


def posted(body: bytes) -> PostedReceipt | TemplateReview:
    """Read a posted body; raises `ValidationFailedError`, which names every problem."""
    try:
        members: Any = msgspec.json.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise ValidationFailedError([FieldProblem("body", "is not valid JSON")]) from None
    if not isinstance(members, dict):
        raise ValidationFailedError([FieldProblem("body", "must be an object")])
    return _review(members) if members.get("template") is not None else _receipt(members)


def _receipt(members: dict[str, Any]) -> PostedReceipt:
    provider_id: Any = members.get("providerMessageId")
    reference: Any = members.get("reference")
    error_code: Any = members.get("errorCode")
    problems = []
    if not visible(provider_id) and (provider_id is not None or reference is None):
        problems.append(FieldProblem("provider_message_id", VISIBLE_RULE))
    if reference is not None and not visible(reference):
        problems.append(FieldProblem("reference", VISIBLE_RULE))
    problems += _not_one_of(members.get("status"), PostedStatus)
    if error_code is not None and not visible(error_code):
        problems.append(FieldProblem("error_code", VISIBLE_RULE))
    if problems:
        raise ValidationFailedError(problems)
    return PostedReceipt(
        provider_id, reference, PostedStatus(members["status"]).receipt_status, error_code
    )


def _review(members: dict[str, Any]) -> TemplateReview:
    template: Any = members["template"]
    if not isinstance(template, dict):
        raise ValidationFailedError([FieldProblem("template", "must be an object")])
    problems = [
        *_not_text(template.get("name"), "template.name", required=True),
        *_not_text(template.get("senderProfile"), "template.sender_profile"),
        *_not_text(template.get("language"), "template.language"),
        *_not_one_of(members.get("status"), PostedDecision),
        *_not_text(members.get("reason"), "reason", most=MAX_REASON),
    ]
    if problems:
        raise ValidationFailedError(problems)
    return TemplateReview(
        name=template["name"],
        sender_profile=template.get("senderProfile"),
        language=template.get("language"),
        approved=members["status"] == PostedDecision.APPROVED,
        reason=members.get("reason"),
    )


def _not_text(
    value: Any, path: str, *, most: int = MAX_TEXT, required: bool = False
) -> list[FieldProblem]:
    if value is None and not required:
        return []
    if isinstance(value, str) and 1 <= len(value) <= most and "\0" not in value:
        return []
    return [FieldProblem(path, f"must be a text of 1 to {most} characters")]


def _not_one_of(value: Any, words: type[StrEnum]) -> list[FieldProblem]:
    if value in tuple(words):
        return []
    return [FieldProblem("status", f"must be one of {', '.join(words)}")]
