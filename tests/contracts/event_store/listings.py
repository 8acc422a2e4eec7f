"""The promises of every event store about lists and searches."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from attrs import evolve, fields

from tests.contracts.event_store.histories import NOON, ONE_MICROSECOND, second
from tests.contracts.event_store.sample_rows import (
    CHANGED,
    SAMPLES,
    VERIFICATION,
    template,
    templates,
    written,
)
from watchword.application.ports.event_store import EventStore
from watchword.application.ports.listings import (
    AtLeast,
    Below,
    Contains,
    Either,
    Equals,
    Filter,
    Lists,
    Missing,
    Present,
    Query,
)
from watchword.application.records.api_key import ApiKeyRow
from watchword.application.records.pin import VerificationRow
from watchword.application.records.pin_template import PinTemplateRow
from watchword.application.records.read_model import Row
from watchword.domain.accounts.api_key import api_key_decider


async def found(store: EventStore, *where: Filter, **query: Any) -> list[str]:
    """Return the ids of the templates on one page, by id unless another order is asked for."""
    order = {"order_by": "id", "descending": False, **query}
    page = await store.page(Query(rows=PinTemplateRow, where=where, **order))
    return [row.id for row in page.rows]


class RowsContract:
    """A row reads as it was written, and a new one takes the place of the old."""

    @pytest.mark.parametrize("row", SAMPLES.values(), ids=lambda row: type(row).__name__)
    async def test_a_row_reads_as_it_was_written(self, store: EventStore, row: Row) -> None:
        """Every value comes back, by its key and in the list, empty ones included."""
        key = getattr(row, fields(type(row))[0].name)
        await written(store, (row,))

        page = await store.page(Query(rows=type(row), order_by=fields(type(row))[0].name))

        assert row == await store.row(type(row), key)
        assert [row] == list(page.rows)
        assert 1 == page.total

    @pytest.mark.parametrize("row", CHANGED, ids=lambda row: type(row).__name__)
    async def test_a_new_row_replaces_the_old_one(self, store: EventStore, row: Row) -> None:
        """Every column that may change changes with the next append of its key."""
        key = getattr(row, fields(type(row))[0].name)
        await written(store, (SAMPLES[type(row)],))
        await written(store, (row,))

        assert row == await store.row(type(row), key)
        by_key = Query(rows=type(row), order_by=fields(type(row))[0].name)
        assert [row] == list((await store.page(by_key)).rows)

    async def test_the_last_row_of_an_append_counts(self, store: EventStore) -> None:
        """Two rows of one key in one append: the later one is kept."""
        await written(store, (template("t-1"), template("t-1", status="DISABLED")))

        assert template("t-1", status="DISABLED") == await store.row(PinTemplateRow, "t-1")

    async def test_what_a_reader_writes_into_a_row_stays_there(self, store: EventStore) -> None:
        """A row belongs to its reader, whichever call returned it."""
        await written(store, (template("t-1"),))
        everything = Query(rows=PinTemplateRow)
        for read in (
            await store.row(PinTemplateRow, "t-1"),
            (await store.rows(PinTemplateRow, ["t-1"]))["t-1"],
            (await store.page(everything)).rows[0],
            (await store.slice(everything))[0],
        ):
            object.__setattr__(read, "name", "mine")

        assert template("t-1") == await store.row(PinTemplateRow, "t-1")

    async def test_a_key_that_nobody_wrote_has_no_row(self, store: EventStore) -> None:
        """An unknown key, and a key of another list, have no row."""
        await written(store, (template("t-1"),))

        assert await store.row(PinTemplateRow, "t-") is None
        assert await store.row(ApiKeyRow, "t-1") is None

    async def test_several_rows_come_by_their_keys(self, store: EventStore) -> None:
        """Each under its key, twice asked for or not; unknown keys and other lists' have none."""
        await written(store, (*templates("abcd"), SAMPLES[ApiKeyRow]))
        odd = ("'", '"', "\\", "", "茶", "key-tea")

        found = await store.rows(PinTemplateRow, ("d", "b", "b", *odd))

        assert {row.id: row for row in templates("bd")} == found
        assert {} == await store.rows(PinTemplateRow, ())

    async def test_many_rows_come_at_once(self, store: EventStore) -> None:
        """Any number of keys is one query."""
        keys = [f"t-{number}" for number in range(2_000)]
        await written(store, tuple(templates(keys)))

        assert set(keys) == (await store.rows(PinTemplateRow, keys)).keys()


