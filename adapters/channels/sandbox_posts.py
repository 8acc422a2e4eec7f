"""What is posted in the name of the sandbox's provider: `{providerMessageId, status, errorCode?}`."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Any

import msgspec

from ...domain.errors import FieldProblem, ValidationFailedError
from ...domain.receipt import ReceiptStatus

VISIBLE_RULE = "must have 1 to 200 visible ASCII characters"
_VISIBLE = re.compile(r"[\x21-\x7e]{1,200}")


class PostedStatus(StrEnum):
    """What a receipt says, as providers spell it (SPEC section 6, C-39)."""

    SENT = "SENT"
    DELIVERED = "DELIVERED"
    READ = "READ"
    FAILED = "FAILED"

    @property
    def told(self) -> ReceiptStatus:
        """The status in our words."""
        return ReceiptStatus[self.name]


def visible(value: object) -> bool:
    """Say whether a value can be a provider's id or an error code, as `VISIBLE_RULE` has it."""
    return isinstance(value, str) and _VISIBLE.fullmatch(value) is not None


def posted(body: bytes) -> tuple[str, ReceiptStatus, str | None]:
    """Give id, status and error code; raises `ValidationFailedError` naming all that is wrong."""
    try:
        members: Any = msgspec.json.decode(body)
    except (msgspec.MsgspecError, RecursionError):
        raise ValidationFailedError([FieldProblem("body", "is not valid JSON")]) from None
    if not isinstance(members, dict):
        raise ValidationFailedError([FieldProblem("body", "must be an object")])
    told: Any = members.get("providerMessageId")
    status: Any = members.get("status")
    error_code: Any = members.get("errorCode")
    problems = []
    if not visible(told):
        problems.append(FieldProblem("provider_message_id", VISIBLE_RULE))
    if status not in tuple(PostedStatus):
        problems.append(FieldProblem("status", f"must be one of {', '.join(PostedStatus)}"))
    if error_code is not None and not visible(error_code):
        problems.append(FieldProblem("error_code", VISIBLE_RULE))
    if problems:
        raise ValidationFailedError(problems)
    return told, PostedStatus(status).told, error_code
