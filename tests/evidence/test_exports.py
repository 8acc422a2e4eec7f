"""An export with evidence is checked against a signed head, with nothing else at hand."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.evidence.golden_log import (
    AT,
    ORIGIN,
    VERIFIERS,
    golden_log,
    head_of,
    leaf_of,
    line_of,
    lines_of,
    write,
)
from tests.signed_heads import NAME
from watchword import verify_evidence
from watchword.entrypoints.wire.codec import encode
from watchword.verify_evidence import (
    EvidenceError,
    Finding,
    Report,
    check_export,
    leaf_hash,
)

LOG = golden_log()
HEAD = head_of(LOG)
LINES = lines_of(LOG)
SIZE = len(LOG)
Lines = list[dict[str, Any]]


def checked(lines: Any, folder: Path, head: str = HEAD) -> Report:
    """Check these lines against a head."""
    return check_export(write(lines, folder / "log.jsonl"), head, VERIFIERS)


def found(lines: Any, folder: Path, head: str = HEAD) -> list[tuple[int | None, str, int | None]]:
    """Return position, kind and end of each finding."""
    return [(each.position, each.kind, each.to) for each in checked(lines, folder, head).findings]


@pytest.mark.parametrize("mask", [False, True])
def test_every_kind_of_event_is_shown_as_its_open_line(tmp_path: Path, mask: bool) -> None:
    """An export of a log with all events is what the head covers; masks hide what is sealed alone."""
    lines = [line_of(event, at, mask=mask) for at, event in enumerate(LOG, 1)]
    report = checked(lines, tmp_path)

    assert [] == report.findings
    assert (ORIGIN, SIZE, AT) == (report.covered and (*report.covered[:2], report.covered.at))


def test_a_longer_export_has_events_that_are_not_covered(tmp_path: Path) -> None:
    """The head covers its first events, and the report says how many are newer."""
    report = checked(LINES, tmp_path, head_of(LOG[:-3]))

    assert [] == report.findings
    assert "3 of them are newer than the head, which does not cover them." in report.summary


def test_lines_may_be_written_again_by_other_tools(tmp_path: Path) -> None:
    """The open line is text, so neither blanks nor escapes nor the order of members matter."""
    file = tmp_path / "log.jsonl"
    again = [json.dumps(dict(reversed(each.items())), ensure_ascii=True) for each in LINES]
    file.write_text("\n".join(again))

    assert [] == check_export(file, HEAD, VERIFIERS).findings


def test_a_line_that_shows_something_else_is_named(tmp_path: Path) -> None:
    """Each member that the open line has, shown differently, is found by its position."""
    for name in ("type", "schema", "occurredAt", "actor", "requestId", "person", "eventId"):
        lines = [dict(each) for each in LINES]
        lines[6][name] = "other"
        assert (7, "shown", None) in found(lines, tmp_path), name


def differing(value: Any) -> Any:
    """Return another value of the same type."""
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1
        case str():
            return value + "x"
        case list():
            return [*value, "x"]
        case dict():
            return {"x": value}
        case _:
            return "x"


def test_every_open_member_of_every_event_is_compared() -> None:
    """Whatever the event, another value in the place of an open member is found."""
    compared = 0
    for line in LINES:
        kept = json.loads(line["evidence"]["open"])
        for name in kept["data"]:
            spelled = name if name in line["data"] else verify_evidence._spelled[name]
            data = {**line["data"], spelled: differing(line["data"].get(spelled))}
            shown = {**line, "data": data}
            assert verify_evidence._difference(shown, kept, line["evidence"]["topic"]) == name
            compared += 1

    assert compared > SIZE


@pytest.mark.parametrize("name", ["data", "dat\\u0061", "actor", "evidence"])
def test_a_member_does_not_stand_twice(tmp_path: Path, name: str) -> None:
    """Readers of JSON take the first or the last one, and the check would see one of them alone."""
    file = write(LINES, tmp_path / "log.jsonl")
    lines = file.read_bytes().split(b"\n")
    lines[6] = b'{"' + name.encode() + b'":{},' + lines[6][1:]
    file.write_bytes(b"\n".join(lines))

    assert (7, "form") in [each[:2] for each in check_export(file, HEAD, VERIFIERS).findings]


def test_a_member_is_not_shown_under_two_names(tmp_path: Path) -> None:
    """The true value in the store's spelling is no cover for another one in the spelling of the routes."""
    at, line = next((n, each) for n, each in enumerate(LINES) if "templateId" in each["data"])
    forged = {**line["data"], "templateId": "tpl_other", "template_id": line["data"]["templateId"]}
    lines = [*LINES[:at], {**line, "data": forged}, *LINES[at + 1 :]]

    assert [(at + 1, "shown", None)] == found(lines, tmp_path)
    added = {**line["data"], "template_id": "tpl_other"}
    lines = [*LINES[:at], {**line, "data": added}, *LINES[at + 1 :]]
    assert [(at + 1, "shown", None)] == found(lines, tmp_path)


