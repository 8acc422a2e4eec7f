"""The provider `smpp` on the server of smpp34, which a wheel brings."""

from __future__ import annotations

from typing import ClassVar

import pytest

from tests.counterparts.smpp34_carrier import Smpp34Carrier
from tests.counterparts.suite import SmppCounterpart


class TestSmpp34(SmppCounterpart):
    """Its receipts have optional parameters alone."""

    carrier_class = Smpp34Carrier
    binds: ClassVar = {"transceiver": ["receiving"]}

    @pytest.fixture
    def bind(self) -> str:
        """Return the bind that it can do: to a receiver it pushes, but refuses the answers as unknown."""
        return "transceiver"
