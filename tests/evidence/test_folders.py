"""A folder of proofs is checked with a key alone: what each proves, and that none is missing."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.evidence.golden_log import (
    AT,
    ORIGIN,
    VERIFIERS,
    golden_log,
    head_of,
    leaf_of,
    proofs_of,
    tiles_of,
)
from tests.signed_heads import NAME
from tools.golden_events import STREAM
from watchword.adapters.vault import event_key
from watchword.application.evidence import tree
from watchword.verify_evidence import EvidenceError, Proof, check_folder, check_proof

LOG = golden_log()
SIZE = len(LOG)
HEAD = head_of(LOG)


def kinds(folder: Path) -> list[tuple[int | None, str]]:
    """Return position and kind of each finding in a folder."""
    return [each[:2] for each in check_folder(folder, VERIFIERS).findings]


def proof_of(position: int, **extra: str) -> Proof:
    """Return the proof of an event, with these lines of it."""
    leaf = leaf_of(LOG[position - 1], position).decode()
    hashes = tuple(tree.inclusion_proof(position - 1, SIZE, tiles_of(LOG)))
    return Proof(position - 1, hashes, HEAD, json.dumps({"leaf": leaf, **extra}).encode())


def test_a_whole_stream_holds(tmp_path: Path) -> None:
    """Every event is proven, whichever of its lines are disclosed; the head has its time."""
    for whole in (False, True):
        proofs_of(LOG, tmp_path, whole=whole)
        report = check_folder(tmp_path, VERIFIERS)

        assert [] == report.findings
        assert (ORIGIN, SIZE, AT) == (report.covered and (*report.covered[:2], report.covered.at))
        assert [*range(1, SIZE + 1)] == [each.leaf.version for each in report.proven]
        assert all(each.open for each in report.proven)


def test_a_file_is_read_as_it_was_written() -> None:
    """The form is tlog-proof's: header, extra data, index, hashes, an empty line, and the head."""
    proof = proof_of(9)
    header, extra, index, *rest = proof.text.split("\n")

    assert proof == Proof.parse(proof.text)
    assert ("c2sp.org/tlog-proof@v1", "index 8") == (header, index)
    assert extra.startswith("extra ")
    assert "" == rest[len(proof.hashes)]
    bare = Proof(8, (), HEAD)
    assert bare == Proof.parse(bare.text)
    assert "extra" not in bare.text


def test_withheld_lines_leave_the_proof_valid() -> None:
    """A leaf has digests, so that the proof of an event needs none of its lines."""
    proven = check_proof(proof_of(9).text, VERIFIERS)

    assert (9, None, None) == (proven.leaf.position, proven.open, proven.personal)


def test_the_key_of_an_event_opens_what_is_sealed_in_it() -> None:
    """Of this event alone; another key, or a key without the sealed line, is refused."""
    position, event = next(
        (at, each) for at, each in enumerate(LOG, 1) if each.topic == "PinIssued/1"
    )
    opened, sealed, _ = event.state.decode().split("\n")
    envelope = json.loads(opened)
    owner = hashlib.sha256(envelope["person"].encode()).digest()
    key = event_key(owner, envelope["id"]).hex()
    lines = {"open": opened, "sealed": sealed}
    proven = check_proof(proof_of(position, **lines, eventKey=key).text, VERIFIERS)

    assert "destination" in json.loads(proven.personal or "{}")
    for others in ({**lines, "eventKey": "00" * 32}, {"open": opened, "eventKey": key}):
        with pytest.raises(EvidenceError, match="does not open its sealed line"):
            check_proof(proof_of(position, **others).text, VERIFIERS)


@pytest.mark.parametrize(
    "extra",
    [
        {"open": "{}"},
        {"sealed": "x"},
        {"secret": "{}"},
        {"leaf": "watchword.event/1\n"},
        {"leaf": leaf_of(LOG[9], 10).decode()},
        {"leaf": leaf_of(LOG[9], 9).decode()},
        {"note": "unknown"},
    ],
)
def test_a_line_that_is_not_the_events_is_refused(extra: dict[str, str]) -> None:
    """Also the leaf of another event, and members that this form does not have."""
    with pytest.raises(EvidenceError):
        check_proof(proof_of(9, **extra).text, VERIFIERS)


def replaced(old: str, new: str) -> Callable[[str], str]:
    """Return what replaces a part of a proof."""
    return lambda text: text.replace(old, new, 1)


@pytest.mark.parametrize(
    "edit",
    [
        replaced("@v1", "@v2"),
        replaced("index 8", "index 08"),
        replaced("index 8", "index 9"),
        replaced("index 8", f"index {SIZE + 8}"),
        replaced("index 8\n", ""),
        replaced("extra ", "extra  "),
        replaced("extra ", "Extra "),
        replaced("=\n", "=\n\n"),
        lambda text: text.removesuffix("\n"),
        lambda _: "",
        lambda text: text.replace(HEAD, ""),
    ],
)
def test_a_damaged_proof_is_refused(edit: Callable[[str], str]) -> None:
    """Whatever is damaged in it."""
    text = proof_of(9).text

    assert edit(text) != text
    with pytest.raises(EvidenceError):
        check_proof(edit(text), VERIFIERS)


