"""The price of a send, as its provider counts it (C-72)."""

from __future__ import annotations

import re

from attrs import frozen

AMOUNT = re.compile(r"[0-9]{1,12}(?:\.[0-9]{1,12})?")
CURRENCY = re.compile("[A-Z]{3}")


@frozen
class Price:
    """An amount, as decimal digits in a text, and its currency in three letters (ISO 4217)."""

    amount: str
    currency: str