EDITS: dict[str, Callable[[Lines], Any]] = {
    "stream": lambda lines: lines[6].update(streamId="pin_other"),
    "version": lambda lines: lines[6].update(version=8),
    "topic": lambda lines: lines[6]["evidence"].update(topic="PinIssued/2"),
    "sealed": lambda lines: lines[6]["evidence"].update(sealed=leaf_b64(2)),
    "secret": lambda lines: lines[6]["evidence"].update(secret=leaf_b64(1)),
    "open": lambda lines: lines[6]["evidence"].update(
        open=lines[6]["evidence"]["open"].replace("2031", "2032")
    ),
    "swapped": lambda lines: lines[6].update(evidence=lines[7]["evidence"]),
}


def leaf_b64(position: int) -> str:
    """Return the hash of a leaf in base64."""
    return base64.b64encode(leaf_hash(leaf_of(LOG[position - 1], position))).decode()


@pytest.mark.parametrize("edit", EDITS)
def test_an_edited_event_is_not_what_the_head_covers(edit: str, tmp_path: Path) -> None:
    """A change of anything that is in a leaf leads to another root."""
    lines = json.loads(json.dumps(LINES))
    EDITS[edit](lines)

    assert (1, "root", SIZE) in found(lines, tmp_path)


def test_missing_moved_and_repeated_lines_are_named(tmp_path: Path) -> None:
    """Each by its position, and a range as one."""
    assert [(5, "gap", 7)] == found([*LINES[:4], *LINES[7:]], tmp_path)
    assert [(1, "gap", 2)] == found(LINES[2:], tmp_path)
    assert [(5, "order", None)] == found([*LINES[:5], *LINES[4:]], tmp_path)
    assert [(SIZE - 1, "cut", SIZE)] == found(LINES[:-2], tmp_path)
    assert [(1, "cut", SIZE)] == found([], tmp_path)
    swapped = [*LINES[:3], LINES[4], LINES[3], *LINES[5:]]
    assert [(4, "gap", 4), (4, "order", None), (5, "gap", 5)] == found(swapped, tmp_path)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"[]",
        b"{}",
        b"\xff",
        b"[" * 100_000,
        b'{"position": 5}',
        b'{"position": 5, "evidence": {"leaf": 5}}',
        b'{"position": 5, "evidence": {"leaf": "AAAA"}}',
        b'{"position": 5, "type": "PinVerified", "evidence": {"leaf": "AAAA"}}',
        b'{"position": 0, "evidence": {}}',
        b'{"position": true, "evidence": {}}',
        b'{"position": 5, "version": 5.0, "evidence": {"open": "{}", "topic": "a"}}',
        b'{"position": 5, "evidence": {"open": "\\ud800", "topic": "a"}, "version": 5}',
    ],
)
def test_a_damaged_line_is_named(line: bytes, tmp_path: Path) -> None:
    """Whatever a line is, it is a finding, and no error."""
    file = write(LINES, tmp_path / "log.jsonl")
    lines = file.read_bytes().split(b"\n")
    file.write_bytes(b"\n".join([*lines[:4], line, *lines[5:]]))
    report = check_export(file, HEAD, VERIFIERS)

    assert [(5, "form"), (5, "gap")] == [each[:2] for each in report.findings]


def test_a_dropped_event_has_the_hash_of_its_leaf(tmp_path: Path) -> None:
    """The root stays. Each dropped event must be one that an `EventsPruned` of the log names."""
    log = list(LOG)
    at = next(n for n, each in enumerate(log) if each.topic == "EventsPruned/1")
    opened, sealed, secret = log[at].state.split(b"\n")
    kept = json.loads(opened)
    ranges = [{"first": 3, "last": 5}, {"first": 6, "last": 6}, {"first": 9, "last": 12}]
    kept["data"].update(what="stream", ranges=ranges)
    log[at] = log[at]._replace(state=b"\n".join([encode(kept), sealed, secret]))
    lines = lines_of(log)
    for position in (3, 4, 5, 6, 9, 10, 60):
        leaf = base64.b64encode(leaf_hash(leaf_of(log[position - 1], position))).decode()
        lines[position - 1] = {"position": position, "evidence": {"leaf": leaf}}
    report = checked(lines, tmp_path, head_of(log))

    assert [(60, "withheld", 60)] == [(each[0], each[1], each[3]) for each in report.findings]
    assert f"{SIZE} events stand in log.jsonl; 7 of them were dropped." in report.summary


def pruning(first: int, last: float, position: int) -> dict[str, Any]:
    """Return the line of an `EventsPruned` at a position that names a range, which nobody signed."""
    line = json.loads(json.dumps(next(each for each in LINES if each["type"] == "EventsPruned")))
    for data in (kept := json.loads(line["evidence"]["open"]), line):
        data["data"].update(what="stream", ranges=[{"first": first, "last": last}])
    line["evidence"]["open"] = encode(kept).decode()
    line.update(position=position, version=position)
    return line


