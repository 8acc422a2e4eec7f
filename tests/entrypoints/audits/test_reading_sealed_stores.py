"""Exports, replays and checks of a sealed store, with and without its code key (C-38, C-73, C-100)."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.entrypoints.audits.manipulations import one, sql, stream
from watchword.entrypoints.cli.__main__ import main

# Digits within a digest are no number.
NUMBER = re.compile(r"(?<!\w)\+?(?:9198\d{8}|447700900\d{3})(?!\w)")
# The person of the store who was erased: an opt-in of this number.
_OF_ERASED = (
    "SELECT originator_id FROM stored_events WHERE topic LIKE 'RecipientOptedIn/%' AND"
    " json_extract(substr(CAST(state AS TEXT), 1, instr(CAST(state AS TEXT), char(10)) - 1), '$.person')"
    " NOT IN (SELECT person FROM people)"
)


def audit(folder: Path, *words: str) -> Result:
    """Run `watchword audit` on a store, with the code key if it lies beside it."""
    env = {name: None for name in os.environ if name.startswith("WATCHWORD_")}
    return CliRunner().invoke(
        main, ["audit", *words], env={**env, "WATCHWORD_DATA_DIR": str(folder)}
    )


def exported(folder: Path, *words: str) -> list[Any]:
    """Export the whole log."""
    return [json.loads(each) for each in audit(folder, "export", *words).stdout.splitlines()]


def _veiled_like(clear: Any, veiled: Any) -> Any:
    """Return clear data with *** where the other has it."""
    match clear, veiled:
        case _, "***":
            return veiled
        case dict(), dict():
            return {name: _veiled_like(each, veiled.get(name)) for name, each in clear.items()}
        case list(), list():
            return [_veiled_like(*both) for both in zip(clear, veiled, strict=True)]
        case _:
            return clear


@pytest.mark.parametrize("keyed", [True, False])
@pytest.mark.parametrize("words", [(), ("--mask",)])
def test_numbers_show_with_the_code_key_alone_and_unmasked(
    words: tuple[str, ...], keyed: bool, copy: Path
) -> None:
    """Every event is exported each time, with the same ids, people and times."""
    clear = exported(copy)
    if not keyed:
        (copy / "code.key").unlink()
    lines = exported(copy, *words)

    assert (keyed and not words) == bool(NUMBER.search(json.dumps(lines)))
    for name in ("position", "eventId", "streamId", "type", "occurredAt", "actor", "person"):
        assert [each.get(name) for each in clear] == [each.get(name) for each in lines]


@pytest.mark.parametrize("keyed", [True, False])
@pytest.mark.parametrize("words", [(), ("--mask",)])
def test_what_was_erased_reads_so_for_everyone(
    words: tuple[str, ...], keyed: bool, copy: Path
) -> None:
    """An export and a replay show that something was there, with and without the code key."""
    whose = one(copy, _OF_ERASED)
    if not keyed:
        (copy / "code.key").unlink()
    shown = json.loads(audit(copy, "replay", whose, "--json", *words).stdout)
    recipients = {
        each["data"]["recipient"] for each in exported(copy, *words) if each["streamId"] == whose
    }

    assert {"(erased)"} == recipients
    assert "(erased)" == shown["state"]["recipient"]


def test_a_replay_without_the_code_key_leads_to_the_same_state(copy: Path) -> None:
    """All but what is sealed is there."""
    pin = one(copy, f"SELECT {stream('PinVerified')}")
    with_key = json.loads(audit(copy, "replay", pin, "--json").stdout)["state"]
    (copy / "code.key").unlink()
    without = json.loads(audit(copy, "replay", pin, "--json").stdout)["state"]

    assert "***" == without["destination"] != with_key["destination"]
    assert without == _veiled_like(with_key, without)


def test_a_check_says_what_it_did_not_open(copy: Path) -> None:
    """Without the code key, and of a store that lost one."""
    assert "" == audit(copy, "check").stderr
    sql("INSERT INTO settings VALUES ('code_key_lost', '1')")(copy)
    assert "This store once lost version 1 of its code key." in audit(copy, "check").stderr
    (copy / "code.key").unlink()
    checked = audit(copy, "check")

    assert 0 == checked.exit_code
    assert "What is sealed was not opened" in checked.stderr
