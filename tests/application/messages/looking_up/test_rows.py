"""The rows of messages and runs follow from their streams, and the audit's check compares them."""

from __future__ import annotations

import pytest
from attrs import evolve

from tests.application.recorded_messages import RecordedMessages, sms_step
from tests.contracts.event_store.histories import step
from tests.domain.message.story import (
    DELIVERED,
    MESSAGE,
    PARKED,
    PROVIDER_ID,
    receipt,
    second,
)
from tests.vaults import INDEX_KEY, new_vault
from watchword.adapters.event_store.memory.store import MemoryEventStore
from watchword.application.audit.checking import Checking
from watchword.application.audit.differences import Kind
from watchword.application.caller import Caller
from watchword.application.journal import Journal, beginning, change
from watchword.application.messages.tracking.parked_receipts import due_row
from watchword.application.records.fallback_run import FallbackRunRow
from watchword.application.records.message import MessageRow
from watchword.application.records.read_model import Row
from watchword.domain.parked_receipt import (
    MatchReceipt,
    ParkReceipt,
    match,
    park,
    parked_receipt_decider,
)

BY = Caller("acc_orchid", "cha_counter", "req_one")


@pytest.fixture
def store() -> MemoryEventStore:
    """Return a new store."""
    return MemoryEventStore(vault=new_vault())


@pytest.fixture
def journal(store: MemoryEventStore) -> Journal:
    """Return the way to it."""
    return Journal(store)


@pytest.fixture(autouse=True)
async def _told(recorded: RecordedMessages, store: MemoryEventStore) -> None:
    """Append the events of a message whose fallback was sent and arrived."""
    await store.keep_key(INDEX_KEY)
    await recorded.submitted("msg_a", run_id="run_a")
    await recorded.armed("run_a", "msg_a", sms_step())
    await recorded.dispatched("msg_a", 1)
    await recorded.fired("run_a", 60, 1, "msg_step")
    await recorded.dispatched("msg_step", 61)
    await recorded.reported("msg_step", 65, DELIVERED)
    await recorded.received("msg_in", 70)


async def park_one(journal: Journal) -> None:
    """Park a receipt for a message that does not exist yet."""
    command = ParkReceipt(
        at=second(71),
        parked_id=PARKED,
        channel_account_id="cha_counter",
        provider_message_id=PROVIDER_ID,
        receipt=receipt(DELIVERED, 71),
    )
    decision = park(command)
    made = beginning(parked_receipt_decider, PARKED, decision)
    await journal.write(
        BY,
        second(71),
        made,
        due=due_row(PARKED, made.state),
    )


async def test_the_rows_agree_with_the_log(journal: Journal) -> None:
    """A replay gives the same rows (D-3)."""
    checked = await Checking(journal).check()

    assert (0, ()) == (checked.total, checked.differences)
    assert await journal.row(MessageRow, "msg_step") is not None
    assert await journal.row(FallbackRunRow, "run_a") is not None


async def test_a_parked_receipt_has_no_row(journal: Journal, store: MemoryEventStore) -> None:
    """It has none while it waits or after it is matched, and the check misses none."""
    await park_one(journal)
    waiting = await Checking(journal).check()
    parked = await journal.load(parked_receipt_decider, PARKED)
    decision = match(parked.state, MatchReceipt(at=second(72), holder=MESSAGE))
    handed_over = change(parked_receipt_decider, PARKED, parked, decision)
    await journal.write(BY, second(72), handed_over)

    assert 0 == waiting.total
    async with store.snapshot() as snapshot:
        for kind in (MessageRow, FallbackRunRow):
            assert PARKED not in [each.key async for each in snapshot.rows(kind)]


@pytest.mark.parametrize(
    ("kind", "key", "changed", "named"),
    [
        (MessageRow, "msg_step", {"status": "read"}, ("status", "delivered", "read")),
        (MessageRow, "msg_step", {"person_side": "+919812345611"}, ("person_side", "***", "***")),
        (MessageRow, "msg_in", {"person_side": "+919812345611"}, ("person_side", "***", "***")),
        (MessageRow, "msg_a", {"cust_refs": {}}, ("cust_refs", "***", "***")),
        (MessageRow, "msg_a", {"id": PARKED}, ("", "no row", "a row")),
        (FallbackRunRow, "run_a", {"deadline": second(1)}, ("deadline", None, second(1))),
    ],
)
async def test_a_changed_row_is_named(
    journal: Journal,
    store: MemoryEventStore,
    kind: type[Row],
    key: str,
    changed: dict[str, object],
    named: tuple[object, ...],
) -> None:
    """The difference names the field and its value, unless personal (D-29); a surplus row is named, too."""
    await park_one(journal)
    row = await journal.row(kind, key)
    assert row is not None
    await store.append(step(rows=(evolve(row, **changed),)))
    differences = (await Checking(journal).check()).differences
    (difference,) = [each for each in differences if each.kind is Kind.ROW]

    assert kind.__name__ == difference.what
    assert named == (difference.field, difference.expected, difference.found)
