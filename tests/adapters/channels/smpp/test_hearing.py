"""Deliveries of an SMSC are answered when they are durable, and not before (C-70)."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from tests.adapters.channels.smpp import answers, deliveries
from tests.adapters.channels.smpp.accounts import QUICK, account_of, config_of
from tests.adapters.channels.smpp.smsc import Delivery, Smsc
from watchword.adapters.channels.smpp import SmppProvider
from watchword.adapters.channels.smpp.bodies import delivery_in
from watchword.adapters.channels.smpp.hearing import MOST_OCTETS, MOST_UNHEARD
from watchword.adapters.channels.smpp.pdus import Pdu
from watchword.adapters.channels.smpp.recording import Recording
from watchword.adapters.channels.smpp.settings import settings_of
from watchword.adapters.channels.smpp.unreadable import Unreadable
from watchword.application.ports.channels import (
    Accepted,
    InboundMessage,
    ProviderReport,
    Report,
)
from watchword.domain.receipt import ReceiptStatus
from watchword.testing import FakeContext, a_message

_OK, _REPEAT, _UNREADABLE = 0x00, 0x64, 0x65


class SlowContext(FakeContext):
    """A service whose store takes as long as the test wants."""

    def __init__(self) -> None:
        super().__init__()
        self.durable = asyncio.Event()
        self.called = asyncio.Event()
        self.calls = 0

    async def hear(self, channel_account_id: str, reports: Sequence[Report]) -> None:
        """Wait, then add a call to `heard`."""
        self.calls += 1
        self.called.set()
        await self.durable.wait()
        await super().hear(channel_account_id, reports)


def _reports(context: FakeContext) -> list[Report]:
    return [report for _, reports in context.heard for report in reports]


@pytest.fixture
async def bound(provider: SmppProvider, config: Mapping[str, Any]) -> SmppProvider:
    """Return a provider that is bound, since it has sent a message."""
    assert isinstance(await provider.send(config, a_message()), Accepted)
    return provider


async def test_a_receipt_is_heard_for_its_channel_account(
    bound: SmppProvider, smsc: Smsc, context: FakeContext
) -> None:
    """In words, in message_payload, or in parameters alone."""
    pushed = [
        smsc.push(deliveries.receipt("smsc-1")),
        smsc.push(deliveries.payload_receipt("smsc-2", "UNDELIV")),
        smsc.push(deliveries.tlv_receipt("smsc-3")),
    ]
    await smsc.until(lambda: all(each.ended for each in pushed))
    heard = [each for each in _reports(context) if isinstance(each, ProviderReport)]

    assert [_OK] * 3 == [each.status for each in pushed]
    assert {"cha_orchid"} == {name for name, _ in context.heard}
    assert [
        ("smsc-1", ReceiptStatus.DELIVERED),
        ("smsc-2", ReceiptStatus.FAILED),
        ("smsc-3", ReceiptStatus.DELIVERED),
    ] == [(each.provider_message_id, each.receipt.status) for each in heard]


async def test_a_receipt_is_answered_when_it_is_durable(
    smsc: Smsc, config: Mapping[str, Any]
) -> None:
    """Until then the SMSC has it, so that a crash loses none (C-70)."""
    context, provider = SlowContext(), SmppProvider(timings=QUICK)
    await provider.open(context)
    await provider.send(config, a_message())
    pushed = smsc.push(deliveries.receipt("smsc-1"))
    # The session answers, and goes on sending, while the store takes its time.
    await provider.send(config, a_message(2))
    await provider.probe(config)
    assert (1, None) == (context.calls, pushed.status)
    context.durable.set()
    await smsc.until(lambda: pushed.ended)
    await provider.close()

    assert _OK == pushed.status
    assert 1 == len(context.heard)


async def test_the_smsc_repeats_what_the_store_did_not_take(
    bound: SmppProvider, smsc: Smsc, context: FakeContext
) -> None:
    """While the store is out of reach, no receipt has a positive answer; repeated later, it has (D-272)."""
    context.away = True
    refused = smsc.push(deliveries.receipt("smsc-1"))
    await smsc.until(lambda: refused.ended)
    assert (_REPEAT, []) == (refused.status, context.heard)
    context.away = False
    repeated = smsc.push(deliveries.receipt("smsc-1"))
    await smsc.until(lambda: repeated.ended)

    assert _OK == repeated.status
    assert 1 == len(_reports(context))


async def test_a_short_failure_of_the_store_is_not_told(
    smsc: Smsc, config: Mapping[str, Any]
) -> None:
    """The provider tries a few times, before it asks the SMSC to repeat."""

    class Stumbling(FakeContext):
        async def hear(self, channel_account_id: str, reports: Sequence[Report]) -> None:
            self.away = not self.away
            await super().hear(channel_account_id, reports)

    context, provider = Stumbling(), SmppProvider(timings=QUICK)
    await provider.open(context)
    await provider.send(config, a_message())
    pushed = smsc.push(deliveries.receipt("smsc-1"))
    await smsc.until(lambda: pushed.ended)
    await provider.close()

    assert _OK == pushed.status
    assert 1 == len(context.heard)


async def test_a_receipt_of_an_account_that_is_gone_is_dropped(
    smsc: Smsc, config: Mapping[str, Any]
) -> None:
    """Nobody will ever hear it, so the SMSC need not repeat it (C-70)."""
    context = FakeContext(account_of(config, "cha_lily"))
    provider = SmppProvider(timings=QUICK)
    await provider.open(context)
    await provider.send(config, a_message())
    pushed = smsc.push(deliveries.receipt("smsc-1"))
    await smsc.until(lambda: pushed.ended)
    await provider.close()

    assert (_OK, []) == (pushed.status, context.heard)


async def test_a_fault_of_the_service_acknowledges_nothing(
    smsc: Smsc, config: Mapping[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    """The session goes on, and the log has no text of the error."""

    class Broken(FakeContext):
        async def hear(self, channel_account_id: str, reports: Sequence[Report]) -> None:
            raise LookupError("4711")

    provider = SmppProvider(timings=QUICK)
    await provider.open(Broken())
    await provider.send(config, a_message())
    pushed = smsc.push(deliveries.receipt("smsc-1"))
    await smsc.until(lambda: pushed.ended)
    again = await provider.send(config, a_message(2))
    await provider.close()

    assert _REPEAT == pushed.status
    assert isinstance(again, Accepted)
    assert "smpp_delivery_failed" in caplog.text
    assert "4711" not in caplog.text


async def test_a_delivery_that_cannot_be_read_is_refused(
    bound: SmppProvider, smsc: Smsc, context: FakeContext, config: Mapping[str, Any]
) -> None:
    """The session lives on; a receipt without an id or a state is acknowledged, and left out."""
    cut = deliveries.receipt("smsc-1")
    cut = (len(cut) - 30).to_bytes(4, "big") + cut[4:-30]
    unreadable = smsc.push(cut)
    unknown = smsc.push(deliveries.deliver(b"no receipt at all", esm_class=4))
    await smsc.until(lambda: unreadable.ended and unknown.ended)

    assert (_UNREADABLE, _OK) == (unreadable.status, unknown.status)
    assert [] == context.heard
    assert isinstance(await bound.send(config, a_message(2)), Accepted)
    assert 1 == len(smsc.binds)


async def test_a_receipt_may_come_before_the_answer_to_its_message(
    provider: SmppProvider, smsc: Smsc, config: Mapping[str, Any], context: FakeContext
) -> None:
    """The service parks it until the id appears (C-22)."""
    pushed: list[Delivery] = []

    def report_first(submit: Any) -> None:
        pushed.append(smsc.push(deliveries.receipt("early"), submit.session))
        submit.accept("early")

    smsc.answers.append(report_first)
    answer = await provider.send(config, a_message())
    await smsc.until(lambda: pushed[0].ended)

    assert Accepted("early") == answer
    (report,) = _reports(context)
    assert isinstance(report, ProviderReport)
    assert "early" == report.provider_message_id


async def test_a_message_of_a_person_is_heard(
    bound: SmppProvider, smsc: Smsc, context: FakeContext
) -> None:
    """In one piece, or in several that come in any order (C-70)."""
    pieces = deliveries.inbound_parts(b"First, ", b"second, ", b"third.")
    pushed = [smsc.push(each) for each in (pieces[2], pieces[0], deliveries.inbound(b"STOP"))]
    await smsc.until(lambda: all(each.ended for each in pushed))
    assert ["STOP"] == [each.text for each in _reports(context) if isinstance(each, InboundMessage)]
    last = smsc.push(pieces[1])
    await smsc.until(lambda: last.ended)
    heard = [each for each in _reports(context) if isinstance(each, InboundMessage)]

    assert [_OK] * 4 == [each.status for each in (*pushed, last)]
    assert ["STOP", "First, second, third."] == [each.text for each in heard]
    assert {(f"+{deliveries.PHONE}", deliveries.SENDER)} == {
        (each.sender, each.recipient) for each in heard
    }


async def test_the_last_piece_is_answered_when_the_whole_is_durable(
    bound: SmppProvider, smsc: Smsc, context: FakeContext
) -> None:
    """While the store is out of reach the SMSC keeps it, and the pieces before it stay here."""
    first, second = deliveries.inbound_parts(b"Yes, ", b"please.")
    held = smsc.push(first)
    await smsc.until(lambda: held.ended)
    context.away = True
    refused = smsc.push(second)
    await smsc.until(lambda: refused.ended)
    context.away = False
    repeated = smsc.push(second)
    await smsc.until(lambda: repeated.ended)

    assert (_OK, _REPEAT, _OK) == (held.status, refused.status, repeated.status)
    assert ["Yes, please."] == [
        each.text for each in _reports(context) if isinstance(each, InboundMessage)
    ]


async def test_many_long_texts_share_the_wait_for_the_store(
    smsc: Smsc, config: Mapping[str, Any]
) -> None:
    """Of a batch, the first alone is tried again; a receipt behind them is not held up by each."""

    class Away(SlowContext):
        async def hear(self, channel_account_id: str, reports: Sequence[Report]) -> None:
            self.away = True
            await super().hear(channel_account_id, reports)

    context, provider = Away(), SmppProvider(timings=QUICK)
    context.durable.set()
    await provider.open(context)
    await provider.send(config, a_message())
    texts = [deliveries.inbound_parts(b"Yes, ", b"do.", reference=each) for each in range(20)]
    pushed = [smsc.push(piece) for pieces in texts for piece in pieces]
    await smsc.until(lambda: all(each.ended for each in pushed))
    await provider.close()

    assert [_OK, _REPEAT] * 20 == [each.status for each in pushed]
    # Twenty texts, two more attempts for the first of each batch, and what is left at the end.
    assert context.calls < 20 + 2 * 3 + 20


async def test_pieces_whose_others_do_not_come_are_heard_with_a_gap(
    smsc: Smsc, config: Mapping[str, Any]
) -> None:
    """A person's words are not lost because one PDU was; the clock is the service's."""
    context, provider = SlowContext(), SmppProvider(timings=QUICK)
    context.durable.set()
    await provider.open(context)
    await provider.send(config, a_message())
    held = smsc.push(deliveries.inbound_parts(b"Yes, ", b"please.")[0])
    await smsc.until(lambda: held.ended)
    context.clock.move(3_600)
    async with asyncio.timeout(10):
        await context.called.wait()
    await provider.close()
    (report,) = _reports(context)

    assert isinstance(report, InboundMessage)
    assert report.text.startswith("Yes, ")


async def test_a_thousand_receipts_in_any_order_are_all_heard(
    bound: SmppProvider, smsc: Smsc, context: FakeContext
) -> None:
    """Many are recorded together; what was too much at once is repeated by the SMSC."""
    ids = [f"smsc-{each}" for each in range(1_000)]
    random.Random(22).shuffle(ids)
    left, rounds = ids, 0
    while left:
        pushed = {name: smsc.push(deliveries.receipt(name)) for name in left}
        await smsc.until(lambda: all(each.ended for each in pushed.values()))  # noqa: B023  it ends here
        assert {each.status for each in pushed.values()} <= {_OK, _REPEAT}
        left = [name for name, each in pushed.items() if each.status != _OK]
        rounds += 1
    heard = [
        each.provider_message_id for each in _reports(context) if isinstance(each, ProviderReport)
    ]

    assert sorted(ids) == sorted(each for each in heard if each is not None)
    assert len(context.heard) < len(ids) / 4
    assert rounds <= 1 + 1_000 // MOST_UNHEARD


async def test_receipts_of_one_message_keep_their_order(
    bound: SmppProvider, smsc: Smsc, context: FakeContext
) -> None:
    """The service compares them anyway; the history shows them as they came."""
    states = ["ACCEPTD", "ENROUTE", "DELIVRD"] * 50
    pushed = [smsc.push(deliveries.receipt("smsc-1", state)) for state in states]
    await smsc.until(lambda: all(each.ended for each in pushed))
    heard = [each.receipt.status for each in _reports(context) if isinstance(each, ProviderReport)]

    assert [ReceiptStatus.SENT, ReceiptStatus.SENT, ReceiptStatus.DELIVERED] * 50 == heard


async def test_too_many_deliveries_at_once_are_repeated_later(
    smsc: Smsc, config: Mapping[str, Any]
) -> None:
    """A slow store fills no memory: the SMSC keeps what is beyond the bound (D-272)."""
    context, provider = SlowContext(), SmppProvider(timings=QUICK)
    await provider.open(context)
    await provider.send(config, a_message())
    pushed = [smsc.push(deliveries.receipt(f"smsc-{n}")) for n in range(MOST_UNHEARD + 8)]
    await smsc.until(lambda: all(each.ended for each in pushed[MOST_UNHEARD:]))
    assert {_REPEAT} == {each.status for each in pushed[MOST_UNHEARD:]}
    context.durable.set()
    await smsc.until(lambda: all(each.ended for each in pushed))
    await provider.close()

    assert {_OK} == {each.status for each in pushed[:MOST_UNHEARD]}


async def test_the_octets_that_wait_have_a_bound(smsc: Smsc, config: Mapping[str, Any]) -> None:
    """Deliveries of 60 KiB wait up to a megabyte, and a single one is always taken (D-299)."""
    context, provider = SlowContext(), SmppProvider(timings=QUICK)
    await provider.open(context)
    await provider.send(config, a_message())
    large = deliveries.inbound_payload(b"x" * 60_000)
    pushed = [smsc.push(large) for _ in range(40)]
    most = MOST_OCTETS // 60_000
    await smsc.until(lambda: all(each.ended for each in pushed[most:]))
    waiting = [each for each in pushed if not each.ended]
    context.durable.set()
    await smsc.until(lambda: all(each.ended for each in pushed))
    later = smsc.push(large)
    await smsc.until(lambda: later.ended)
    await provider.close()

    assert most == len(waiting)
    assert [_OK] * most == [each.status for each in pushed[:most]]
    assert {_REPEAT} == {each.status for each in pushed[most:]}
    assert _OK == later.status


async def test_a_delivery_with_thousands_of_parameters_is_refused(
    bound: SmppProvider, smsc: Smsc, context: FakeContext
) -> None:
    """Read, 16,000 empty ones would take a megabyte; a few dozen are taken (D-299)."""
    few, many = smsc.push(deliveries.bomb(90)), smsc.push(deliveries.bomb(16_000))
    await smsc.until(lambda: few.ended and many.ended)

    assert (_OK, _UNREADABLE) == (few.status, many.status)
    assert 1 == len(_reports(context))


async def test_a_flood_of_unreadable_deliveries_has_one_line_in_the_log(
    bound: SmppProvider, smsc: Smsc, caplog: pytest.LogCaptureFixture
) -> None:
    """Otherwise an SMSC could fill the disk (D-299)."""
    flood = [deliveries.bomb(200), deliveries.deliver(b"no receipt at all", esm_class=4)] * 50
    pushed = [smsc.push(each) for each in flood]
    await smsc.until(lambda: all(each.ended for each in pushed))

    assert 1 == caplog.text.count("smpp_delivery_unreadable")


async def test_a_batch_of_large_deliveries_lets_others_go_on(config: Mapping[str, Any]) -> None:
    """Texts of 60 KiB are read one by one, in turns of a few milliseconds (C-94)."""
    context = FakeContext()
    recording = Recording("cha_orchid", context, Unreadable("cha_orchid"), 0)
    large = delivery_in(Pdu(5, 0, 1, deliveries.inbound_payload(b"\xff" * 60_000)[16:]))
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    meanwhile = asyncio.create_task(others())
    try:
        done = await recording.record([large] * 64, settings_of(config))
    finally:
        meanwhile.cancel()

    assert [True] * 64 == done
    assert turns >= 8


async def test_what_is_not_durable_at_the_end_is_not_answered(
    smsc: Smsc, config: Mapping[str, Any]
) -> None:
    """A service that stops while its store hangs leaves the receipt to the SMSC."""
    context, provider = SlowContext(), SmppProvider(timings=QUICK)
    await provider.open(context)
    await provider.send(config, a_message())
    pushed = smsc.push(deliveries.receipt("smsc-1"))
    await provider.close()
    await smsc.until(lambda: pushed.ended)

    assert pushed.status != _OK
    assert [] == context.heard


async def test_ids_of_receipts_are_read_as_the_account_says(
    provider: SmppProvider, smsc: Smsc, context: FakeContext
) -> None:
    """The answer had a decimal id, and the receipt has the same in hexadecimal (C-63)."""
    smsc.answers.append(answers.accept_as("255"))
    answer = await provider.send(config_of(smsc.port, idForm="hex_to_dec"), a_message())
    pushed = smsc.push(deliveries.receipt("FF"))
    await smsc.until(lambda: pushed.ended)
    (report,) = _reports(context)

    assert isinstance(answer, Accepted)
    assert isinstance(report, ProviderReport)
    assert answer.provider_message_id == report.provider_message_id
