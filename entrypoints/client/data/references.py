"""References of the caller's own, as each channel spells them."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import field

from .wire import CamelWire, Wire

SmsReference = str | Mapping[str, str]


class SmsReferences(CamelWire, frozen=True, kw_only=True):
    """References of an SMS: texts, or texts by name."""

    cust_ref1: SmsReference | None = None
    cust_ref2: SmsReference | None = None
    cust_ref3: SmsReference | None = None
    cust_ref4: SmsReference | None = None
    cust_ref5: SmsReference | None = None


class References(Wire, frozen=True, kw_only=True):
    """References of a message on WhatsApp or RCS."""

    cust_ref1: str | None = field(default=None, name="custref1")
    cust_ref2: str | None = field(default=None, name="custref2")
    cust_ref3: str | None = field(default=None, name="custref3")
    cust_ref4: str | None = field(default=None, name="custref4")
    cust_ref5: str | None = field(default=None, name="custref5")
