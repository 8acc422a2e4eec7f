"""Adapters read the posts of providers, and every part is recorded (C-34)."""

from __future__ import annotations

import pytest
from attrs import frozen

from tests.application.house import House, build_house
from tests.application.post_office import RECIPIENT, message, send
from tests.application.receipts import DELIVERED, SENT, parked, recorded_statuses
from tests.fakes.signing import SECRET, SIGNATURE, SigningProvider, inbound, letter, receipt
from tests.fakes.signing import signature as signed
from watchword.adapters.logging_observer import LoggingObserver
from watchword.application.errors import UnavailableError
from watchword.application.messages.tracking.receiving_provider_webhooks import UnsignedError
from watchword.application.ports.channels import Post
from watchword.application.ports.provider_observer import LeftOut, ProviderObserver
from watchword.domain.accounts.channel_account import ChannelAccountNotFoundError
from watchword.domain.channel import Channel
from watchword.domain.errors import ValidationFailedError
from watchword.domain.receipt import ReceiptStatus


@frozen
class Courier:
    """A house whose SMS go out through a provider that signs its posts."""

    house: House
    account: str

    async def post(self, body: bytes, signature: str | None = None) -> None:
        """Post a letter, with the right signature unless another is given."""
        post = Post(headers={SIGNATURE: signature or signed(body)}, body=body)
        await self.house.service.provider_webhooks.receive(self.account, post, "req_post")


class Counting(LoggingObserver):
    """Counts what was left out, and logs the rest."""

    def __init__(self) -> None:
        super().__init__()
        self.counted: list[tuple[LeftOut, str | None, int]] = []

    def left_out(self, _: str, reason: LeftOut, error: str | None, number: int, /) -> None:
        """Keep the numbers."""
        self.counted.append((reason, error, number))


async def with_a_courier(*observers: ProviderObserver) -> Courier:
    """Open the house with a channel account of the courier."""
    house = await build_house(others={"courier": SigningProvider()}, provider_observers=observers)
    account = await house.service.channel_accounts.create(
        house.by,
        channel_type=Channel.SMS,
        provider="courier",
        name="courier",
        sender="COURIER",
        config={"secret": SECRET},
    )
    return Courier(house, account.id)


async def test_a_letter_is_recorded_whole() -> None:
    """Receipts on their messages, notes as messages, all under the request's id."""
    courier = await with_a_courier()
    house = courier.house
    (sent,) = await send(house, message(sender="COURIER"))
    known = f"courier-{sent.message_id}"
    await courier.post(
        letter(
            receipt(known, SENT),
            inbound("n-1", RECIPIENT, "COURIER", "Hi"),
            receipt(known, DELIVERED),
        )
    )
    log = await house.store.read_log(0, 1000)

    assert ["sent", "delivered"] == await recorded_statuses(house, "MessageReported")
    assert {"MessageReported", "MessageReceived"} == {
        each.type for each in log if each.request_id == "req_post"
    }


async def test_a_letter_that_comes_again_moves_nothing() -> None:
    """Its receipts are recorded again, its notes are not (C-22, D-37)."""
    courier = await with_a_courier()
    (sent,) = await send(courier.house, message(sender="COURIER"))
    body = letter(
        receipt(f"courier-{sent.message_id}", DELIVERED), inbound("n-1", RECIPIENT, "COURIER", "Hi")
    )
    await courier.post(body)
    await courier.post(body)
    log = await courier.house.store.read_log(0, 1000)

    assert ["delivered", "delivered"] == await recorded_statuses(courier.house, "MessageReported")
    assert 1 == sum(each.type == "MessageReceived" for each in log)


async def test_a_forged_letter_changes_nothing() -> None:
    """The refusal says where to look for the reason."""
    courier = await with_a_courier()
    with pytest.raises(UnsignedError, match="signature"):
        await courier.post(letter(receipt("courier-1", DELIVERED)), "forged")

    assert [] == await parked(courier.house)


async def test_a_letter_that_cannot_be_read_is_refused() -> None:
    """The adapter names the mistake."""
    courier = await with_a_courier()
    with pytest.raises(ValidationFailedError):
        await courier.post(b"no letter")


async def test_unknown_accounts_and_providers_are_not_found() -> None:
    """An unknown id, and an account whose provider this node lacks."""
    courier = await with_a_courier()
    elsewhere = (await build_house()).service.provider_webhooks
    for receiving, account in (
        (courier.house.service.provider_webhooks, "cha_unknown"),
        (courier.house.service.provider_webhooks, courier.house.by.account_id),
        (elsewhere, courier.account),
    ):
        with pytest.raises(ChannelAccountNotFoundError):
            await receiving.receive(account, Post(), "req_post")


async def test_a_part_that_fails_keeps_no_other_waiting() -> None:
    """It is counted and left out: repeated for days, it would fail each time (D-46)."""
    counting = Counting()
    courier = await with_a_courier(counting)
    house = courier.house
    (sent,) = await send(house, message(sender="COURIER"))

    async def break_down() -> None:
        raise LookupError("an unreadable stream")

    house.store.meanwhile = break_down
    known = f"courier-{sent.message_id}"
    await courier.post(letter(receipt(known, SENT), receipt(known, DELIVERED)))

    assert [(LeftOut.INAPPLICABLE, "LookupError", 1)] == counting.counted
    assert ["delivered"] == await recorded_statuses(house, "MessageReported")


async def test_a_store_out_of_reach_is_told_at_once() -> None:
    """The provider posts all of it again later."""
    courier = await with_a_courier()
    courier.house.store.reachable = False
    with pytest.raises(UnavailableError):
        await courier.post(letter(*[receipt("courier-1", SENT)] * 1000))


async def test_receipts_of_one_message_keep_their_order() -> None:
    """Many parts are recorded side by side, and those of one message one after the other."""
    courier = await with_a_courier()
    sent = [*await send(courier.house, *[message(sender="COURIER")] * 20)]
    news = [
        receipt(f"courier-{each.message_id}", status) for status in ReceiptStatus for each in sent
    ]
    await courier.post(letter(*news))
    log = await courier.house.store.read_log(0, 1000)
    reported = [each for each in log if each.type == "MessageReported"]

    assert {each.message_id: [*ReceiptStatus] for each in sent} == {
        each.message_id: [
            getattr(event.event, "status", None)
            for event in reported
            if event.stream == each.message_id
        ]
        for each in sent
    }
