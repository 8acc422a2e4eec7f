"""What a whole service does with a carrier that is not ours: the tests of every counterpart of SMPP."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import ClassVar

import pytest

from tests.counterparts.carriers import Carrier
from tests.counterparts.shops import PHONE, Shop, open_shop, phone
from tests.crash.waiting import until

# Each has characters that need an escape around the places where it is cut.
TEXTS = {
    "short": "Your tea costs 4€ [today] {only} ~5|6^7\\8",
    "160 septets": "a" * 158 + "€",
    "161 septets": "a" * 152 + "€" + "b" * 7,
    "three parts": "Tea [and] €uro " * 28,
    "Cyrillic": "Ваш чай готов.",
    "long Devanagari": "आपकी चाय तैयार है। " * 8,
    "long emoji": "x" + "😀🍵" * 60,
}


class SmppCounterpart:
    """Inherit, and name the carrier's class."""

    carrier_class: ClassVar[type[Carrier]]
    binds: ClassVar = {
        "transceiver": ["transceiver"],
        "separate": ["receiver", "transmitter"],
    }

    @pytest.fixture(params=["transceiver", "separate"])
    def bind(self, request: pytest.FixtureRequest) -> str:
        """Return how the service binds."""
        return str(request.param)

    @pytest.fixture
    async def carrier(self) -> AsyncIterator[Carrier]:
        """Yield a carrier that listens."""
        carrier = self.carrier_class()
        await carrier.start()
        try:
            yield carrier
        finally:
            await carrier.stop()

    @pytest.fixture
    async def shop(self, carrier: Carrier, bind: str, tmp_path: Path) -> AsyncIterator[Shop]:
        """Yield a service that is bound."""
        async with open_shop(tmp_path, "smpp", carrier.config | {"bind": bind}) as shop:
            await carrier.bound(self.binds[bind])
            yield shop

    async def test_a_code_arrives_and_its_receipt_comes_back(
        self, shop: Shop, carrier: Carrier
    ) -> None:
        """What the carrier's codec reads verifies the PIN, whose attempt is then delivered."""
        pin_id = await shop.issue("{{pin}} ^ tea ^ €")
        ((to, text),) = carrier.texts
        (code,) = re.findall(r"^(\d+) \^ tea \^ €$", text)
        verified = await shop.service.pins.verify(shop.account, pin_id, code)

        assert (PHONE[1:], "VERIFIED") == (to, verified.status)
        await shop.pin_delivered(pin_id)

    async def test_texts_of_any_length_arrive_whole(self, shop: Shop, carrier: Carrier) -> None:
        """GSM-7 with escapes, UCS-2 and emoji, joined from their parts; each is delivered."""
        ids = [await shop.send(number, text) for number, text in enumerate(TEXTS.values())]
        await shop.delivered(ids)

        expected = [(phone(number)[1:], text) for number, text in enumerate(TEXTS.values())]
        assert expected == sorted(carrier.texts)
        await until(lambda: [0] * len(TEXTS) == carrier.answered)

    @pytest.mark.parametrize("form", ["udh16", "sar", "payload"])
    async def test_long_texts_arrive_whole_in_each_form(
        self, carrier: Carrier, form: str, tmp_path: Path
    ) -> None:
        """In parts with a longer header or with SAR parameters, or in message_payload."""
        texts = [TEXTS["three parts"], TEXTS["long emoji"]]
        config = carrier.config | {"longMessages": form}
        async with open_shop(tmp_path, "smpp", config) as shop:
            await shop.delivered([await shop.send(at, text) for at, text in enumerate(texts)])

        assert texts == [text for _, text in carrier.texts]
        assert (form == "payload") == (len(carrier.parts) == len(texts))

    async def test_people_are_heard(self, shop: Shop, carrier: Carrier) -> None:
        """Their messages come once each, the long one in one piece."""
        await carrier.say("447911000001", "Watchword", "Is it [ready]?")
        await carrier.say("447911000002", "Watchword", "Чай 🍵?", unicode=True)
        await carrier.say("447911000003", "Watchword", "one, ", "two, ", "three")

        expected = [
            ("+447911000001", "Is it [ready]?"),
            ("+447911000002", "Чай 🍵?"),
            ("+447911000003", "one, two, three"),
        ]
        await shop.heard(expected)
        assert [0] * 5 == carrier.answered

    async def test_after_a_throttle_messages_pass_again(self, shop: Shop, carrier: Carrier) -> None:
        """The throttled one is refused, and not sent a second time."""
        await carrier.throttle(1)
        refused = await shop.send(0, "No.")
        assert ["rejected"] == await shop.statuses([refused])
        await shop.delivered([await shop.send(1, "Yes.")])

        assert ["Yes."] == [text for _, text in carrier.texts]

    async def test_the_service_binds_again_when_the_carrier_restarts(
        self, shop: Shop, carrier: Carrier, bind: str
    ) -> None:
        """No send is needed for it: receipts and people would wait else."""
        await shop.delivered([await shop.send(0, "Before.")])
        await carrier.stop()
        carrier.binds.clear()
        await carrier.start()
        await carrier.bound(self.binds[bind])
        await shop.delivered([await shop.send(1, "After.")])

        assert ["Before.", "After."] == [text for _, text in carrier.texts]
