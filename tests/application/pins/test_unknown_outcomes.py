"""A code with an unknown outcome: its PIN is live (C-68, C-99)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.application.house import House, build_house
from tests.application.receipts import DELIVERED, FAILED, NOON, audited, take_receipts
from tests.fakes.providers import BlabbingProvider, HesitantProvider, ScriptedProvider
from watchword.application.pins.resending_pins import ResendRequest
from watchword.application.ports.channels import (
    Accepted,
    Message,
    ProviderReport,
    Rejected,
    Unknown,
)
from watchword.application.records.pin import VerificationRow
from watchword.domain.channel import Channel, OutcomeStatus
from watchword.domain.pin import (
    DispatchFailedError,
    PinExpiredError,
    PinNotFoundError,
    PinStatus,
    pin_decider,
)
from watchword.domain.receipt import Receipt, ReceiptStatus


async def silent_house() -> House:
    """Build a house whose provider takes every message and never says so."""
    return await build_house(HesitantProvider(), provider_timeout=0.01)


async def unheard(house: House) -> str:
    """Create a PIN that the refusal names, and return its id."""
    with pytest.raises(DispatchFailedError) as refusal:
        await house.issue()
    return str(refusal.value.details["pinId"])


def named(message: Message, status: ReceiptStatus) -> ProviderReport:
    """Write a receipt that knows the message by our reference alone."""
    return ProviderReport(
        reference=message.reference, receipt=Receipt(status=status, reported_at=NOON)
    )


async def shown(house: House, pin_id: str) -> tuple[str, str | None]:
    """Return status and receipt of the first channel, as the search of verifications shows them."""
    row = await house.store.row(VerificationRow, pin_id)
    assert row is not None
    (channel,) = row.channels
    return channel["status"], channel.get("receipt", {}).get("status")


async def test_a_code_that_arrived_after_all_verifies() -> None:
    """The 502 names the PIN, which is PENDING; history and search read unknown."""
    house = await silent_house()
    async with audited(house):
        pin_id = await unheard(house)
        pin = (await house.service.journal.load(pin_decider, pin_id)).state

        assert PinStatus.PENDING is pin.life.status
        assert [OutcomeStatus.UNKNOWN] == [each.status for each in pin.outcomes]
        assert ("unknown", None) == await shown(house, pin_id)

        verified = await house.service.verifying.verify(house.by, pin_id, house.code())
        assert PinStatus.VERIFIED is verified.status


@pytest.mark.parametrize("provider", [BlabbingProvider(), HesitantProvider()])
async def test_an_exception_and_silence_are_unknown_alike(provider: ScriptedProvider) -> None:
    """An adapter that fails may have sent the code before it did."""
    house = await build_house(provider, provider_timeout=0.01)
    pin_id = await unheard(house)

    assert "unknown" == (await shown(house, pin_id))[0]


async def test_a_rejection_tells_no_id() -> None:
    """If every channel certainly rejected it, there is no PIN to verify or resend."""

    async def refuse(_: Message) -> Rejected:
        return Rejected("no_such_table", "Nobody sits there.")

    house = await build_house(ScriptedProvider(refuse))
    with pytest.raises(DispatchFailedError) as refusal:
        await house.issue()
    (pin_id,) = await house.pins()

    assert {"channels"} == refusal.value.details.keys()
    with pytest.raises(PinNotFoundError):
        await house.service.verifying.verify(house.by, pin_id, house.code())


async def test_its_resend_need_not_wait() -> None:
    """The caller may try again at once: the cooldown is not spent, and the attempts are new."""
    house = await silent_house()
    pin_id = await unheard(house)
    house.provider.script = None
    resent = await house.service.resending.resend(house.by, pin_id, ResendRequest())

    assert (pin_id, PinStatus.PENDING) == (resent.pin_id, resent.status)


async def test_a_resend_of_which_nobody_knows_names_its_pin_too() -> None:
    """Its new code is the live one, and can be verified."""
    house = await build_house()
    pin_id = (await house.issue()).pin_id
    house.clock.move(60)

    async def lose(_: Message) -> Unknown:
        return Unknown(message="The connection was cut.")

    house.provider.script = lose
    with pytest.raises(DispatchFailedError) as refusal:
        await house.service.resending.resend(house.by, pin_id, ResendRequest())

    assert {
        "pinId": pin_id,
        "channels": [
            {
                "channel": "sms",
                "status": "rejected",
                "errorCode": "provider_unknown",
                "errorMessage": "The connection was cut.",
            }
        ],
    } == refusal.value.details
    verified = await house.service.verifying.verify(house.by, pin_id, house.code())
    assert PinStatus.VERIFIED is verified.status


async def test_it_takes_the_live_code_as_an_acceptance_does() -> None:
    """The PIN before it retires: two codes of one destination are never live at once."""
    house = await build_house(provider_timeout=0.01)
    first = (await house.issue()).pin_id
    first_code = house.code()
    house.provider.script = HesitantProvider().script
    async with audited(house):
        await unheard(house)

        with pytest.raises(PinExpiredError) as refusal:
            await house.service.verifying.verify(house.by, first, first_code)
        assert "superseded" == refusal.value.details["reason"]


@pytest.mark.parametrize("status", [DELIVERED, FAILED])
async def test_a_later_receipt_explains_it(status: ReceiptStatus) -> None:
    """A provider that reports on a code has accepted it: the channel reads `accepted`, with the receipt."""
    house = await silent_house()
    async with audited(house):
        pin_id = await unheard(house)
        (handed,) = house.provider.messages
        await take_receipts(house, handed, named(handed, status))

        assert ("accepted", str(status)) == await shown(house, pin_id)


async def test_a_receipt_that_is_faster_than_the_time_out_explains_it() -> None:
    """It finds the code by our reference while the send is under way; the answer is still 502."""
    house = await build_house()

    async def report_and_get_lost(message: Message) -> Unknown:
        await take_receipts(house, message, named(message, DELIVERED))
        return Unknown()

    house.provider.script = report_and_get_lost
    async with audited(house):
        pin_id = await unheard(house)

        assert ("accepted", "delivered") == await shown(house, pin_id)


async def test_an_id_that_the_adapter_chose_is_known_by() -> None:
    """If the adapter chooses the provider's id, receipts find the code by it."""

    async def lose(_: Message) -> Unknown:
        return Unknown(provider_message_id="chosen-1")

    house = await build_house(ScriptedProvider(lose))
    async with audited(house):
        pin_id = await unheard(house)
        (handed,) = house.provider.messages
        told = Receipt(status=DELIVERED, reported_at=NOON)
        await take_receipts(
            house, handed, ProviderReport(provider_message_id="chosen-1", receipt=told)
        )

        assert ("accepted", "delivered") == await shown(house, pin_id)


