"""`watchword guard replay`: a table, CSV or JSON of what a policy would have refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.entrypoints.cli.conftest import Run


@pytest.fixture
def policy(tmp_path: Path) -> str:
    """Return the name of a file with a policy."""
    file = tmp_path / "policy.toml"
    file.write_text('[unverified.prefix]\nmode = "enforce"\nlimit = "2/1h"\n')
    return str(file)


def test_the_figures_are_printed_as_a_sentence_json_and_csv(
    watchword: Run, account: str, policy: str
) -> None:
    """Without any sends all figures are zero, in each form."""
    asked = "guard", "replay", "--policy", policy, "--from", "2026-01-01", "--account", account

    said = watchword(*asked)
    shown = watchword(*asked, "--json")
    table = watchword(*asked, "--csv")

    assert 0 == said.exit_code, said.output
    assert "Of 0 sends the policy would have refused 0, of which 0 verified later.\n" == said.stdout
    assert 0 == json.loads(shown.stdout)["sends"]
    assert ["group,value,sends,refused,refusedThatVerified", "all,,0,0,0"] == table.stdout.split()


def test_a_wrong_policy_is_one_sentence(watchword: Run, account: str, tmp_path: Path) -> None:
    """The refusal names the member by its path."""
    file = tmp_path / "policy.json"
    file.write_text('{"guesses": {"limit": "many"}}')

    refused = watchword(
        "guard", "replay", "--policy", str(file), "--from", "2026-01-01", "--account", account
    )

    assert 1 == refused.exit_code
    assert "policy.guesses.limit" in refused.stderr


def test_one_form_of_the_answer_is_chosen(watchword: Run, account: str, policy: str) -> None:
    """CSV and JSON together are refused, as `watchword stats` refuses them."""
    asked = "guard", "replay", "--policy", policy, "--from", "2026-01-01", "--account", account

    both = watchword(*asked, "--csv", "--json")

    assert (2, "") == (both.exit_code, both.stdout)
    assert "--csv and --json are two forms of one answer. Choose one." in both.stderr


def test_a_range_that_ends_before_it_begins_is_refused(
    watchword: Run, account: str, policy: str
) -> None:
    """The refusal names both ends, in the words of the options."""
    times = "--from", "2026-01-02", "--to", "2026-01-01"

    refused = watchword("guard", "replay", "--policy", policy, *times, "--account", account)

    assert 1 == refused.exit_code
    assert "Error: to must be later than from.\n" == refused.stderr
