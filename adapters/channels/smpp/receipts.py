"""
Receipts: what an SMSC reports on a message that it took (SMPP 3.4, 5.2.12 and appendix B).

`is_receipt(delivery)` tells receipts from messages of people. `report_in(delivery, id_form, at)` reads one,
or raises `PduError`: answer it all the same, or the SMSC repeats it. `submitted_id(id, id_form)` turns the id
of a `submit_sm_resp` into the one that its receipts have.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime

from ....application.ports.channels import ProviderReport
from ....domain.limits import has_controls
from ....domain.receipt import Receipt, ReceiptStatus
from ..ids import id_in
from .bodies import DeliverSm
from .pdus import PduError
from .settings import DEC_TO_HEX, HEX_TO_DEC
from .tlvs import Tag

# Bits of `esm_class`: the type of a delivery, and two of its types. A person's phone can set neither.
_TYPE, _RECEIPT, _INTERMEDIATE = 0x3C, 0x04, 0x20
_STATES = {
    0: "SCHEDULED",
    1: "ENROUTE",
    2: "DELIVRD",
    3: "EXPIRED",
    4: "DELETED",
    5: "UNDELIV",
    6: "ACCEPTD",
    7: "UNKNOWN",
    8: "REJECTD",
    9: "SKIPPED",
}
# Words of states: those of SMPP, and those that SMSCs write out.
_STATUSES = {
    **dict.fromkeys(
        ("SCHEDULED", "ENROUTE", "ACCEPTD", "ACCEPTED", "BUFFERED"), ReceiptStatus.SENT
    ),
    **dict.fromkeys(("DELIVRD", "DELIVERD", "DELIVERED"), ReceiptStatus.DELIVERED),
    **dict.fromkeys(
        (
            *("EXPIRED", "DELETED", "UNDELIV", "UNDELIVERED", "UNDELIVERABLE", "UNKNOWN"),
            *("REJECTD", "REJECTED", "FAILED", "SKIPPED"),
        ),
        ReceiptStatus.FAILED,
    ),
}
_NAME = r"(?:id|sub|dlvrd|submit date|done date|stat|err|text)\s*:"
# A member without a value is followed by the name of the next one.
_MEMBER = re.compile(rf"\b(id|stat|err)\s*:\s*(?!{_NAME})([^\s,;]+)", re.IGNORECASE)
# The message's own text, which may be a code or look like a member, stands last.
_TEXT = re.compile(r"\btext\s*:.*", re.IGNORECASE | re.DOTALL)
_ZEROS = re.compile("0*")
_NUMBERS = {10: re.compile("[0-9]{1,64}"), 16: re.compile("[0-9a-fA-F]{1,64}")}
_LONGEST_CODE = 20
# A receipt has 150 octets; a search in the 64 KiB of a hostile one would hold the event loop.
_LONGEST_WORDS = 2_048
_UCS2 = 0x08


def is_receipt(delivery: DeliverSm) -> bool:
    """
    Return whether an SMSC delivers a receipt, and not a message of a person.

    The words of a receipt do not make one: anybody can write them (D-265).
    """
    if delivery.esm_class & _TYPE in (_RECEIPT, _INTERMEDIATE):
        return True
    return Tag.RECEIPTED_MESSAGE_ID in delivery.tlvs and Tag.MESSAGE_STATE in delivery.tlvs


def report_in(delivery: DeliverSm, id_form: str, at: datetime) -> ProviderReport:
    """
    Return the report in a receipt; its parameters count before its words.

    Raises `PduError` if it has no id or no state. `at` is the time of arrival: that of a receipt has no
    zone (D-266).
    """
    words = _words(delivery)
    message_id = id_in(_parameter(delivery, Tag.RECEIPTED_MESSAGE_ID) or words.get("id"))
    state = _state(delivery) or words.get("stat", "").upper()
    status = _STATUSES.get(state)
    if status is None or message_id is None:
        raise PduError("a receipt has no id, or no state that is known")
    code = (_code(delivery, words) or state) if status is ReceiptStatus.FAILED else None
    return ProviderReport(
        provider_message_id=_receipted_id(message_id, id_form),
        receipt=Receipt(status=status, error_code=code, reported_at=at),
    )


def submitted_id(message_id: str, id_form: str) -> str:
    """
    Return the id of a response in the form that `report_in` returns.

    It is the id itself if both are the same. Otherwise it is a number, without zeros before it (D-267).
    """
    if id_form == HEX_TO_DEC:
        return _renumbered(message_id, 10, "d")
    return _renumbered(message_id, 16, "x") if id_form == DEC_TO_HEX else message_id


def _receipted_id(message_id: str, id_form: str) -> str:
    if id_form == HEX_TO_DEC:
        return _renumbered(message_id, 16, "d")
    return _renumbered(message_id, 10, "x") if id_form == DEC_TO_HEX else message_id


def _renumbered(message_id: str, base: int, form: str) -> str:
    """Return a number in another form; an id that is none stays as it is."""
    is_number = _NUMBERS[base].fullmatch(message_id) is not None
    return format(int(message_id, base), form) if is_number else message_id


def _words(delivery: DeliverSm) -> Mapping[str, str]:
    """Return the members of a receipt's words that count, by their names in lower case."""
    octets = delivery.short_message or delivery.tlvs.get(Tag.MESSAGE_PAYLOAD, b"")
    octets = octets[:_LONGEST_WORDS]
    # Receipts are ASCII, whatever the SMSC's own alphabet is.
    words = octets.decode("utf-16-be" if delivery.data_coding == _UCS2 else "latin-1", "replace")
    found: dict[str, str] = {}
    for member in _MEMBER.finditer(_TEXT.sub("", words).replace("\0", " ")):
        found.setdefault(member[1].lower(), member[2])
    return found


def _parameter(delivery: DeliverSm, tag: Tag) -> str:
    """Return a parameter that is a text; its NUL may be missing, or others may follow."""
    return delivery.tlvs.get(tag, b"").partition(b"\0")[0].decode("latin-1").strip()


def _state(delivery: DeliverSm) -> str | None:
    octets = delivery.tlvs.get(Tag.MESSAGE_STATE, b"")
    return _STATES.get(octets[0]) if len(octets) == 1 else None


def _code(delivery: DeliverSm, words: Mapping[str, str]) -> str | None:
    """Return the network's or the SMSC's code of a failure; zeros are none."""
    code = words.get("err", "")
    if not _ZEROS.fullmatch(code) and len(code) <= _LONGEST_CODE and not has_controls(code):
        return code
    # One octet names the kind of network, and two are its code (SMPP 3.4, 5.3.2.31).
    network = delivery.tlvs.get(Tag.NETWORK_ERROR_CODE, b"")
    number = int.from_bytes(network[1:], "big") if len(network) == 3 else 0
    return str(number) if number else None
