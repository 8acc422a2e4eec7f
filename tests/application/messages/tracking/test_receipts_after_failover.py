"""Receipts and revokes find the channel account that took a message (C-68, C-69)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from attrs import field, frozen

from tests.application.house import House, build_house
from tests.application.post_office import WAIT, fallback, falls_back, message, send, work
from tests.application.receipts import DELIVERED, FAILED, NOON, audited
from tests.fakes.providers import Answer, RevokingProvider, ScriptedProvider
from watchword.application.channel_accounts.patch import ChannelAccountPatch
from watchword.application.messages.looking_up.views import FollowedMessage
from watchword.application.ports.channels import (
    Accepted,
    Fault,
    Message,
    ProviderReport,
    Rejected,
    SentMessage,
    Unknown,
)
from watchword.application.ports.listings import Query
from watchword.application.records.channel_account import ChannelAccountRow
from watchword.application.records.pin import VerificationRow
from watchword.domain.channel import Channel, ChannelName
from watchword.domain.fallback_run import RevokeOutcome
from watchword.domain.price import Price
from watchword.domain.receipt import Receipt, ReceiptStatus

AWAY = Rejected("vendor_away", "No connection.", Fault.AWAY)
CUT = Unknown(message="The connection was cut.")


class NotedRevokes(RevokingProvider):
    """A provider that keeps what it is asked to revoke."""

    def __init__(self) -> None:
        super().__init__(RevokeOutcome.REVOKED)
        self.revoked: list[SentMessage] = []
        self.may_answer.set()

    async def revoke(
        self, config: object, channel: ChannelName, sent: SentMessage
    ) -> RevokeOutcome:
        """Keep the message."""
        self.revoked.append(sent)
        return await super().revoke({}, channel, sent)


@frozen
class Pair:
    """A house whose SMS account answers by script, with another account that follows."""

    house: House
    first: str
    spare: str
    answers: list[Answer] = field(factory=list)

    async def answer(self, message: Message) -> Answer:
        """Answer for the first account as scripted; the other accepts everything."""
        if message.channel_account_id == self.spare:
            return Accepted("spare-1")
        return self.answers.pop(0) if self.answers else Accepted("first-1")

    async def report(self, channel_account_id: str, status: ReceiptStatus, **ids: str) -> None:
        """Report on a message."""
        receipt = Receipt(status=status, reported_at=NOON, segments=2, price=Price("0.01", "EUR"))
        await self.house.service.tracking_receipts.track(
            channel_account_id,
            ProviderReport(receipt=receipt, **ids),  # type: ignore[arg-type]  # mypy takes them for all members
        )

    async def message(self, message_id: str) -> FollowedMessage:
        """Look a message up."""
        (found,) = await self.house.service.reading_histories.status(
            self.house.by.account_id, [message_id]
        )
        assert isinstance(found, FollowedMessage)
        return found

    async def code(self, pin_id: str) -> tuple[str, str | None]:
        """Return the account of a code, and the status of its receipt."""
        row = await self.house.store.row(VerificationRow, pin_id)
        assert row is not None
        (shown,) = row.channels
        return shown["channel_account_id"], shown.get("receipt", {}).get("status")


async def pair(
    *answers: Answer, on_unknown: bool | None = None, provider: ScriptedProvider | None = None
) -> Pair:
    """Build the house, and let another account follow its SMS account."""
    house = await build_house(provider)
    service = house.service
    spare = await service.channel_accounts.create(
        house.by,
        channel_type=Channel.SMS,
        provider="scripted",
        name="spare",
        sender="SPARE",
        config={},
    )
    (first,) = [
        each.id
        for each in await service.journal.slice(Query(rows=ChannelAccountRow))
        if each.channel_type == Channel.SMS and each.id != spare.id
    ]
    patch = ChannelAccountPatch(
        given={"sender", "failover", "failover_on_unknown"},
        sender="TEAHSE",
        failover=(spare.id,),
        failover_on_unknown=on_unknown,
    )
    await service.revising_channel_accounts.update(house.by, first, patch)
    made = Pair(house, first, spare.id, list(answers))
    house.provider.script = made.answer
    return made


async def test_a_receipt_finds_a_message_by_the_takers_id() -> None:
    """The id is the other account's, which reports on it; the history says what was tried."""
    both = await pair(AWAY)
    async with audited(both.house):
        (sent,) = await send(both.house)
        await both.report(both.spare, DELIVERED, provider_message_id="spare-1")
        found = await both.message(sent.message_id)

        assert "delivered" == found.status
        assert [
            (both.first, "rejected", "vendor_away"),
            (both.spare, "accepted", None),
        ] == [(each.channel_account_id, each.status, each.code) for each in found.events[0].tried]
        assert () == found.events[1].tried


async def test_the_same_id_of_the_first_account_is_another_message() -> None:
    """Ids are unique at one provider alone, so the receipt is parked."""
    both = await pair(AWAY)
    (sent,) = await send(both.house)
    await both.report(both.first, DELIVERED, provider_message_id="spare-1")

    assert "accepted" == (await both.message(sent.message_id)).status


async def test_an_attempt_that_was_given_up_on_may_report_the_delivery() -> None:
    """It had taken the message after all, and says so by our reference (C-68)."""
    both = await pair(CUT, on_unknown=True)
    async with audited(both.house):
        (sent,) = await send(both.house)
        await both.report(both.first, DELIVERED, reference=sent.message_id)

        assert "delivered" == (await both.message(sent.message_id)).status


