"""`watchword accounts`, on a store and against a running service."""

from __future__ import annotations

import json

from tests.entrypoints.cli.conftest import Run


def test_an_account_is_suspended_and_resumed(watchword: Run, account: str) -> None:
    """By its name; the record says since when."""
    suspended = watchword("accounts", "suspend", account, "--json")
    resumed = watchword("accounts", "resume", account, "--json")
    unknown = watchword("accounts", "suspend", "nobody")

    assert account == json.loads(suspended.stdout)["name"]
    assert json.loads(suspended.stdout)["suspendedAt"] is not None
    assert json.loads(resumed.stdout)["suspendedAt"] is None
    assert 1 == unknown.exit_code
