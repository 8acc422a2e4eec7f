"""`watchword audit prove`, `verify` and `extends`: evidence is handed over, and checked elsewhere."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import watchword
from tests.contracts.event_store.histories import ORCHID, grown, step
from tests.entrypoints.cli.conftest import Run
from tests.entrypoints.cli.processes import Served
from tests.signed_heads import VERIFIER, seal, signed
from tests.vaults import new_vault
from watchword.adapters.event_store.memory.store import MemoryEventStore
from watchword.application.evidence.leaves import blanked
from watchword.application.evidence.proving import Evidence, Proving
from watchword.verify_evidence import Checkpoint

PHONE = "+919812345610"


@pytest.fixture
def pin(tmp_path: Path) -> str:
    """Return a PIN that was verified after a wrong guess, in a store that nobody has open."""

    async def fill() -> str:
        store = f"sqlite:///{tmp_path / 'watchword.db'}"
        async with watchword.open(store, data_dir=tmp_path, sandbox=True) as service:
            assert service.sandbox is not None
            issued = await service.pins.issue("demo", "tpl_demo", PHONE, reference_id="order-7")
            code = service.sandbox.provider.outbox()[-1].text[-7:-1]
            with pytest.raises(watchword.DomainError):
                await service.pins.verify(account="demo", pin=issued.pin_id, code="wrong")
            await service.sandbox.advance(timedelta(seconds=5))
            await service.pins.verify(account="demo", pin=issued.pin_id, code=code)
            return issued.pin_id

    return asyncio.run(fill())


@pytest.fixture
def keys(alone: Run, pin: str, tmp_path: Path) -> str:
    """Return the name of a file with the log's keys."""
    alone("audit", "seal")
    file = tmp_path / "log.keys"
    file.write_text(alone("audit", "key").stdout)
    return str(file)


@pytest.fixture
def evidence(alone: Run, pin: str, tmp_path: Path) -> Path:
    """Return a folder with the evidence about the PIN."""
    folder = tmp_path / "evidence"
    proved = alone("audit", "prove", pin, "--output", str(folder))

    assert (0, "") == (proved.exit_code, proved.stderr)
    return folder


def verified(run: Run, *words: str) -> tuple[int, Any]:
    """Verify something; return the exit status and what was found."""
    done = run("audit", "verify", *words, "--json")
    return done.exit_code, json.loads(done.stdout)


def kinds(report: Any) -> list[str]:
    """Return the kinds of what was found."""
    return [each["kind"] for each in report["findings"]]


def test_evidence_holds_without_the_store(
    alone: Run, pin: str, evidence: Path, keys: str, tmp_path: Path
) -> None:
    """A file for each event; what an idle store had not sealed is sealed first (C-105)."""
    (tmp_path / "watchword.db").unlink()
    names = sorted(each.name for each in evidence.iterdir())
    status, report = verified(alone, str(evidence), "--key", keys)
    shown = alone("audit", "verify", str(evidence), "--key", keys)

    assert [f"{pin}-{version}.tlog-proof" for version in range(1, len(names) + 1)] == names
    assert (0, []) == (status, report["findings"])
    assert {"origin", "size", "root"} == set(report["covered"])
    assert "PinVerified" in shown.stdout
    assert f"Nothing is wrong. Covered: {report['covered']['size']} events of " in shown.stdout
    assert PHONE not in "".join(each.read_text() for each in evidence.iterdir())


def test_what_is_sealed_is_disclosed_on_request(
    alone: Run, pin: str, keys: str, tmp_path: Path
) -> None:
    """With `--with eventKey` an auditor reads the number of exactly these events."""
    folder = tmp_path / "disclosed"
    alone("audit", "prove", pin, "--output", str(folder), "--with", "eventKey")
    shown = alone("audit", "verify", str(folder), "--key", keys)

    assert 0 == shown.exit_code
    assert PHONE in shown.stdout
    assert "order-7" in shown.stdout


def test_what_events_say_is_told_in_words(alone: Run, evidence: Path, keys: str) -> None:
    """As `audit replay` tells it, and not in the notation of a programming language."""
    shown = alone("audit", "verify", str(evidence), "--key", keys).stdout

    assert "; channels sms; " in shown
    assert "; outcomes sms accepted; test no" in shown
    assert "; expires at 20" in shown


def test_an_export_full_of_findings_says_that_it_has_more(
    alone: Run, keys: str, tmp_path: Path
) -> None:
    """What the findings do not say is said below them."""
    file, head = tmp_path / "log.jsonl", tmp_path / "head"
    head.write_text(alone("audit", "seal").stdout)
    file.write_text("{}\n" * 1_010)
    shown = alone("audit", "verify", "--export", str(file), "--head", str(head), "--key", keys)

    assert 1 == shown.exit_code
    assert "Only the first 1000 findings are listed; there are more." in shown.stdout


