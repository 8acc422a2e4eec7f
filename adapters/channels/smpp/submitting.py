"""
Make the `submit_sm` of a message.

`submits(message, settings, reference, now)` returns one for each part, in order, or the `Rejected` of a
message that SMPP cannot carry.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

from ....application.ports.channels import Fault, Message, Rejected
from .addresses import LONGEST_NAME, recipient_address, sender_address
from .bodies import SubmitSm
from .segmenting import MAX_PARTS, TooManyPartsError, parts_of
from .settings import DltSettings, SmppSettings

# The SMSC sends a receipt for the message, whatever becomes of it (SMPP 3.4, 5.2.17).
_RECEIPT = 1
# Operators in India have ids of up to 19 digits; the parameter has room for so many octets.
_LONGEST_DLT_ID = 30
_DLT_ID = re.compile(rf"[\x21-\x7e]{{1,{_LONGEST_DLT_ID}}}")
_NUL = b"\0"


def submits(
    message: Message, settings: SmppSettings, reference: int, now: datetime
) -> Sequence[SubmitSm] | Rejected:
    """
    Return the parts of a message, or why there are none.

    `reference` is a number of the parts: the next one for each message of a session. `now` is aware.
    """
    destination = recipient_address(message.destination, settings.dest_ton, settings.dest_npi)
    if destination is None:
        words = "The recipient is no phone number. Begin it with + and the country code."
        return Rejected("smpp_destination", words, Fault.RECIPIENT)
    source = sender_address(message.sender, settings.source_ton, settings.source_npi)
    if source is None:
        words = (
            f"The sender is neither a number nor a name of up to {LONGEST_NAME} letters, digits and"
            " signs. Change that of the channel account or of the send."
        )
        return Rejected("smpp_sender", words, Fault.ACCOUNT)
    dlt = _dlt(message, settings.dlt)
    if dlt is None:
        words = f"A DLT id has up to {_LONGEST_DLT_ID} characters without blanks. Correct it."
        return Rejected("smpp_dlt_id", words, Fault.CONTENT)
    try:
        parts = parts_of(
            message.text,
            settings.encoding,
            settings.long_messages,
            reference,
            unicode=message.unicode is True,
        )
    except TooManyPartsError:
        words = f"The text has more than {MAX_PARTS} parts. Shorten it."
        return Rejected("smpp_too_long", words, Fault.CONTENT)
    until = _validity(message.ttl_seconds, now)
    return [
        SubmitSm(
            source=source,
            destination=destination,
            esm_class=part.esm_class,
            validity_period=until,
            # The receipt of the first part stands for all of them: its id is that of the message.
            registered_delivery=0 if at else _RECEIPT,
            data_coding=part.data_coding,
            short_message=part.short_message,
            tlvs={**part.tlvs, **dlt},
        )
        for at, part in enumerate(parts)
    ]


def _validity(ttl_seconds: int | None, now: datetime) -> str:
    """Return the end of a message's life in UTC, in the absolute form (SMPP 3.4, 7.1.1)."""
    if ttl_seconds is None:
        return ""
    return f"{now.astimezone(UTC) + timedelta(seconds=ttl_seconds):%y%m%d%H%M%S}000+"


def _dlt(message: Message, settings: DltSettings) -> Mapping[int, bytes] | None:
    """Return the parameters of the DLT ids that a message has (C-99); None if one of them is none."""
    ids = {
        tag: value
        for tag, value in (
            (settings.entity_tag, message.entity_id),
            (settings.template_tag, message.template_id),
        )
        if value is not None
    }
    if not all(_DLT_ID.fullmatch(each) for each in ids.values()):
        return None
    if ids and settings.telemarketer_id is not None:
        ids[settings.telemarketer_tag] = settings.telemarketer_id
    end = _NUL if settings.nul else b""
    return {tag: value.encode("ascii") + end for tag, value in ids.items()}
