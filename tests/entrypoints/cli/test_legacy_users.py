"""`watchword legacy-users`, on a store and against a running service."""

from __future__ import annotations

import json
from uuid import uuid4

from tests.entrypoints.cli.conftest import Run
from tests.entrypoints.cli.printed import cells

PASSWORD = "first flush, 1856"


def test_a_user_is_created_listed_and_removed(watchword: Run, account: str) -> None:
    """The password comes from the standard input and goes nowhere; the e-mail is free at the end."""
    email = f"{uuid4()}@tea.example"
    wanted = ("legacy-users", "create", "--account", account, "--email", email.upper())
    made = watchword(*wanted, "--json", given=f"{PASSWORD}\nmore")
    again = watchword(*wanted, given=PASSWORD)
    listed = watchword("legacy-users", "list", "--account", account).stdout.splitlines()
    user_id = json.loads(made.stdout)["id"]
    revoked = watchword("legacy-users", "revoke-tokens", user_id)
    removed = watchword("legacy-users", "remove", user_id, "--json")
    left = watchword("legacy-users", "list", "--account", account, "--json")

    assert ["id", "account", "e-mail", "created"] == cells(listed[0])
    assert [user_id, account, email] == cells(listed[1])[:3]
    assert (1, 0) == (again.exit_code, revoked.exit_code)
    assert "already" in again.stderr
    assert json.loads(removed.stdout)["removedAt"] is not None
    assert [] == json.loads(left.stdout)
    assert PASSWORD not in "".join(each.output for each in (made, again, revoked, removed))


def test_what_is_refused_says_why(watchword: Run, account: str) -> None:
    """An empty password and an unknown user have a reason."""
    empty = watchword("legacy-users", "create", "--account", account, "--email", "a@b.example")
    unknown = watchword("legacy-users", "remove", "lgu_1")

    assert 1 == empty.exit_code
    assert "password" in empty.stderr
    assert 1 == unknown.exit_code
    assert "`watchword legacy-users list`" in unknown.stderr
