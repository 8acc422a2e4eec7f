"""`watchword audit seal`, `heads`, `key`, `new-key`, `restored --last-head`: on served and idle stores."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.entrypoints.cli.conftest import Run
from watchword.adapters.evidence.log_keys import LogKey
from watchword.verify_evidence import Checkpoint, Verifier, open_checkpoint


def opened(note: str, keys: str) -> Checkpoint:
    """Open a head with the lines that `audit key` printed."""
    return open_checkpoint(note, map(Verifier.parse, keys.split()))


def test_a_head_opens_with_the_keys_that_are_printed(watchword: Run, account: str) -> None:
    """`seal` prints a note, which the log's key and its clock's signed."""
    assert account
    sealed = watchword("audit", "seal")
    shown = json.loads(watchword("audit", "seal", "--json").stdout)
    keys = watchword("audit", "key").stdout
    head = opened(sealed.stdout, keys)

    assert 0 == sealed.exit_code, sealed.output
    assert head.at is not None
    assert 2 == len({Verifier.parse(each).kind for each in keys.split()})
    # Another test may have grown the log of the shared service meanwhile.
    assert head.size <= opened(shown["note"], keys).size
    assert {"origin", "size", "root", "at", "note"} == shown.keys()


def test_heads_are_listed(watchword: Run, account: str) -> None:
    """All of them, or those of more events than a number; as a table, and for programs."""
    assert account
    head = json.loads(watchword("audit", "seal", "--json").stdout)
    listed = json.loads(watchword("audit", "heads", "--json").stdout)["data"]
    later = json.loads(watchword("audit", "heads", "--json", "--after", str(head["size"])).stdout)[
        "data"
    ]

    assert head in listed
    assert head not in later
    assert f"{head['origin']}  {head['size']}" in watchword("audit", "heads").stdout


def test_a_log_that_was_never_signed_has_no_key(alone: Run) -> None:
    """The sentence is that of any id without a history."""
    assert 0 == alone("accounts", "create", "orchid").exit_code
    refused = alone("audit", "key")

    assert 1 == refused.exit_code
    assert "Nothing is recorded under this id." in refused.stderr


def test_a_new_key_is_printed_and_kept_nowhere(alone: Run, tmp_path: Path) -> None:
    """It has the name that was asked for, or one of its own."""
    named = alone("audit", "new-key", "tea.example").stdout.strip()
    unnamed = alone("audit", "new-key").stdout.strip()

    assert "tea.example" == LogKey.parse(named).name
    assert LogKey.parse(unnamed).name.startswith("watchword-")
    assert [] == list(tmp_path.iterdir())
    assert 1 == alone("audit", "new-key", "two words").exit_code


def test_a_restored_store_is_signed_again_after_a_declaration(alone: Run, tmp_path: Path) -> None:
    """Without `--last-head` nothing is signed and nothing is ended; then heads have the next origin."""
    store, backup = tmp_path / "watchword.db", tmp_path / "backup.db"
    assert 0 == alone("accounts", "create", "orchid").exit_code
    early = alone("audit", "seal").stdout
    shutil.copy(store, backup)
    assert 0 == alone("accounts", "create", "lotus").exit_code
    late = alone("audit", "seal").stdout
    for each in tmp_path.glob("watchword.db*"):
        each.unlink()
    shutil.copy(backup, store)

    forked = alone("audit", "seal")
    bare = alone("restored", "--fallbacks", "end")
    wrong = alone("restored", "--fallbacks", "end", "--last-head", str(tmp_path / "code.key"))
    latest = tmp_path / "heads" / "latest"
    assert late == latest.read_text()
    done = alone("restored", "--fallbacks", "end", "--last-head", str(latest))
    again = alone("audit", "seal")

    assert (1, 1, 1) == (forked.exit_code, bare.exit_code, wrong.exit_code)
    assert "does not extend the head" in forked.stderr
    # What the private service of a command logs is a line for its user, and no record.
    assert " log_forked " in forked.stderr
    assert "{'" not in forked.stderr
    assert "--last-head FILE" in bare.stderr
    assert 0 == done.exit_code, done.output
    assert "have the origin" in done.stdout
    keys = alone("audit", "key").stdout
    assert opened(early, keys).origin.replace("/1", "/2") == opened(again.stdout, keys).origin


@pytest.mark.parametrize("flag", ["--log-key-file", "--heads-dir", "--log-origin"])
def test_serve_names_the_settings_of_the_log(alone: Run, flag: str) -> None:
    """The help of a server has them; that of other commands is spared."""
    assert flag in alone("serve", "--help").stdout
    assert flag not in alone("accounts", "create", "--help").stdout
