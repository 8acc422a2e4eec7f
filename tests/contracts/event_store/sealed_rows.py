"""The promises of every event store about the personal members of rows (C-73, C-74)."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from tests.contracts.event_store.histories import step
from tests.contracts.event_store.sample_people import person
from tests.contracts.event_store.sample_rows import (
    CALLBACK_DELIVERY,
    MESSAGE,
    VERIFICATION,
    written,
)
from watchword.application.ports.event_store import EventStore, PersonGone, PersonRecord
from watchword.application.ports.listings import (
    AtLeast,
    Contains,
    Either,
    Equals,
    Filter,
    Missing,
    Present,
    Query,
)
from watchword.application.records.callback_delivery import CallbackDeliveryRow
from watchword.application.records.message import MessageRow
from watchword.application.records.pin import VerificationRow
from watchword.domain.event import ERASED

OF_TEA = Equals("account_id", "account-tea")


def message(key: str, **values: Any) -> MessageRow:
    """Return a message without references, unless they are given."""
    bare = {"reference": None, "tag1": None, "tag3": None, "callback_url": None}
    return evolve(MESSAGE, id=key, **{**bare, **values})


def delivery(key: str, person: PersonRecord | None) -> CallbackDeliveryRow:
    """Return a delivery that speaks of a person."""
    person_id = None if person is None else person.person_id
    return evolve(CALLBACK_DELIVERY, id=key, person_id=person_id)


async def found(store: EventStore, *where: Filter, **query: Any) -> list[str]:
    """Return the ids of messages on a page."""
    return sorted(row.id for row in await store.slice(Query(rows=MessageRow, where=where, **query)))


class FindableRowsContract:
    """A search finds what is sealed by its exact text, in one account."""

    async def test_a_sealed_text_finds_its_rows(self, store: EventStore) -> None:
        """Exactly as it is spelled, by the field that it is in, in the account that is named."""
        await written(
            store,
            (
                message("a", reference="order-17", tag1="spring"),
                message("b", reference="order-18", tag1="order-17"),
                message("c", reference="order-17", account_id="account-pot"),
            ),
        )

        assert ["a"] == await found(store, OF_TEA, Equals("reference", "order-17"))
        assert ["b"] == await found(store, OF_TEA, Equals("tag1", "order-17"))
        assert [] == await found(store, OF_TEA, Equals("reference", "ORDER-17"))
        assert ["a", "b"] == await found(
            store,
            OF_TEA,
            Either(((Equals("reference", "order-17"),), (Equals("tag1", "order-17"),))),
        )

    async def test_a_missing_text_is_known_without_a_key(self, store: EventStore) -> None:
        """Nothing and an empty text are two things, in one account and in all."""
        rows = (message("a", callback_url="https://tea.example/"), message("b", tag1=""))
        await written(store, rows)

        assert ["a"] == await found(store, Present("callback_url"))
        assert ["b"] == await found(store, Missing("callback_url"))
        assert ["b"] == await found(store, Present("tag1"))
        assert ["b"] == await found(store, OF_TEA, Equals("tag1", ""))
        assert ["a"] == await found(store, Equals("tag1", None))

    async def test_a_count_goes_by_the_same_text(self, store: EventStore) -> None:
        """A page and its total agree."""
        pin = evolve(VERIFICATION, reference_id="order-17")
        await written(store, (pin, evolve(pin, pin_id="b", reference_id="order-18")))
        where = (OF_TEA, Equals("reference_id", "order-17"))
        page = await store.page(Query(rows=VerificationRow, where=where))

        assert [pin] == list(page.rows)
        assert 1 == page.total

    @pytest.mark.parametrize(
        "where",
        [
            (Equals("reference", "order-17"),),
            (Either(((OF_TEA, Equals("reference", "order-17")),)),),
            (OF_TEA, Contains("reference", "17")),
            (OF_TEA, AtLeast("tag1", "a")),
            (OF_TEA, Equals("person_side", "+919812345610")),
            (OF_TEA, Present("person_side")),
        ],
    )
    async def test_a_search_that_no_hmac_answers_is_refused(
        self, store: EventStore, where: tuple[Filter, ...]
    ) -> None:
        """Without its account, by a part of a text, by a range, or by a text that nothing finds."""
        with pytest.raises(ValueError, match=r"sealed|needs its account"):
            await store.slice(Query(rows=MessageRow, where=where))

    @pytest.mark.parametrize("column", ["person_side", "reference"])
    async def test_no_list_goes_in_the_order_of_sealed_texts(
        self, store: EventStore, column: str
    ) -> None:
        """HMACs have another order."""
        with pytest.raises(ValueError, match="has no order"):
            await store.page(Query(rows=MessageRow, order_by=column))


class ErasedRowsContract:
    """An erasure takes the personal members of a person's rows, and leaves the rest."""

    async def test_erased_rows_keep_what_is_not_personal(self, store: EventStore) -> None:
        """Rows of others stay whole, and a second call finds nothing more to erase."""
        anna, bert = person("anna"), person("bert")
        rows = (delivery("a", anna), delivery("b", anna), delivery("c", bert), delivery("d", None))
        await store.append(step(new_people=(anna, bert), rows=rows))
        await store.append(step(erasing=(anna.person_id,)))

        erased = await store.erase_rows(anna.person_id)
        again = await store.erase_rows(anna.person_id)
        read = await store.rows(CallbackDeliveryRow, "abcd")

        assert (2, 0) == (erased, again)
        assert evolve(rows[0], url=ERASED, body=ERASED) == read["a"]
        assert [ERASED, rows[2].body, rows[3].body] == [read[each].body for each in "bcd"]

    async def test_the_key_alone_hides_a_row(self, store: EventStore) -> None:
        """From the erasure's first append on, before any row was written again."""
        anna = person("anna")
        await store.append(step(new_people=(anna,), rows=(delivery("a", anna),)))
        await store.append(step(erasing=(anna.person_id,)))
        read = await store.row(CallbackDeliveryRow, "a")

        assert read is not None
        assert (ERASED, "pending") == (read.body, read.status)

    async def test_many_rows_are_erased_in_some_calls(self, store: EventStore) -> None:
        """Each call has a bound, and 0 says that none is left."""
        anna = person("anna")
        rows = tuple(delivery(f"dlv-{number}", anna) for number in range(1_100))
        await store.append(step(new_people=(anna,), rows=rows))
        await store.append(step(erasing=(anna.person_id,)))
        total = 0
        while some := await store.erase_rows(anna.person_id):
            total += some

        assert len(rows) == total

    async def test_a_row_for_an_erased_person_is_refused(self, store: EventStore) -> None:
        """Otherwise a sealed text would outlive its key."""
        anna = person("anna")
        await store.append(step(new_people=(anna,)))
        await store.append(step(erasing=(anna.person_id,)))

        with pytest.raises(PersonGone):
            await store.append(step(rows=(delivery("a", anna),)))
        assert await store.row(CallbackDeliveryRow, "a") is None

    async def test_an_append_that_knows_of_the_erasure_writes_the_rest(
        self, store: EventStore
    ) -> None:
        """The delivery is recorded without what it was about."""
        anna = person("anna")
        row = delivery("a", anna)
        await store.append(step(new_people=(anna,), rows=(row,)))
        await store.append(step(erasing=(anna.person_id,)))
        ended = evolve(row, status="failed", attempts=3)
        await store.append(step(rows=(ended,), erased=frozenset({anna.person_id})))

        assert evolve(ended, url=ERASED, body=ERASED) == await store.row(CallbackDeliveryRow, "a")
