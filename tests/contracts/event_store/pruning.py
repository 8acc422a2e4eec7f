"""The promises of every event store about what retention takes out of it (C-75, D-454)."""

from __future__ import annotations

import pytest
from attrs import evolve

from tests.contracts.event_store.due_rows import due
from tests.contracts.event_store.histories import second, step
from tests.contracts.event_store.sample_people import ANNA
from tests.contracts.event_store.sample_rows import CALLBACK_DELIVERY, VERIFICATION
from tests.contracts.event_store.sealed_events import ERASED_PIN, ISSUED, SENT, VERIFIED, pin
from watchword.application.evidence.leaves import event_leaf
from watchword.application.ports.event_store import (
    Change,
    Checkpoint,
    Due,
    DueKind,
    EventStore,
    RateReached,
    StreamConflict,
)
from watchword.application.ports.sealer import SealKey
from watchword.application.records.callback_delivery import CallbackDeliveryRow
from watchword.application.records.pin import VerificationRow
from watchword.domain.conditions import Hold, Unchanged, WithinRate
from watchword.domain.event import ERASED
from watchword.domain.log_history import PrunedRange
from watchword.domain.pin import pin_decider
from watchword.domain.rate_limit import Rate

OLD, NEW = "pin_old", "pin_new"
EVERY = PrunedRange(1, 100)


async def leaves(store: EventStore) -> list[bytes]:
    """Return the leaves of all events that can still be read."""
    return [event_leaf(each) for each in await store.sealed_log.raw_events(0, 100)]


def row(stream: str) -> VerificationRow:
    """Return the row of a PIN of Anna."""
    return evolve(VERIFICATION, pin_id=stream, person_id=ANNA.person_id)


