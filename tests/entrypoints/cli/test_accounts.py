"""`watchword accounts`, on a store and against a running service."""

from __future__ import annotations

import json

from tests.entrypoints.cli.conftest import Run


def test_an_account_is_suspended_and_resumed(watchword: Run, account: str) -> None:
    """The command takes its name; the record has the time."""
    suspended = watchword("accounts", "suspend", account, "--json")
    resumed = watchword("accounts", "resume", account, "--json")
    unknown = watchword("accounts", "suspend", "nobody")

    assert account == json.loads(suspended.stdout)["name"]
    assert json.loads(suspended.stdout)["suspendedAt"] is not None
    assert json.loads(resumed.stdout)["suspendedAt"] is None
    assert 1 == unknown.exit_code


def test_a_retention_is_set_as_a_whole_and_shown(watchword: Run, account: str) -> None:
    """What is left out is kept for ever; `--for-ever` keeps everything, and a wrong option is named."""
    shown = watchword("accounts", "retention", account, "--json")
    wanted = ("--pins", "30d", "--messages", "90d", "--events", "365d")
    kept = watchword("accounts", "retention", account, *wanted, "--json")
    again = watchword("accounts", "retention", account, "--for-ever", "--json")
    wrong = watchword("accounts", "retention", account, "--pins", "1h")

    for_ever = {"pins": None, "messages": None, "events": None}
    assert for_ever == json.loads(shown.stdout) == json.loads(again.stdout)
    assert {"pins": "30d", "messages": "90d", "events": "365d"} == json.loads(kept.stdout)
    assert 1 == wrong.exit_code
    assert "pins must be at least 1d" in wrong.stderr


def test_limits_are_set_as_a_whole_and_shown(watchword: Run, account: str) -> None:
    """One that is left out is none; `--reset` leaves the room for media alone."""
    shown = watchword("accounts", "limits", account, "--json")
    wanted = ("--requests-per-second", "50", "--media-bytes", "0")
    limited = watchword("accounts", "limits", account, *wanted, "--json")
    reset = watchword("accounts", "limits", account, "--reset", "--json")
    wrong = watchword("accounts", "limits", account, "--requests-per-second", "0")

    none = {"requestsPerSecond": None, "storedBytesPerDay": None, "mediaBytes": 2**30}
    assert none == json.loads(shown.stdout) == json.loads(reset.stdout)
    assert {**none, "requestsPerSecond": 50, "mediaBytes": 0} == json.loads(limited.stdout)
    assert 1 == wrong.exit_code
    assert "--requests-per-second" in wrong.stderr
