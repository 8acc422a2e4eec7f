"""A read model whose personal fields could not be sealed, or searched once sealed, is refused."""

from __future__ import annotations

import typing

import attrs
import pytest

from watchword.adapters.event_store.rows.personal_columns import personal_columns
from watchword.adapters.event_store.rows.read_model_tables import ROW_TABLES
from watchword.application.records.read_model import FoundBy, ReadModel, findable
from watchword.domain.event import personal


@attrs.frozen
class Letter:
    """A letter to somebody."""

    id: str
    account_id: str
    to: str = personal()
    reference: str | None = findable()


@attrs.frozen
class Stray:
    """A letter of nobody's account."""

    id: str
    to: str = personal()


@attrs.frozen
class Sealed:
    """A letter with a column that the table needs itself."""

    id: str
    account_id: str
    sealed: str
    to: str = personal()


@pytest.mark.parametrize(
    ("model", "why"),
    [
        (ReadModel(row=Stray, name="strays"), "name no account"),  # type: ignore[type-var]  # these are no `Row`
        (ReadModel(row=Sealed, name="seals"), "no room"),  # type: ignore[type-var]  # these are no `Row`
        (
            ReadModel(row=Letter, name="letters", found_by=(FoundBy("by_to", ("id", "to")),)),  # type: ignore[type-var]  # these are no `Row`
            "by_to finds rows by a field that is sealed",
        ),
        (
            ReadModel(  # type: ignore[type-var]  # these are no `Row`
                row=Letter, name="letters", found_by=(FoundBy("if_to", ("id",), present="to"),)
            ),
            "if_to finds rows by a field that is sealed",
        ),
        (ReadModel(row=Letter, name="letters", changing=("account_id",)), "change their owner"),  # type: ignore[type-var]  # these are no `Row`
        (ReadModel(row=Letter, name="letters", changing=("reference",)), "may not change"),  # type: ignore[type-var]  # these are no `Row`
    ],
)
def test_a_list_that_cannot_be_sealed_is_refused(model: ReadModel[typing.Any], why: str) -> None:
    """The service does not start with it."""
    with pytest.raises(TypeError, match=why):
        personal_columns(model, typing.get_type_hints(model.row))


def test_every_table_with_people_finds_their_rows_by_an_index() -> None:
    """An erasure never reads the rows of others."""
    for table in ROW_TABLES.values():
        if "person_id" in table.shape.columns:
            first = {next(iter(each.columns)).name for each in table.table.indexes}
            assert "person_id" in first, table.name
