"""The price of a send, as its provider counts it (C-72)."""

from __future__ import annotations

from attrs import frozen


@frozen
class Price:
    """An amount, as decimal digits in a text, and its currency in three letters (ISO 4217)."""

    amount: str
    currency: str
