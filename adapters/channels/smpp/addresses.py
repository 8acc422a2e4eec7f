"""
The addresses of a message: digits without a plus, their type (TON) and their numbering plan (NPI).

`recipient_address(destination, ...)` and `sender_address(sender, ...)` return None for what SMPP cannot
carry. `number_in(address)` returns an address of an SMSC as people write it.
"""

from __future__ import annotations

import re

from ....domain.channel import Channel
from ....domain.destination import destination_problem, digits_of
from ....domain.sms.gsm7 import to_gsm7
from .bodies import Address

UNKNOWN, INTERNATIONAL, NETWORK_SPECIFIC, ALPHANUMERIC = 0, 1, 3, 5
NO_PLAN, TELEPHONE = 0, 1
# A phone shows so many septets of a name (3GPP TS 23.040, 9.1.2.5).
LONGEST_NAME = 11
# The field has room for so many digits.
_LONGEST_NUMBER = 20
# No number with a country code is so short.
_LONGEST_SHORT_CODE = 8
_NUMBER = re.compile(r"\+?[0-9][0-9 .()-]*")


def recipient_address(
    destination: str, ton: int | None = None, npi: int | None = None
) -> Address | None:
    """Return the address of a recipient; None for a destination that is no phone number."""
    if destination_problem(destination, Channel.SMS) is not None:
        return None
    # No country code begins with a zero, so zeros at the beginning are the prefix `00`. A zero behind the
    # country code stays, since Italian numbers have one, unless people wrote it as (0).
    digits = digits_of(destination.replace("(0)", "")).lstrip("0")
    return _address(INTERNATIONAL, TELEPHONE, digits, ton, npi)


def sender_address(
    sender: str | None, ton: int | None = None, npi: int | None = None
) -> Address | None:
    """
    Return the address of a sender: a number, a short code or a name; None for anything else.

    A message without a sender has an empty address, and the SMSC puts in its own.
    """
    if sender is None:
        return _address(UNKNOWN, NO_PLAN, "", ton, npi)
    if _NUMBER.fullmatch(sender) is None:
        return _address(ALPHANUMERIC, NO_PLAN, sender, ton, npi) if _is_name(sender) else None
    digits = digits_of(sender)
    if not sender.startswith("+") and len(digits) <= _LONGEST_SHORT_CODE:
        return _address(NETWORK_SPECIFIC, NO_PLAN, digits, ton, npi)
    # One zero at the beginning is that of a national number, and two are another plus.
    is_national = digits.startswith("0") and not digits.startswith("00") and sender[0] != "+"
    digits = digits if is_national else digits.lstrip("0")
    if not 0 < len(digits) <= _LONGEST_NUMBER:
        return None
    return _address(UNKNOWN if is_national else INTERNATIONAL, TELEPHONE, digits, ton, npi)


def number_in(address: Address) -> str:
    """Return an address of an SMSC: an international number has a plus, all others are as they came."""
    if address.ton == INTERNATIONAL and address.value.isdecimal():
        return f"+{address.value}"
    return address.value


def _is_name(sender: str) -> bool:
    septets = to_gsm7(sender) if sender.isascii() and sender.isprintable() else None
    return septets is not None and 0 < len(septets) <= LONGEST_NAME


def _address(ton: int, npi: int, value: str, own_ton: int | None, own_npi: int | None) -> Address:
    """Return an address, with the type and plan that the operator's config has for all of them."""
    return Address(ton if own_ton is None else own_ton, npi if own_npi is None else own_npi, value)