def test_an_event_whose_sealed_line_was_blanked_is_proved_still(
    alone: Run, pin: str, keys: str, tmp_path: Path
) -> None:
    """Retention leaves the line's digest; nothing is disclosed of it, and the proof holds."""
    with closing(sqlite3.connect(tmp_path / "watchword.db")) as store, store:
        events = (
            "SELECT position, state FROM stored_events WHERE originator_id = ? ORDER BY position"
        )
        position, state = store.execute(events, (pin,)).fetchone()
        opened, sealed, secret = state.split(b"\n")
        left = b"\n".join((opened, blanked(sealed), secret))
        store.execute("UPDATE stored_events SET state = ? WHERE position = ?", (left, position))
    folder = tmp_path / "blanked"
    alone("audit", "prove", pin, "--output", str(folder), "--with", "eventKey")
    shown = alone("audit", "verify", str(folder), "--key", keys)

    assert 0 == shown.exit_code
    assert "PinIssued" in shown.stdout
    assert PHONE not in shown.stdout


def test_a_copy_without_keys_says_who_seals(alone: Run, pin: str, tmp_path: Path) -> None:
    """An auditor with a copy that is not sealed can neither seal it nor prove anything with it."""
    store = f"sqlite:///{tmp_path / 'watchword.db'}"
    away = ("--output", str(tmp_path / "away"), "--data-dir", str(tmp_path / "empty"))
    refused = alone("audit", "prove", pin, "--store", store, *away)

    assert 1 == refused.exit_code
    assert "watchword audit seal" in refused.stderr


def test_a_key_of_an_event_needs_the_code_key(alone: Run, pin: str, tmp_path: Path) -> None:
    """Nothing is written that lacks what was asked for; a service hands over no keys."""
    store = f"sqlite:///{tmp_path / 'watchword.db'}"
    alone("audit", "seal")
    away = tmp_path / "away"
    words = ("audit", "prove", pin, "--output", str(away), "--with", "eventKey")
    keyless = alone(*words, "--store", store, "--data-dir", str(tmp_path / "empty"))
    remote = alone(*words, "--url", "http://127.0.0.1:1")

    assert (1, 2) == (keyless.exit_code, remote.exit_code)
    assert "need the code key of the store" in keyless.stderr
    assert "--with goes with the store" in remote.stderr
    assert not away.exists()


@pytest.mark.parametrize("ways", ["beside", "connected"])
def test_a_served_log_is_proved_too(
    ways: str, request: pytest.FixtureRequest, sandbox: Served, connected: Run, tmp_path: Path
) -> None:
    """By its endpoint, which seals first; beside it, once it is sealed."""
    sandbox.ask("POST", "/admin/v1/sandbox/clock/advance", {"seconds": 86_400})
    _, issued = sandbox.ask("POST", "/v1/pins", {"destination": PHONE, "templateId": "tpl_demo"})
    run: Run = request.getfixturevalue(ways)
    folder = tmp_path / "evidence"
    words = ("audit", "prove", issued["pinId"], "--output", str(folder), "--json")
    if ways == "beside":
        refused = run(*words)
        assert 1 == refused.exit_code
        assert "watchword audit seal" in refused.stderr
        assert not folder.exists()
        connected("audit", "seal")
    proved = run(*words)
    _, answer = sandbox.ask(
        "GET", f"/admin/v1/streams/{issued['pinId']}/evidence", key="sandbox-admin"
    )
    key = tmp_path / "log.keys"
    key.write_text(connected("audit", "key").stdout)
    status, report = verified(connected, str(folder), "--key", str(key))

    assert (0, 0, []) == (proved.exit_code, status, report["findings"])
    written = json.loads(proved.stdout)["data"]
    assert [{**each, "proof": None} for each in written] == [
        {**each, "proof": None} for each in answer["data"]
    ]
    assert sorted(each["name"] for each in written) == sorted(
        each.name for each in folder.iterdir()
    )


def test_a_version_that_was_left_out_is_a_gap(
    alone: Run, pin: str, evidence: Path, keys: str
) -> None:
    """A failed attempt cannot be taken out of what is handed over."""
    (evidence / f"{pin}-3.tlog-proof").unlink()
    status, report = verified(alone, str(evidence), "--key", keys)

    assert (1, ["gap"]) == (status, kinds(report))