async def test_a_failure_elsewhere_changes_nothing() -> None:
    """The message is on its way through the other account, whose failure counts (D-229)."""
    both = await pair(CUT, on_unknown=True)
    async with audited(both.house):
        (sent,) = await send(both.house)
        await both.report(both.first, FAILED, reference=sent.message_id)
        before = (await both.message(sent.message_id)).status
        await both.report(both.spare, FAILED, reference=sent.message_id)

        assert ["accepted", "failed"] == [before, (await both.message(sent.message_id)).status]


@pytest.mark.parametrize("takes", [True, False])
async def test_a_failure_before_the_outcome_waits_for_it(*, takes: bool) -> None:
    """It counts if the account that reports it took the message, and not if another one did (D-262)."""
    both = await pair(on_unknown=True)

    async def failing(message: Message) -> Answer:
        own = f"{message.channel_account_id} {message.reference}"
        if message.channel_account_id == both.spare:
            return Accepted(own)
        ids = {"reference": message.reference, "provider_message_id": own}
        await both.report(both.first, FAILED, **ids)
        return Accepted(own) if takes else CUT

    both.house.provider.script = failing
    async with audited(both.house):
        (sent,) = await send(both.house)
        one = await both.house.issue()

        assert ("failed" if takes else "accepted") == (await both.message(sent.message_id)).status
        assert ("failed" if takes else None) == (await both.code(one.pin_id))[1]


async def test_an_account_that_was_not_asked_reports_nothing() -> None:
    """Another account of the same customer has no part in the message."""
    both = await pair()
    (sent,) = await send(both.house)
    await both.report(both.spare, DELIVERED, reference=sent.message_id)

    assert "accepted" == (await both.message(sent.message_id)).status


async def test_a_code_is_found_at_each_account_that_was_asked() -> None:
    """By the id at its taker, and by our reference at the one that was given up on."""
    both = await pair(CUT, CUT)
    async with audited(both.house):
        one = await both.house.issue()
        await both.report(both.spare, DELIVERED, provider_message_id="spare-1")

        assert (both.spare, "delivered") == await both.code(one.pin_id)

    again = await pair(CUT)
    async with audited(again.house):
        two = await again.house.issue()
        await again.report(again.first, FAILED, reference=f"{two.pin_id}:1:sms")
        before = await again.code(two.pin_id)
        await again.report(again.first, DELIVERED, reference=f"{two.pin_id}:1:sms")

        assert [(again.spare, None), (again.spare, "delivered")] == [
            before,
            await again.code(two.pin_id),
        ]


async def test_a_receipt_has_segments_and_a_price() -> None:
    """They stand in its event, as the provider counted them (C-72)."""
    both = await pair()
    (sent,) = await send(both.house)
    await both.report(both.first, DELIVERED, provider_message_id="first-1")
    reported = (await both.house.store.read_stream(sent.message_id))[-1].event

    assert (2, Price("0.01", "EUR")) == (reported.segments, reported.price)  # type: ignore[attr-defined]  # it is a receipt's


async def test_a_price_that_is_none_is_left_out_of_a_receipt() -> None:
    """The receipt counts without it: nothing checks what an adapter returns."""
    both = await pair()
    (sent,) = await send(both.house)
    wrong = Receipt(status=DELIVERED, reported_at=NOON, segments=-1, price=Price("free", "EUR"))
    await both.house.service.tracking_receipts.track(
        both.first, ProviderReport(provider_message_id="first-1", receipt=wrong)
    )
    reported = (await both.house.store.read_stream(sent.message_id))[-1].event

    assert (None, None) == (reported.segments, reported.price)  # type: ignore[attr-defined]  # it is a receipt's


async def test_the_taker_is_asked_to_revoke() -> None:
    """In its own name, as it was sent (C-69)."""
    provider = NotedRevokes()
    both = await pair(AWAY, provider=provider)
    async with audited(both.house):
        await falls_back(both.house)
        (sent,) = await send(both.house, fallback=fallback())
        both.house.clock.move(WAIT)
        await work(both.house)

        (revoked,) = provider.revoked
        assert (sent.message_id, "SPARE", "spare-1") == (
            revoked.reference,
            revoked.sender,
            revoked.provider_message_id,
        )
        assert not revoked.outcome_unknown
        assert both.house.clock.now() == revoked.expires_at


async def test_a_revoke_says_when_a_message_with_a_time_to_live_ended() -> None:
    """Its provider may have let it expire, and then does not find it (C-50)."""
    provider = NotedRevokes()
    both = await pair(provider=provider)
    async with audited(both.house):
        await falls_back(both.house)
        await send(both.house, message(ttl_seconds=20), fallback=fallback())
        both.house.clock.move(WAIT)
        await work(both.house)
        (revoked,) = provider.revoked

    assert both.house.clock.now() - timedelta(seconds=WAIT - 20) == revoked.expires_at


async def test_a_message_with_an_unknown_outcome_is_revoked_by_our_reference() -> None:
    """Its provider may find it by that, though nobody knows an id."""
    provider = NotedRevokes()
    both = await pair(CUT, provider=provider)
    async with audited(both.house):
        await falls_back(both.house)
        (sent,) = await send(both.house, fallback=fallback())
        both.house.clock.move(WAIT)
        await work(both.house)

        (revoked,) = provider.revoked
        assert (sent.message_id, "TEAHSE", None) == (
            revoked.reference,
            revoked.sender,
            revoked.provider_message_id,
        )
        assert revoked.outcome_unknown
        assert "revoked" == (await both.message(sent.message_id)).status