async def test_a_channel_account_explains_what_went_to_it_alone() -> None:
    """Another one of the same account cannot say of a code that it arrived: it never had it."""
    house = await silent_house()
    pin_id = await unheard(house)
    (handed,) = house.provider.messages
    other = await house.service.channel_accounts.create(
        house.by, channel_type=Channel.SMS, provider="scripted", name="other", config={}
    )
    await house.service.tracking_receipts.track(other.id, named(handed, DELIVERED))

    assert ("unknown", None) == await shown(house, pin_id)


async def test_a_reference_opens_no_other_accounts_pin() -> None:
    """A report of a channel account moves only its own account's codes."""
    house = await silent_house()
    pin_id = await unheard(house)
    (handed,) = house.provider.messages
    stranger = replace(
        house.by, account_id=(await house.service.accounts.create(house.by, "teapot")).id
    )
    theirs = await house.service.channel_accounts.create(
        stranger, channel_type=Channel.SMS, provider="scripted", name="theirs", config={}
    )
    await house.service.tracking_receipts.track(theirs.id, named(handed, DELIVERED))

    assert ("unknown", None) == await shown(house, pin_id)


async def test_what_is_no_answer_is_unknown() -> None:
    """An answer of another type is an unknown outcome, and breaks nothing."""

    async def shrug(_: Message) -> Accepted:
        return None  # type: ignore[return-value]  # what this is about

    house = await build_house(ScriptedProvider(shrug))
    pin_id = await unheard(house)

    assert "unknown" == (await shown(house, pin_id))[0]