class PruningContract:
    """Sealed lines go, then whole streams, with everything that hangs on them; the rest stays as it was."""

    @pytest.fixture
    async def old_and_new(self, store: EventStore) -> EventStore:
        """Return a store with an old PIN of three events and a newer one, and what hangs on both."""
        key = SealKey(OLD, 1, b"wrapped")
        for stream, later in ((OLD, (SENT, VERIFIED)), (NEW, ())):
            await store.append(
                step(
                    pin(stream, ISSUED, *later),
                    new_people=(ANNA,) if stream == OLD else (),
                    rows=(row(stream),),
                    conditions=(Hold(f"live:{stream}", stream),),
                    due=(Due(DueKind.ORPHANED_DISPATCH, stream, 1, second(9)), due(stream, 9)),
                    keeping=(key, SealKey(NEW, 1, b"wrapped")) if stream == OLD else (),
                )
            )
        events = await store.read_stream(OLD)
        for name, event in (("dlv_old", events[0]), ("dlv_other", events[0])):
            other = name == "dlv_other"
            told = evolve(
                CALLBACK_DELIVERY,
                id=name,
                person_id=ANNA.person_id,
                event_id="evt_other" if other else event.event_id,
            )
            await store.append(
                step(
                    rows=(told,),
                    due=(Due(DueKind.CALLBACK, name, 1, second(1)),),
                    checkpoints=(Checkpoint(name, 0, 1),),
                )
            )
        return store

    async def hanging_on(self, store: EventStore, stream: str) -> list[bool]:
        """Return whether each thing that hangs on a PIN is there."""
        kinds = (DueKind.ORPHANED_DISPATCH, DueKind.FALLBACK)
        waiting = [each for kind in kinds for each in await store.due(kind, second(99), 99)]
        return [
            await store.row(VerificationRow, stream) is not None,
            stream in await store.holders(f"live:{stream}"),
            await store.seal_key(stream) is not None,
            stream in {each.stream for each in waiting},
        ]

    async def test_a_blanked_stream_reads_as_erased(self, old_and_new: EventStore) -> None:
        """Its history has all events, without what was sealed; nothing is loaded and decided on it."""
        await old_and_new.prunable_log.blank({OLD: 3})

        issued, sent, verified = [each.event for each in await old_and_new.read_stream(OLD)]
        assert (ERASED_PIN, VERIFIED) == (issued, verified)
        assert ERASED == sent.outcomes[0].provider_message_id  # type: ignore[attr-defined]  # it is the outcome
        assert await old_and_new.load(pin_decider, OLD) is None
        assert {OLD: 3, NEW: 1} == await old_and_new.versions([OLD, NEW])
        loaded = await old_and_new.load(pin_decider, NEW)
        assert loaded is not None
        assert ISSUED.destination == loaded.state.destination

    async def test_what_hangs_on_a_blanked_stream_goes(self, old_and_new: EventStore) -> None:
        """Rows, holders, due rows, seal keys and deliveries go; those of other streams stay."""
        assert [True] * 4 == await self.hanging_on(old_and_new, OLD)
        await old_and_new.prunable_log.blank({OLD: 3})

        assert [False] * 4 == await self.hanging_on(old_and_new, OLD)
        assert [True] * 4 == await self.hanging_on(old_and_new, NEW)
        assert await old_and_new.row(CallbackDeliveryRow, "dlv_old") is None
        assert await old_and_new.row(CallbackDeliveryRow, "dlv_other") is not None
        assert ["dlv_other"] == [
            each.stream for each in await old_and_new.due(DueKind.CALLBACK, second(99), 99)
        ]
        assert [0, 1] == [await old_and_new.position(each) for each in ("dlv_old", "dlv_other")]

    async def test_leaves_stay_and_bytes_go(self, old_and_new: EventStore) -> None:
        """The hash of every event is as before, and blanking again changes nothing."""
        before = await leaves(old_and_new)
        await old_and_new.prunable_log.blank({OLD: 3})
        once = list(await old_and_new.sealed_log.raw_events(0, 100))
        await old_and_new.prunable_log.blank({OLD: 3})

        assert before == await leaves(old_and_new)
        assert once == list(await old_and_new.sealed_log.raw_events(0, 100))
        assert all(len(each.state.split(b"\n")[1]) in (0, 45) for each in once[:3])

    async def test_a_dropped_stream_is_gone(self, old_and_new: EventStore) -> None:
        """Readers go on behind it, also where all that they would read next was dropped."""
        before = await leaves(old_and_new)
        await old_and_new.prunable_log.blank({OLD: 3})
        await old_and_new.prunable_log.drop({OLD: 3})
        await old_and_new.prunable_log.drop({OLD: 3})

        assert [] == list(await old_and_new.read_stream(OLD))
        assert {NEW: 1} == await old_and_new.versions([OLD, NEW])
        assert [4] == [each.position for each in await old_and_new.read_log(0, 1)]
        assert [4] == [
            each.position for each in await old_and_new.read_outlines(0, 1, ["PinIssued"])
        ]
        assert before[3:] == await leaves(old_and_new)
        assert 4 == await old_and_new.newest()
        async with old_and_new.snapshot() as snapshot:
            assert [4] == [each.position async for each in snapshot.events()]
            assert [4] == [each.position async for each in snapshot.placed()]
            assert [4] == [each.position async for each in snapshot.raw_events()]
        # A position is never given twice.
        assert [5] == list(await old_and_new.append(step(pin("pin_next", ISSUED))))

    async def test_a_stream_that_went_on_keeps_everything(self, old_and_new: EventStore) -> None:
        """Only what was recorded may go: a later event protects its stream until it is recorded too."""
        whole = list(await old_and_new.sealed_log.raw_events(0, 100))
        state = pin_decider.fold((ISSUED, SENT, VERIFIED))
        await old_and_new.append(step(Change(OLD, 3, (evolve(VERIFIED, issue=2),), state)))
        await old_and_new.prunable_log.blank({OLD: 3})
        await old_and_new.prunable_log.drop({OLD: 3, NEW: 0})

        assert whole == list(await old_and_new.sealed_log.raw_events(0, 4))
        assert [True] * 4 == await self.hanging_on(old_and_new, OLD)
        assert await old_and_new.row(CallbackDeliveryRow, "dlv_old") is not None

    async def test_a_dropped_stream_is_none_that_a_decision_was_made_on(
        self, old_and_new: EventStore
    ) -> None:
        """A decision on the state before is refused, as for any stream that changed since."""
        await old_and_new.prunable_log.drop({OLD: 3})

        with pytest.raises(StreamConflict):
            await old_and_new.append(step(conditions=(Unchanged(OLD, 3),)))
        await old_and_new.append(step(conditions=(Unchanged(OLD, 0), Unchanged(NEW, 1))))

    async def test_streams_are_found_by_positions(self, old_and_new: EventStore) -> None:
        """Each comes with the number of its events there, as a recorded step names them."""
        log = old_and_new.prunable_log

        assert {OLD: 3, NEW: 1} == await log.streams_at([EVERY])
        assert {OLD: 2} == await log.streams_at([PrunedRange(1, 1), PrunedRange(3, 3)])
        assert {} == await log.streams_at([PrunedRange(9, 9)])
        assert [1, 2, 3, 4] == [each.position for each in await log.raw_streams([NEW, OLD])]
        assert [] == list(await log.raw_streams([]))
        await log.drop({OLD: 3})
        assert {NEW: 1} == await log.streams_at([EVERY])

    async def test_old_uses_are_forgotten(self, store: EventStore) -> None:
        """Uses that no rate measures any more go; newer ones and other subjects stay, and rates hold."""
        rate = Rate("3/10s")
        for at in (1.0, 2.0, 30.0, 31.0):
            for subject in ("sends:tpl_a", "sends:tpl_a:per_x", "sends:tpl_b"):
                await store.append(step(conditions=(WithinRate(subject, rate, second(at)),)))
        forgotten = await store.prunable_log.forget_old_uses("sends:tpl_a", second(20))

        async with store.snapshot() as snapshot:
            kept = [(each.subject, each.number) async for each in snapshot.uses()]
        assert 4 == forgotten
        assert [("sends:tpl_a", 3), ("sends:tpl_a", 4)] == kept[:2]
        assert 4 == len([each for each in kept if each[0] == "sends:tpl_b"])
        assert 0 == await store.prunable_log.forget_old_uses("sends:tpl_a", second(20))
        await store.append(step(conditions=(WithinRate("sends:tpl_a", rate, second(32)),)))
        with pytest.raises(RateReached):
            await store.append(step(conditions=(WithinRate("sends:tpl_a", rate, second(33)),)))