def test_what_no_head_covers_explains_no_withheld_event(tmp_path: Path) -> None:
    """Anybody can write an `EventsPruned` behind the events that are signed."""
    lines = list(LINES)
    leaf = base64.b64encode(leaf_hash(leaf_of(LOG[6], 7))).decode()
    lines[6] = {"position": 7, "evidence": {"leaf": leaf}}

    assert [(7, "withheld", 7)] == found([*lines, pruning(7, 7, SIZE + 1)], tmp_path)


def test_an_event_explains_only_what_was_before_it(tmp_path: Path) -> None:
    """Retention names events that are sealed, so a range without an end is not believed."""
    log = list(LOG)
    at = next(n for n, each in enumerate(log) if each.topic == "EventsPruned/1")
    opened, sealed, secret = log[at].state.split(b"\n")
    kept = json.loads(opened)
    kept["data"].update(what="stream", ranges=[{"first": 3, "last": 10**15}])
    log[at] = log[at]._replace(state=b"\n".join([encode(kept), sealed, secret]))
    lines = lines_of(log)
    leaf = base64.b64encode(leaf_hash(leaf_of(log[SIZE - 1], SIZE))).decode()
    lines[SIZE - 1] = {"position": SIZE, "evidence": {"leaf": leaf}}

    assert [(SIZE, "withheld", SIZE)] == found(lines, tmp_path, head_of(log))


def test_a_range_without_an_end_is_no_event(tmp_path: Path) -> None:
    """A number that is none is a finding in its line, and no error."""
    line = encode(pruning(7, 8, SIZE + 1)).replace(b'"last\\":8', b'"last\\":1e999')
    file = write(LINES, tmp_path / "log.jsonl")
    file.write_bytes(file.read_bytes() + line + b"\n")

    assert b"1e999" in line
    assert (SIZE + 1, "form") in [each[:2] for each in check_export(file, HEAD, VERIFIERS).findings]


def test_a_head_that_a_restore_declared_lost_is_a_finding(tmp_path: Path) -> None:
    """The log itself says which heads of an earlier origin are lost."""
    log = list(LOG)
    at = next(n for n, each in enumerate(log) if each.topic == "StoreRestored/1")
    opened, sealed, secret = log[at].state.split(b"\n")
    kept = json.loads(opened)
    kept["data"].update(number=3, kept_size=60)
    log[at] = log[at]._replace(state=b"\n".join([encode(kept), sealed, secret]))
    lines = lines_of(log)

    assert [(61, "lost", SIZE)] == found(lines, tmp_path, head_of(log, f"{NAME}/2"))
    assert [] == found(lines, tmp_path, head_of(log, f"{NAME}/3"))
    assert [] == found(lines, tmp_path, head_of(log[:60], f"{NAME}/1"))


def test_the_head_must_be_signed_by_a_key_of_the_log(tmp_path: Path) -> None:
    """Nothing is checked against a head that anybody could have written."""
    file = write(LINES, tmp_path / "log.jsonl")

    with pytest.raises(EvidenceError, match="No key that is known"):
        check_export(file, HEAD, VERIFIERS[1:])
    with pytest.raises(EvidenceError, match="signature of garden is wrong"):
        check_export(file, HEAD.replace(f"\n{SIZE}\n", f"\n{SIZE - 1}\n"), VERIFIERS)


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_a_long_export_is_read_in_parts(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Parts of any size, cut anywhere, find what a single one finds."""
    part = data.draw(st.integers(1, 90_000))
    count = data.draw(st.integers(1, SIZE))
    file = write(LINES[:count], tmp_path_factory.mktemp("export") / "log.jsonl")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(verify_evidence, "_PART", part)
        patched.setattr(verify_evidence, "_MOST_PROCESSES", 1 << 30)
        report = check_export(file, head_of(LOG[:count]), VERIFIERS)

    assert [] == report.findings


def test_several_processes_read_a_long_export(tmp_path: Path) -> None:
    """A log of many parts, with one line that shows something else, has this one finding."""
    log = golden_log(times=20)
    lines = lines_of(log)
    lines[1300]["actor"] = "somebody"
    file = write(lines, tmp_path / "log.jsonl")
    assert file.stat().st_size > 5 * verify_evidence._PART
    report = check_export(file, head_of(log), VERIFIERS)

    assert [Finding(1301, "shown", "the envelope is not as in the open line.")] == report.findings


def test_findings_are_listed_up_to_a_bound(tmp_path: Path) -> None:
    """A file in which everything is wrong fills no memory."""
    file = tmp_path / "log.jsonl"
    file.write_text("{}\n" * 20_000)
    report = check_export(file, HEAD, VERIFIERS)

    assert 1_000 == len(report.findings)
    assert any(each.startswith("Only the first 1000") for each in report.summary)
