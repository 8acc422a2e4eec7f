"""The promises of every event store about what is personal in events: sealed, until an erasure (C-73)."""

from __future__ import annotations

import pytest
from attrs import evolve

from tests.contracts.event_store.histories import NOON, step
from tests.contracts.event_store.sample_people import ANNA, BERT
from watchword.application.ports.event_store import Change, EventStore, PersonGone
from watchword.domain.callback_endpoint import CallbackEndpointCreated, callback_endpoint_decider
from watchword.domain.channel import Channel, ChannelOutcome, OutcomeStatus
from watchword.domain.event import ERASED, Event
from watchword.domain.pin import Pin, PinDispatched, PinIssued, PinVerified, pin_decider
from watchword.domain.rate_limit import Rate

ACCOUNT = ANNA.account_id
ISSUED = PinIssued(
    at=NOON,
    account_id=ACCOUNT,
    template_id="tpl_tea",
    person_id=ANNA.person_id,
    destination="+919812345678",
    reference_id="order-4711",
    channels=(Channel.SMS,),
    code_hash="hash of the code",
    expires_at=NOON,
    attempts=3,
    verify_limit=Rate("3/10m"),
)
VERIFIED = PinVerified(at=NOON, issue=1)
OUTCOME = ChannelOutcome(
    channel=Channel.SMS,
    status=OutcomeStatus.ACCEPTED,
    provider_message_id="wamid.OTE5ODEyMzQ1Njc4",
    error_message="919812345678 was taken",
)
SENT = PinDispatched(at=NOON, issue=1, outcomes=(OUTCOME,))
OF_BERT = evolve(ISSUED, person_id=BERT.person_id, destination="+919898989898")
ERASED_PIN = evolve(ISSUED, destination=ERASED, reference_id=ERASED)
ENDPOINT = CallbackEndpointCreated(
    at=NOON, account_id=ACCOUNT, url="https://tea.example/secret", events=("*",)
)


def pin(stream: str, *events: Event) -> Change:
    """Return the change that begins a PIN."""
    return Change(stream, 0, events, pin_decider.fold(events))


class SealedEventsContract:
    """What is personal in an event is read as it was written, while its owner's key is there."""

    @pytest.fixture
    async def pins(self, store: EventStore) -> EventStore:
        """Return a store with a PIN of Anna and one of Bert, and an endpoint of their account."""
        endpoint = Change("cbk_1", 0, (ENDPOINT,), callback_endpoint_decider.fold((ENDPOINT,)))
        await store.append(step(pin("pin_a", ISSUED, VERIFIED), new_people=(ANNA,)))
        await store.append(step(pin("pin_b", OF_BERT), endpoint, new_people=(BERT,)))
        return store

    async def test_a_history_says_whose_its_events_are(self, pins: EventStore) -> None:
        """Every event names its account, and its person if it has one, though few state them."""
        log = await pins.read_log(0, 10)

        assert [ISSUED, VERIFIED, OF_BERT, ENDPOINT] == [each.event for each in log]
        assert [ACCOUNT] * 4 == [each.account for each in log]
        anna, bert = ANNA.person_id, BERT.person_id
        assert [anna, anna, bert, None] == [each.person for each in log]

    async def test_an_erased_person_is_erased_in_every_reading(self, pins: EventStore) -> None:
        """Log, stream, state and snapshot read `(erased)`; nobody else's events change."""
        await pins.append(step(erasing=(ANNA.person_id,)))
        loaded = await pins.load(pin_decider, "pin_a")
        async with pins.snapshot() as snapshot:
            kept = [each async for each in snapshot.events()]

        expected = [ERASED_PIN, VERIFIED, OF_BERT, ENDPOINT]
        assert expected == [each.event for each in await pins.read_log(0, 10)]
        assert expected[:2] == [each.event for each in await pins.read_stream("pin_a")]
        assert loaded is not None
        assert isinstance(loaded.state, Pin)
        assert (ERASED, ERASED) == (loaded.state.destination, loaded.state.reference_id)
        in_order = sorted(kept, key=lambda each: each.position)
        assert [(each, True) for each in expected] == [
            (each.event, each.as_written) for each in in_order
        ]

    async def test_nothing_is_sealed_for_an_erased_person(self, pins: EventStore) -> None:
        """An append with something personal is refused; one without goes on."""
        await pins.append(step(erasing=(ANNA.person_id,)))
        with pytest.raises(PersonGone):
            await pins.append(step(pin("pin_c", ISSUED)))
        again = evolve(VERIFIED, issue=2)
        state = pin_decider.fold((ERASED_PIN, VERIFIED))
        await pins.append(step(Change("pin_a", 2, (again,), state)))

        assert again == (await pins.read_stream("pin_a"))[-1].event
        assert [] == list(await pins.read_stream("pin_c"))

    async def test_an_outcome_is_written_without_what_is_erased(self, pins: EventStore) -> None:
        """It reads as if it had been sealed before the erasure; what others own is sealed as ever."""
        await pins.append(step(erasing=(ANNA.person_id,)))
        of_anna, of_bert = (
            Change(stream, version, (SENT,), pin_decider.fold((*before, SENT)))
            for stream, version, before in (
                ("pin_a", 2, (ISSUED, VERIFIED)),
                ("pin_b", 1, (OF_BERT,)),
            )
        )
        erased = frozenset({ANNA.person_id})
        await pins.append(step(of_anna, of_bert, erased=erased))
        async with pins.snapshot() as snapshot:
            kept = [each async for each in snapshot.events()]

        left = evolve(
            SENT,
            outcomes=(evolve(OUTCOME, provider_message_id=ERASED, error_message=ERASED),),
        )
        assert [left, SENT] == [each.event for each in (await pins.read_log(4, 10))]
        assert all(each.as_written for each in kept)
        loaded = await pins.load(pin_decider, "pin_a")
        assert loaded is not None
        assert pin_decider.fold((ERASED_PIN, VERIFIED, left)) == loaded.state
