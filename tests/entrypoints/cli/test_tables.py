"""Tables and the few words in them."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Sequence
from typing import Any

import pytest
from rich.cells import cell_len

from watchword.entrypoints.cli.output.tables import brief, echo_table, fields, words


def test_nothing_is_cut_where_nobody_watches(capsys: pytest.CaptureFixture[str]) -> None:
    """In a pipe a table has one line per row, with cells of any length."""
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
        ([{"logKey": "oak+1", "retired": None}], "log key oak+1"),
        ("Sencha\n緑茶\u202e", r"Sencha\n緑茶\u202e"),
    ],
)
def test_values_are_told_in_few_words(value: object, told: str) -> None:
    """Lists are joined, records separated, and unprintable characters spelled out."""
    assert told == brief(value)


def test_what_is_empty_is_not_told() -> None:
    """Only fields with values are listed, nested ones with their place."""
    record: dict[str, Any] = {
        "name": "tea",
        "note": None,
        "tags": [],
        "policy": {"pinLength": 6},
        "count": 0,
    }

    assert [("name", "tea"), ("policy pin length", 6), ("count", 0)] == list(fields(record))


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        """Say so."""
        return True


ID = "msg_" + "0123456789abcdef" * 2
URL = "https://shop.example/" + "x" * 200


@pytest.mark.parametrize(
    ("columns", "row"),
    [
        (("id", "name", "created"), (ID, "tea house", "2031-05-04T12:00:00.000Z")),
        (
            ("id", "status", "to", "sent by", "created", "expires"),
            (ID, "PENDING", "+91******10", "key_" + "f" * 32, "2031-05-04T12:00:00.000Z", "2031"),
        ),
        (("id", "url", "events"), (ID, URL, ["pin.verified", "message.accepted"])),
        (("id", "name"), (ID, "緑茶 " * 60)),
        (("id", "url"), ("i" * 200, URL)),
        (("field", "value"), ("events", "w " * 200)),
        (
            ("time", "version", "event", "actor", "what changed"),
            ("2031", 1, "X" * 30, ID, "w " * 90),
        ),
    ],
)
@pytest.mark.parametrize("width", ["40", "80", "132"])
def test_a_table_fits_its_terminal(
    columns: Sequence[str], row: Sequence[object], width: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No line is longer, nothing is cut, and an id that has room stands whole at its line's start."""
    monkeypatch.setenv("COLUMNS", width)
    with contextlib.redirect_stdout(Terminal()) as shown:
        echo_table(columns, [row, row])
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown.getvalue())
    lines = plain.splitlines()
    letters = re.sub(r"\W", "", plain)

    assert all(cell_len(line) <= int(width) for line in lines), lines
    if row[0] == ID:
        assert 2 == sum(line.startswith(ID) for line in lines)
    for cell in row:
        assert len(letters) >= 2 * len(re.sub(r"\W", "", brief(cell)))


def test_what_has_no_room_is_told_below_its_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """The values have the names of their columns; empty ones are left out."""
    monkeypatch.setenv("COLUMNS", "60")
    with contextlib.redirect_stdout(Terminal()) as shown:
        echo_table(("id", "status", "error", "created"), [(ID, "sent", None, "2031-05-04T12:00Z")])
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown.getvalue())
    heading, _, line, below = plain.splitlines()

    assert ["id", "status", "error"] == heading.split()
    assert [ID, "sent"] == line.split()
    assert "    created 2031-05-04T12:00Z" == below
