"""Statuses of messages, as receipts (C-22)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime

from msgspec import Raw, Struct

from .....application.ports.channels import ProviderReport
from .....domain.receipt import Receipt, ReceiptStatus
from ...ids import id_in
from ...reported_times import reported_time
from .parts import read_part

_STATUSES = {
    "sent": ReceiptStatus.SENT,
    "delivered": ReceiptStatus.DELIVERED,
    "read": ReceiptStatus.READ,
    # Of a voice message: who played it has it.
    "played": ReceiptStatus.READ,
    "failed": ReceiptStatus.FAILED,
}
# Seconds since 1970, as Meta writes them.
_SECONDS = re.compile("[0-9]{1,11}")
# Meta's codes are numbers of up to seven digits.
_CODE = re.compile("[0-9A-Za-z]{1,12}")


class _Error(Struct, frozen=True):
    code: int | str | None = None


class _Status(Struct, frozen=True):
    id: str
    status: str
    timestamp: str | int | None = None
    biz_opaque_callback_data: str | None = None
    errors: list[_Error] | None = None


def receipt_in(raw: Raw, addressed_to: Mapping[str, str], now: datetime) -> ProviderReport | None:
    """Return the receipt in a status; None if it cannot be read, or says something new."""
    said = read_part(raw, _Status)
    status = None if said is None else _STATUSES.get(said.status)
    if said is None or status is None:
        return None
    message_id, at = id_in(said.id), _time(said.timestamp, now)
    if message_id is None or at is None:
        return None
    code = _code(said.errors) if status is ReceiptStatus.FAILED else None
    return ProviderReport(
        provider_message_id=message_id,
        # It explains a send whose outcome nobody knew (C-68).
        reference=id_in(said.biz_opaque_callback_data),
        receipt=Receipt(status=status, error_code=code, reported_at=at),
        addressed_to=addressed_to,
    )


def _code(errors: list[_Error] | None) -> str | None:
    """Return the number of the first error; its words are not kept, because they may quote the message."""
    found = "" if not errors or errors[0].code is None else str(errors[0].code)
    return found if _CODE.fullmatch(found) else None


def _time(said: str | int | None, now: datetime) -> datetime | None:
    """
    Return the time of a status; None if it is no number of seconds.

    It is `now` if there is none, and if it cannot be right: a receipt is not lost to a wrong clock.
    """
    if said is None:
        return now
    return reported_time(str(said), now) if _SECONDS.fullmatch(str(said)) else None
