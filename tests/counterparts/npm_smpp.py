"""
The provider `smpp` on the server of npm's `smpp`; `make counterparts` runs it.

`pytest tests/counterparts/npm_smpp.py`, after `make counterparts-packages`
"""

from __future__ import annotations

from tests.counterparts.npm_carrier import NpmCarrier
from tests.counterparts.suite import SmppCounterpart


class TestNpmSmpp(SmppCounterpart):
    """Its receipts are in words."""

    carrier_class = NpmCarrier
