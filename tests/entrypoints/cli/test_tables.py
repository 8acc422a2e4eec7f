"""Tables and the few words in them."""

from __future__ import annotations

from typing import Any

import pytest

from watchword.entrypoints.cli.tables import brief, echo_table, fields, words


def test_nothing_is_cut_where_nobody_watches(capsys: pytest.CaptureFixture[str]) -> None:
    """In a pipe a table has one line per row, however long its cells are."""
    name, text = "i" * 300, "w " * 300 + "end"
    echo_table(("id", "text"), [(name, text)], title="Long")

    assert f"Long\n{'id':300}  text\n{name}  {text}\n" == capsys.readouterr().out


def test_documented_names_read_as_words() -> None:
    """Names are spelled as people would, with the field they stand in ahead."""
    assert "policy pin time to live" == words("policy.pinTimeToLive")


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (None, ""),
        (True, "yes"),
        (False, "no"),
        (0, "0"),
        (["sms", "email"], "sms, email"),
        ([{"channel": "sms", "status": "rejected", "errorCode": "gone"}], "sms rejected gone"),
        ("Sencha\n緑茶\u202e", r"Sencha\n緑茶\u202e"),
    ],
)
def test_values_are_told_in_few_words(value: object, told: str) -> None:
    """Lists are joined, records told apart, and what cannot be printed is spelled out."""
    assert told == brief(value)


def test_what_is_empty_is_not_told() -> None:
    """Only fields that say something are listed, those of records inside with their place."""
    record: dict[str, Any] = {
        "name": "tea",
        "note": None,
        "tags": [],
        "policy": {"pinLength": 6},
        "count": 0,
    }

    assert [("name", "tea"), ("policy pin length", 6), ("count", 0)] == list(fields(record))
