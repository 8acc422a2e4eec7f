"""`watchword guard show|set`, on a store and against a running service."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.entrypoints.cli.conftest import Run
from tests.entrypoints.cli.printed import cells

TOML = """
verifiedPass = "30d"

[countries]
mode = "enforce"
allow = ["IN", "AE"]

[sends.channels.sms]
mode = "record"
limit = "5000/1d"
"""
NO_PASS = '{"verifiedPass": null, "numbers": {"mode": "off"}}'


def test_a_policy_is_set_by_a_file_and_shown(watchword: Run, account: str, tmp_path: Path) -> None:
    """A file of TOML replaces the policy; the table has a line for each rule."""
    file = tmp_path / "policy.toml"
    file.write_text(TOML)
    before = watchword("guard", "show", "--account", account)
    made = watchword("guard", "set", str(file), "--account", account)
    shown = watchword("guard", "show", "--account", account)

    assert 0 == made.exit_code, made.output
    assert made.stdout == shown.stdout
    assert "countries           off" in before.stdout
    lines = [cells(each) for each in shown.stdout.splitlines() if each]
    assert ["rule", "mode", "limit"] == lines[0]
    assert ["countries", "enforce", "allow AE, IN"] in lines
    assert ["guesses", "record", "50/1d"] in lines
    assert ["sends.channels.sms", "record", "5000/1d"] in lines
    assert "verified in the last 30d passes" in shown.stdout


def test_a_policy_is_set_by_the_standard_input(watchword: Run, account: str) -> None:
    """JSON has null, so it can say that no destination passes; `--json` prints what a set can read."""
    made = watchword("guard", "set", "-", "--account", account, "--json", given=NO_PASS)
    again = watchword("guard", "set", "-", "--account", account, "--json", given=made.stdout)
    shown = watchword("guard", "show", "--account", account)

    assert json.loads(made.stdout)["verifiedPass"] is None
    assert made.stdout == again.stdout
    assert "No destination passes unverified.*" in shown.stdout


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ('{"guesses": {"limit": 5}}', "guesses.limit must be a text"),
        ("[unverified.prefix]\nmode = 'on'", "unverified.prefix.mode must be one of off, record"),
        ("[countries]\nmode = 'enforce'", "countries must have exactly one of allow and refuse"),
        ("[countries]\nallow = ['IN', 'UK']", "countries.allow[1] must be a country in ISO 3166"),
        ("[gueses]\nmode = 'off'", "gueses is not known here; did you mean guesses"),
        ('{"guesses": ', "is no JSON: line 1, column 13"),
        ('{"numbers": {}, "numbers": {}}', "it has numbers twice; keep one of them"),
        ("mode off", "is neither a JSON object nor TOML"),
        ("[]", "is neither a JSON object nor TOML"),
        ("", "The standard input is empty. For a policy of defaults alone, write {}."),
        (" \n", "The standard input is empty."),
    ],
)
def test_what_is_wrong_is_one_sentence(watchword: Run, account: str, given: str, said: str) -> None:
    """It names the path in the policy, or the place in the file; nothing is set."""
    refused = watchword("guard", "set", "-", "--account", account, given=given)
    kept = watchword("guard", "show", "--account", account)

    assert 1 == refused.exit_code
    assert said in refused.stderr
    assert 1 == len(refused.stderr.strip().splitlines())
    assert "guesses             record  50/1d" in kept.stdout


def test_an_unknown_account_or_file_is_told(watchword: Run, account: str, tmp_path: Path) -> None:
    """The hint says how to find the account; a file that is no text is named."""
    (tmp_path / "policy").write_bytes(b"\xff")
    unknown = watchword("guard", "show", "--account", "nobody")
    missing = watchword("guard", "set", str(tmp_path / "none"), "--account", account)
    binary = watchword("guard", "set", str(tmp_path / "policy"), "--account", account)

    assert "`watchword accounts list`" in unknown.stderr
    assert "No such file" in missing.stderr
    assert "is not a text in UTF-8" in binary.stderr
    assert [1, 1, 1] == [each.exit_code for each in (unknown, missing, binary)]