def test_a_changed_proof_is_found(alone: Run, pin: str, evidence: Path, keys: str) -> None:
    """Any changed character of the hashes, of the event or of the head."""
    file = evidence / f"{pin}-2.tlog-proof"
    lines = file.read_text().splitlines(keepends=True)
    # The header names the form, and the last line is a signature of its own.
    for number in range(1, len(lines)):
        if not lines[number].strip():
            continue
        changed = [*lines]
        at = len(changed[number]) // 2
        other = "A" if changed[number][at] != "A" else "B"
        changed[number] = changed[number][:at] + other + changed[number][at + 1 :]
        file.write_text("".join(changed))
        status, report = verified(alone, str(evidence), "--key", keys)

        assert 1 == status, lines[number]
        assert "proof" in kinds(report)


def test_another_key_vouches_for_nothing(
    alone: Run, evidence: Path, tmp_path: Path, keys: str
) -> None:
    """A log that somebody else signed is not this one."""
    other = tmp_path / "other"
    other.mkdir(mode=0o700)
    alone("accounts", "create", "shop", WATCHWORD_DATA_DIR=str(other))
    alone("audit", "seal", WATCHWORD_DATA_DIR=str(other))
    key = alone("audit", "key", WATCHWORD_DATA_DIR=str(other)).stdout.split()[0]
    status, report = verified(alone, str(evidence), "--key", key)

    assert 1 == status
    assert {"proof"} == set(kinds(report))


def test_proofs_of_another_history_are_found_by_a_head_outside(alone: Run, tmp_path: Path) -> None:
    """Whoever has the key signs two histories of one length; the head that was kept tells them apart."""

    async def proved() -> Evidence:
        store = MemoryEventStore(vault=new_vault())
        await store.append(step(grown(ORCHID, by=3)))
        await seal(store.sealed_log)
        return await Proving(store.sealed_log, no_keys).prove(ORCHID)

    evidence = asyncio.run(proved())
    folder = tmp_path / "evidence"
    folder.mkdir()
    for each in evidence.proofs:
        (folder / each.name).write_text(each.proof)
    own, other = tmp_path / "own", tmp_path / "other"
    own.write_text(evidence.head.note)
    other.write_text(signed(Checkpoint(evidence.head.origin, evidence.head.size, bytes(32))))
    words = (str(folder), "--key", VERIFIER.vkey, "--head")
    held, _ = verified(alone, *words, str(own))
    status, report = verified(alone, *words, str(other))

    assert (0, 1, ["fork"]) == (held, status, kinds(report))


def test_a_head_of_another_size_is_not_compared_with_proofs(
    alone: Run, evidence: Path, keys: str, tmp_path: Path
) -> None:
    """It is said, because the proofs agree with themselves alone."""
    alone("accounts", "create", "shop")
    later = tmp_path / "later"
    later.write_text(alone("audit", "seal").stdout)
    shown = alone("audit", "verify", str(evidence), "--key", keys, "--head", str(later))

    assert 0 == shown.exit_code
    assert "compare them with `watchword audit extends`" in shown.stderr


async def no_keys(_stream: str) -> Mapping[int, bytes]:
    """Return no keys of events."""
    return {}


def test_an_export_is_checked_against_a_head(alone: Run, keys: str, tmp_path: Path) -> None:
    """A line that was changed, or left out, has a position; the exit status is 1."""
    file, head = tmp_path / "log.jsonl", tmp_path / "head"
    head.write_text(alone("audit", "seal").stdout)
    alone("audit", "export", "--evidence", "--output", str(file))
    words = ("--export", str(file), "--head", str(head), "--key", keys)
    whole = verified(alone, *words)
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join([*lines[:4], *lines[5:]]))
    status, report = verified(alone, *words)

    assert (0, []) == (whole[0], whole[1]["findings"])
    assert (1, [(5, "gap")]) == (
        status,
        [(each["position"], each["kind"]) for each in report["findings"]],
    )


def test_an_empty_folder_is_a_finding(alone: Run, tmp_path: Path, keys: str) -> None:
    """Nothing was checked, so nothing is right."""
    empty = tmp_path / "empty"
    empty.mkdir()
    status, report = verified(alone, str(empty), "--key", keys)

    assert (1, ["empty"], None) == (status, kinds(report), report["covered"])


def test_an_unknown_id_has_no_evidence(alone: Run, keys: str, tmp_path: Path) -> None:
    """It is said in the words of histories, and no folder is made."""
    folder = tmp_path / "nothing"
    refused = alone("audit", "prove", "pin_of_nobody", "--output", str(folder))

    assert 1 == refused.exit_code
    assert "Nothing is recorded under this id." in refused.stderr
    assert not folder.exists()