class FiltersContract:
    """Filters hold together, and mean the same in every store."""

    async def test_without_filters_everything_is_there(self, store: EventStore) -> None:
        """A query without filters returns all rows of its list and of no other."""
        await written(store, (*templates("ab"), *SAMPLES.values()))

        assert ["a", "b", "template-tea"] == await found(store)

    async def test_equals(self, store: EventStore) -> None:
        """A column has exactly this value: text in this case, number, time, truth, or nothing."""
        rows = (
            template("a", name="Tea", status_rank=1),
            template("b", name="tea", archived_at=second(5)),
            template("c", name="te_"),
        )
        await written(store, (*rows, SAMPLES[ApiKeyRow]))
        auto = Query(rows=ApiKeyRow, where=(Equals("template_auto_match", True),))
        manual = Query(rows=ApiKeyRow, where=(Equals("template_auto_match", False),))

        assert ["b"] == await found(store, Equals("name", "tea"))
        assert ["a"] == await found(store, Equals("status_rank", 1))
        assert ["b"] == await found(store, Equals("archived_at", second(5)))
        assert ["a", "c"] == await found(store, Equals("archived_at", None))
        assert 1 == (await store.page(auto)).total
        assert 0 == (await store.page(manual)).total

    async def test_at_least_and_below(self, store: EventStore) -> None:
        """`AtLeast` includes its bound, `Below` does not; an empty column is neither."""
        rows = [template(each, archived_at=second(at)) for at, each in enumerate("abcd")]
        await written(store, (*rows, template("none")))

        assert ["b", "c", "d"] == await found(store, AtLeast("archived_at", second(1)))
        assert ["a"] == await found(store, Below("archived_at", second(1)))
        assert ["a", "b"] == await found(store, Below("archived_at", second(1) + ONE_MICROSECOND))
        assert ["b", "c"] == await found(
            store, AtLeast("archived_at", second(1)), Below("archived_at", second(3))
        )
        assert ["b"] == await found(store, AtLeast("name", "b"), Below("name", "c"))

    async def test_missing(self, store: EventStore) -> None:
        """A column that is empty is missing; an empty text is not."""
        await written(store, (template("a"), template("b", archived_at=NOON)))
        await written(store, (template("c", name=""),))

        assert ["a", "c"] == await found(store, Missing("archived_at"))
        assert [] == await found(store, Missing("name"))

    async def test_present(self, store: EventStore) -> None:
        """A value that is not missing is present, an empty text too."""
        await written(store, (template("a"), template("b", name="", archived_at=NOON)))

        assert ["b"] == await found(store, Present("archived_at"))
        assert ["a", "b"] == await found(store, Present("name"))

    async def test_contains_ignores_the_case(self, store: EventStore) -> None:
        """A text is found at any place, in any case."""
        names = {"a": "Green Tea", "b": "TEAPOT", "c": "coffee", "d": "steam"}
        await written(store, tuple(template(i, name=name) for i, name in names.items()))

        assert ["a", "b", "d"] == await found(store, Contains("name", "tea"))
        assert ["a", "b", "d"] == await found(store, Contains("name", "TeA"))
        assert ["a", "b", "c", "d"] == await found(store, Contains("name", ""))

    @pytest.mark.parametrize("text", ["%", "_", "/", "\\", "'", '"', "*", "?", "[a]", "/_", "é"])
    async def test_contains_takes_its_text_literally(self, store: EventStore, text: str) -> None:
        """Nothing in the text is a wildcard, and nothing breaks out of it."""
        rows = (template("a", name=f"50{text} off"), template("b", name="5000 off a\u0308"))
        await written(store, rows)

        assert ["a"] == await found(store, Contains("name", text))
        assert ["a"] == await found(store, Contains("name", f"0{text} "))

    @pytest.mark.parametrize("text", ["tea\x00", "\x00"])
    async def test_what_no_database_keeps_is_found_nowhere(
        self, store: EventStore, text: str
    ) -> None:
        """No stored text contains NUL, so a search for it finds nothing."""
        await written(store, (template("tea", name="tea"),))

        assert [] == await found(store, Equals("name", text))
        assert [] == await found(store, Contains("name", text))
        assert None is await store.row(PinTemplateRow, text)
        assert await store.load(api_key_decider, text) is None
        assert not await store.holders(text)

    async def test_lists_whole_names(self, store: EventStore) -> None:
        """A name is listed as a whole; part of one is not."""
        lists = {
            "a": ("sms", "email"),
            "b": ("email",),
            "c": ("sms",),
            "d": (),
            "e": ("viber-sms",),
        }
        rows = tuple(
            evolve(VERIFICATION, pin_id=key, channel_names=names) for key, names in lists.items()
        )
        await written(store, rows)

        async def listing(name: str) -> list[str]:
            query = Query(rows=VerificationRow, where=(Lists("channel_names", name),))
            return sorted(row.pin_id for row in await store.slice(query))

        assert ["a", "c"] == await listing("sms")
        assert ["a", "b"] == await listing("email")
        assert [] == await listing("rcs")

    @pytest.mark.parametrize("live", [250, 251])
    async def test_a_range_narrows_a_list_in_its_own_order(
        self, store: EventStore, live: int
    ) -> None:
        """The range may have any number of rows, in any order."""
        rows = tuple(
            evolve(
                VERIFICATION,
                pin_id=f"pin-{number:03}",
                created_at=second(number // 2),
                expires_at=second(1000 - number),
            )
            for number in range(300)
        )
        await written(store, rows)
        in_range = AtLeast("expires_at", second(1001 - live))
        query = Query(
            rows=VerificationRow, where=(in_range,), counted_to=1000, page=2, page_size=200
        )
        page = await store.page(query)

        assert live == page.total
        assert [f"pin-{number:03}" for number in reversed(range(live - 200))] == [
            row.pin_id for row in page.rows
        ]

    async def test_an_empty_column_contains_nothing(self, store: EventStore) -> None:
        """An empty column contains no text, not even an empty one."""
        await written(store, (template("a"), template("b", archived_at=NOON)))

        assert [] == await found(store, Contains("archived_at", "none"))
        assert ["b"] == await found(store, Contains("archived_at", "2031"))

    async def test_either(self, store: EventStore) -> None:
        """One of several combinations holds, together with the filters beside it."""
        rows = [template(each, status=status) for each, status in zip("abcd", "XXYZ", strict=True)]
        await written(store, tuple(rows))
        either = Either(
            (
                (Equals("status", "X"), Equals("id", "b")),
                (Equals("status", "Y"),),
                (Equals("status", "Z"), Equals("id", "a")),
            )
        )

        assert ["b", "c"] == await found(store, either)
        assert ["c"] == await found(store, either, AtLeast("id", "c"))
        assert ["b"] == await found(store, Either(((either, Equals("id", "b")),)))

    async def test_a_row_that_fits_several_options_is_there_once(self, store: EventStore) -> None:
        """Options may overlap, and an empty column is no reason to lose a row."""
        rows = (
            template("a", status="X", archived_at=NOON),
            template("b", status="X"),
            template("c", status="Y", archived_at=NOON),
            template("d", status="Y"),
        )
        await written(store, rows)
        either = Either(
            (
                (Equals("archived_at", NOON),),
                (Equals("status", "X"), AtLeast("id", "a")),
                (Equals("id", "c"),),
            )
        )

        page = await store.page(Query(rows=PinTemplateRow, where=(either,)))

        assert ["a", "b", "c"] == await found(store, either)
        assert 3 == page.total

    async def test_what_either_option_finds_is_in_one_order(self, store: EventStore) -> None:
        """Pages go through all options together, as if they were one list."""
        rows = [
            template(each, status="XY"[number % 2], created_at=second(number // 2))
            for number, each in enumerate("abcdefgh")
        ]
        await written(store, tuple(rows))
        either = Either(((Equals("status", "Y"),), (Equals("status", "X"),)))
        pages = [
            await found(
                store, either, order_by="created_at", descending=True, page=page, page_size=3
            )
            for page in (1, 2, 3, 4)
        ]

        assert ["hgf", "edc", "ba", ""] == ["".join(page) for page in pages]

    async def test_filters_hold_together(self, store: EventStore) -> None:
        """A row must pass every filter; the total counts those that do."""
        await written(store, tuple(templates("abcde")))
        where = (AtLeast("id", "b"), Below("id", "e"))

        page = await store.page(Query(rows=PinTemplateRow, where=where, page_size=2))

        assert 2 == len(page.rows)
        assert 3 == page.total


class PagesContract:
    """Pages are stable: no row stands on two of them, none is left out."""

    async def test_the_newest_comes_first_unless_asked_otherwise(self, store: EventStore) -> None:
        """By default a list is ordered by creation, newest first."""
        rows = [
            template(each, created_at=second(at)) for each, at in (("a", 2), ("b", 3), ("c", 1))
        ]
        await written(store, tuple(rows))

        page = await store.page(Query(rows=PinTemplateRow))

        assert ["b", "a", "c"] == [row.id for row in page.rows]

    @pytest.mark.parametrize(
        ("column", "values"),
        [
            ("name", ["", "Zebra", "apple", "apples", "zebra", "Äpfel", "éclair"]),
            ("status_rank", [-1, 0, 2, 10, 11]),
            (
                "archived_at",
                [None, second(-1e6), second(0), second(0) + ONE_MICROSECOND, second(1)],
            ),
        ],
    )
    async def test_order(self, store: EventStore, column: str, values: list[object]) -> None:
        """Numbers by size, times by time, texts by code point, empty ones least; and backwards."""
        ids = [f"{number * 7 % 10}" for number in range(len(values))]
        rows = [template(i, **{column: value}) for i, value in zip(ids, values, strict=True)]
        await written(store, tuple(sorted(rows, key=lambda row: row.id)))

        assert ids == await found(store, order_by=column)
        assert ids[::-1] == await found(store, order_by=column, descending=True)

    @pytest.mark.parametrize("descending", [True, False])
    async def test_ties_are_broken_by_the_key(self, store: EventStore, descending: bool) -> None:
        """Rows of the same time keep one order on every page, and a page beyond the end is empty."""
        await written(store, tuple(templates("dacgbfe")))
        pages = [
            await store.page(
                Query(rows=PinTemplateRow, descending=descending, page=number, page_size=3)
            )
            for number in (1, 2, 3, 4, 500)
        ]
        order = "gfedcba" if descending else "abcdefg"

        assert [order[0:3], order[3:6], order[6], "", ""] == [
            "".join(row.id for row in page.rows) for page in pages
        ]
        assert [7] * 5 == [page.total for page in pages]

    async def test_a_page_can_be_had_without_counting(self, store: EventStore) -> None:
        """A slice has the rows of the counted page, on every page; an empty page has none."""
        await written(store, tuple(templates("dacgbfe")))
        for number in (1, 3, 4):
            for size in (3, 0):
                query = Query(
                    rows=PinTemplateRow, where=(AtLeast("id", "b"),), page=number, page_size=size
                )

                assert list((await store.page(query)).rows) == list(await store.slice(query))

        whole = Query(rows=PinTemplateRow, where=(AtLeast("id", "b"),), page_size=9)
        assert "gfedcb" == "".join(row.id for row in await store.slice(whole))

    @pytest.mark.parametrize(("counted_to", "total"), [(None, 7), (8, 7), (7, 7), (3, 3), (0, 0)])
    @pytest.mark.parametrize(
        "where",
        [(), (AtLeast("id", "a"),), (Either(((AtLeast("id", "d"),), (Below("id", "f"),))),)],
    )
    async def test_a_count_stops_where_it_is_told_to(
        self, store: EventStore, where: tuple[Filter, ...], counted_to: int | None, total: int
    ) -> None:
        """The list may be longer; the page does not change."""
        await written(store, tuple(templates("dacgbfe")))
        query = Query(rows=PinTemplateRow, where=where, page=2, page_size=3, counted_to=counted_to)
        page = await store.page(query)

        assert (total, "dcb") == (page.total, "".join(row.id for row in page.rows))

    async def test_an_empty_list_has_an_empty_page(self, store: EventStore) -> None:
        """Nothing found is a page too."""
        page = await store.page(Query(rows=PinTemplateRow))

        assert [] == list(page.rows)
        assert 0 == page.total

    async def test_lists_follow_writes_at_once(self, store: EventStore) -> None:
        """A row is there, moved or counted as soon as the append that carries it has returned."""
        seen: list[tuple[list[str], datetime | None]] = []
        for number in range(3):
            at = second(number)
            await written(store, (template(f"{number}"), template("a", archived_at=at)))
            row = await store.row(PinTemplateRow, "a")
            seen.append((await found(store), row.archived_at if row else None))

        assert [
            (["0", "a"], second(0)),
            (["0", "1", "a"], second(1)),
            (["0", "1", "2", "a"], second(2)),
        ] == seen

    async def test_a_changed_row_is_found_by_what_it_is_now(self, store: EventStore) -> None:
        """A filter finds a row by its newest values and by nothing that it was before."""
        await written(store, (template("a", status="ENABLED"),))
        await written(store, (evolve(template("a"), status="DISABLED"),))

        assert [] == await found(store, Equals("status", "ENABLED"))
        assert ["a"] == await found(store, Equals("status", "DISABLED"))