@given(st.data())
def test_one_flipped_bit_of_a_proof_is_refused(data: st.DataObject) -> None:
    """Wherever it is, up to the last byte that the log itself signs."""
    opened = LOG[8].state.decode().split("\n")[0]
    text = proof_of(9, open=opened).text
    raw = bytearray(text.encode())
    signed = len(text.rpartition("\n— ")[0].encode())
    raw[data.draw(st.integers(0, signed))] ^= 1 << data.draw(st.integers(0, 7))

    with pytest.raises((EvidenceError, UnicodeDecodeError)):
        check_proof(raw.decode(), VERIFIERS)


def test_missing_versions_are_named(tmp_path: Path) -> None:
    """At the first and in the middle; that none is missing at the end, nobody can say."""
    files = proofs_of(LOG, tmp_path)
    files[4].unlink()
    assert [(6, "gap")] == kinds(tmp_path)
    files[0].unlink()
    assert [(2, "gap"), (6, "gap")] == kinds(tmp_path)
    files[-1].unlink()
    assert [(2, "gap"), (6, "gap")] == kinds(tmp_path)


def test_a_file_under_another_name_is_named(tmp_path: Path) -> None:
    """The name says stream and version, and a proof says so too."""
    files = proofs_of(LOG, tmp_path)
    files[4].rename(tmp_path / f"pin_other-{5}.tlog-proof")
    assert [(5, "name")] == kinds(tmp_path)

    files[5].write_bytes(files[6].read_bytes())
    assert [(7, "name"), (5, "name"), (7, "gap"), (7, "order")] == kinds(tmp_path)


def test_an_empty_folder_proves_nothing(tmp_path: Path) -> None:
    """Other files do not count."""
    (tmp_path / "README.txt").write_text("nothing")

    assert [(None, "empty")] == kinds(tmp_path)


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    """Also bytes that are no text, and a folder in the place of a file."""
    files = proofs_of(LOG, tmp_path)
    files[-1].write_bytes(b"\xff")
    files[-2].write_text("nothing")
    files[-3].unlink()
    files[-3].mkdir()
    findings = check_folder(tmp_path, VERIFIERS).findings

    assert ["proof"] * 3 == [each.kind for each in findings]
    assert {each.name for each in files[-3:]} == {each.detail.split(":")[0] for each in findings}


def test_a_name_of_a_file_is_one_line_of_the_report(tmp_path: Path) -> None:
    """Whoever hands over a folder chooses the names, and must not write the report."""
    (tmp_path / "x\nAll of it holds.\x1b[8m.tlog-proof").write_text("nothing")
    report = check_folder(tmp_path, VERIFIERS)

    assert "All of it holds." not in report.lines
    assert all(each.isprintable() for each in report.lines)


def test_another_log_proves_nothing(tmp_path: Path) -> None:
    """Without the key of the log, every file is a finding."""
    proofs_of(LOG[:3], tmp_path)
    report = check_folder(tmp_path, [])

    assert ["proof"] * 3 == [each.kind for each in report.findings]
    assert report.covered is None


def test_two_heads_of_one_size_are_a_fork(tmp_path: Path) -> None:
    """Proofs under different trees of one origin and size show that the log was rewritten."""
    other = [*LOG[:-1], LOG[-1]._replace(topic="PinIssued/2")]
    proofs_of(LOG, tmp_path)
    (tmp_path / "other").mkdir()
    first = proofs_of(other, tmp_path / "other")[0]
    first.rename(tmp_path / first.name)

    assert [(1, "fork")] == kinds(tmp_path)


def test_a_head_that_was_declared_lost_is_a_finding(tmp_path: Path) -> None:
    """The log's own history says so, if it is in the folder."""
    at = next(n for n, each in enumerate(LOG) if each.topic == "StoreRestored/1")
    opened, sealed, secret = LOG[at].state.split(b"\n")
    restored = json.loads(opened)
    restored["data"].update(number=2, kept_size=SIZE - 1)
    log = list(LOG)
    log[at] = log[at]._replace(state=b"\n".join([json.dumps(restored).encode(), sealed, secret]))

    proofs_of(log, tmp_path, head_of(log, f"{NAME}/1"))
    assert [(SIZE, "lost")] == kinds(tmp_path)
    proofs_of(log, tmp_path, head_of(log, f"{NAME}/2"))
    assert [] == kinds(tmp_path)
    restored["data"].update(number="two")
    log[at] = log[at]._replace(state=b"\n".join([json.dumps(restored).encode(), sealed, secret]))
    proofs_of(log, tmp_path, head_of(log, f"{NAME}/2"))
    assert [(at + 1, "proof"), (at + 2, "gap")] == kinds(tmp_path)


def test_streams_stand_side_by_side(tmp_path: Path) -> None:
    """Each of them is counted from its first version; a name may be escaped in the file's name."""
    other = [each._replace(originator_id="a b/c".replace(" ", "_")) for each in LOG[:2]]
    log = [*LOG, *other]
    for file in proofs_of(LOG, tmp_path, head_of(LOG)):
        file.unlink()
    (tmp_path / "a_b").mkdir()
    files = proofs_of(log, tmp_path)
    for file in files[SIZE:]:
        file.rename(tmp_path / f"a_b%2F{file.name}")
    (tmp_path / "a_b").rmdir()
    report = check_folder(tmp_path, VERIFIERS)

    assert [] == report.findings
    assert {STREAM: SIZE, "a_b/c": 2} == {
        each.leaf.stream: each.leaf.version for each in report.proven
    }