@pytest.fixture
def heads(alone: Run, keys: str, tmp_path: Path) -> tuple[Path, Path]:
    """Return files with two heads, between which the log grew."""
    alone("accounts", "create", "shop")
    alone("audit", "seal")
    notes = [each["note"] for each in json.loads(alone("audit", "heads", "--json").stdout)["data"]]
    notes.sort(key=lambda note: int(note.splitlines()[1]))
    old, new = tmp_path / "head-january", tmp_path / "head-february"
    old.write_text(notes[0])
    new.write_text(notes[-1])
    return old, new


def test_a_newer_head_extends_an_older_one(alone: Run, heads: tuple[Path, Path], keys: str) -> None:
    """The exit status is 0, and the sizes of both are told."""
    old, new = heads
    words = ("audit", "extends", str(old), str(new), "--key", keys)
    shown = alone(*words)
    told = json.loads(alone(*words, "--json").stdout)
    was, now = (each["size"] for each in told["heads"])

    assert (0, "") == (shown.exit_code, shown.stderr)
    assert f"The log of {now} events extends that of {was}" in shown.stdout
    assert was < now
    assert (True, []) == (told["extends"], told["findings"])


def test_heads_in_the_wrong_order_do_not_extend_each_other(
    alone: Run, heads: tuple[Path, Path], keys: str
) -> None:
    """It is said which one covers fewer events."""
    old, new = heads
    refused = alone("audit", "extends", str(new), str(old), "--key", keys)

    assert 1 == refused.exit_code
    assert "The newer head covers" in refused.stdout


def test_a_head_that_nobody_signed_extends_nothing(
    alone: Run, heads: tuple[Path, Path], keys: str
) -> None:
    """The root of the older head was changed: the signature does not fit; without keys, the tree does not."""
    old, new = heads
    size = old.read_text().splitlines()[1]
    head = Checkpoint.parse(old.read_text().partition("\n\n")[0] + "\n")
    forged = head._replace(root=bytes(32)).text
    signatures = old.read_text().partition("\n\n")[2]
    old.write_text(f"{forged}\n{signatures}")
    signed = alone("audit", "extends", str(old), str(new), "--key", keys)
    unsigned = alone("audit", "extends", str(old), str(new))

    assert (1, 1) == (signed.exit_code, unsigned.exit_code)
    assert f"{old}: The signature of" in signed.stdout
    assert "The newer head does not extend the older one." in unsigned.stdout
    assert "No signature was checked" in unsigned.stderr
    assert size in forged


def test_a_log_that_was_rolled_back_does_not_extend_what_was_signed(
    alone: Run, heads: tuple[Path, Path], keys: str, tmp_path: Path
) -> None:
    """A store from before the newer head cannot prove it."""
    old, _ = heads
    grown = tmp_path / "grown"
    shutil.copytree(tmp_path, grown, ignore=shutil.ignore_patterns("grown"))
    alone("accounts", "create", "house", WATCHWORD_DATA_DIR=str(grown))
    alone("audit", "seal", WATCHWORD_DATA_DIR=str(grown))
    listed = json.loads(alone("audit", "heads", "--json", WATCHWORD_DATA_DIR=str(grown)).stdout)
    newest = max(
        (each["note"] for each in listed["data"]), key=lambda note: int(note.splitlines()[1])
    )
    (grown / "newest").write_text(newest)
    refused = alone("audit", "extends", str(old), str(grown / "newest"), "--key", keys)

    assert 1 == refused.exit_code
    assert "does not reach" in refused.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("DIR", "--export", "FILE"), "Name one thing to check"),
        (("DIR", "--store", "sqlite:///any.db"), "Name one thing to check"),
        (("--export", "FILE"), "--export goes with --head"),
    ],
)
def test_what_is_to_be_checked_is_named_once(
    words: tuple[str, ...], said: str, alone: Run, evidence: Path, keys: str
) -> None:
    """A command that checks something else than was meant would comfort wrongly."""
    places = {"DIR": str(evidence), "FILE": keys}
    typed = [places.get(each, each) for each in words]
    refused = alone("audit", "verify", *typed, "--key", keys)

    assert 2 == refused.exit_code
    assert said in refused.stderr


def test_what_is_no_key_is_said(alone: Run, evidence: Path, keys: str) -> None:
    """A line that was cut on its way is refused, and a file that is not there."""
    line = Path(keys).read_text().split()[0]
    cut = alone("audit", "verify", str(evidence), "--key", line[:-3])
    away = alone("audit", "verify", str(evidence), "--key", "nowhere.keys")

    assert (2, 2) == (cut.exit_code, away.exit_code)
    assert "neither a verifier key nor a file" in away.stderr
