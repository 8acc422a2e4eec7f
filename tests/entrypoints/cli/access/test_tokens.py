"""`watchword tokens`, on a store and against a running service (C-84)."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta

import pytest

from tests.entrypoints.cli.conftest import Run
from tests.entrypoints.cli.printed import cells
from tests.entrypoints.cli.processes import Served

TOKEN = re.compile(r"wwt_[A-Za-z0-9_-]{43}")


def test_a_new_token_stands_alone_on_the_standard_output(watchword: Run, account: str) -> None:
    """The token can be piped; the table and the warning are for people and go elsewhere."""
    options = ("--role", "operator", "--name", "support", "--account", account)
    made = watchword("tokens", "create", *options)

    assert 0 == made.exit_code
    assert TOKEN.fullmatch(made.stdout.removesuffix("\n"))
    heading, row, *warning = made.stderr.splitlines()
    columns = ["id", "name", "role", "account", "clear", "prefix", "last used", "state"]
    assert columns == cells(heading)
    assert ["support", "operator"] == cells(row)[1:3]
    assert ["no", made.stdout[:10], "valid"] == cells(row)[-3:]
    assert ["", "The token, which is not shown again:"] == warning


@pytest.mark.parametrize(
    ("expires", "days"), [("30d", 30), ("48h", 2), ("2101-01-31T12:00Z", None)]
)
@pytest.mark.usefixtures("account")
def test_a_token_ends_after_a_duration_or_at_a_time(
    watchword: Run, expires: str, days: int | None
) -> None:
    """`--json` gives the documented record with the token in it."""
    options = ("--role", "auditor", "--name", "audit", "--clear", "--expires", expires)
    made = watchword("tokens", "create", *options, "--json")
    record = json.loads(made.stdout)
    ends = datetime.fromisoformat(record["expiresAt"])

    assert "" == made.stderr
    assert TOKEN.fullmatch(record["token"])
    assert (True, None) == (record["clear"], record["accountId"])
    if days is None:
        assert datetime(2101, 1, 31, 12, tzinfo=UTC) == ends
    else:
        assert abs(ends - datetime.now(UTC) - timedelta(days=days)) < timedelta(minutes=5)


def test_tokens_are_listed_without_themselves(watchword: Run, account: str) -> None:
    """`--account` narrows the list to the tokens that are bound to it."""
    bound = watchword("tokens", "create", "--role", "admin", "--name", "ours", "--account", account)
    watchword("tokens", "create", "--role", "admin", "--name", "free")
    listed = watchword("tokens", "list", "--account", account)
    (row,) = listed.stdout.splitlines()[1:]

    assert ["ours", "admin", account, "no", bound.stdout[:10]] == cells(row)[1:6]
    assert bound.stdout.strip() not in listed.stdout
    assert "free" in watchword("tokens", "list").stdout


def test_a_token_opens_the_service_until_it_is_revoked(sandbox: Served, connected: Run) -> None:
    """It opens what its role allows, and nothing at its first request after that."""
    options = ("--role", "auditor", "--name", "night", "--json")
    made = json.loads(connected("tokens", "create", *options).stdout)
    accounts = ("/admin/v1/accounts", {"name": "mine"})
    before = (
        sandbox.ask("GET", "/admin/v1/accounts", key=made["token"])[0],
        sandbox.ask("POST", *accounts, key=made["token"])[0],
    )
    revoked = connected("tokens", "revoke", made["id"])
    after = sandbox.ask("GET", "/admin/v1/accounts", key=made["token"])[0]

    assert (200, 403, 401) == (*before, after)
    assert re.search(r"revoked \d{4}-.*Z", revoked.stdout)


def test_a_command_says_what_its_token_may_not(connected: Run) -> None:
    """In one sentence, with what to use instead."""
    options = ("--role", "auditor", "--name", "night")
    token = connected("tokens", "create", *options).stdout.strip()
    listed = connected("accounts", "list", "--admin-token", token)
    refused = connected("accounts", "create", "mine", "--admin-token", token)

    assert 0 == listed.exit_code
    assert (
        1,
        "Error: This token has the role auditor, which reads. Use one with the role admin.\n",
    ) == (refused.exit_code, refused.stderr)


@pytest.mark.usefixtures("account")
def test_an_unknown_token_is_not_found(watchword: Run) -> None:
    """The hint is the command that lists them."""
    refused = watchword("tokens", "revoke", "tok_0")

    assert (1, "Error: No token has this id. Look it up in `watchword tokens list`.\n") == (
        refused.exit_code,
        refused.stderr,
    )


@pytest.mark.usefixtures("account")
def test_a_wrong_end_is_named_by_its_option(watchword: Run) -> None:
    """A time in the past is refused by the service; what is no time, before anything is opened."""
    options = ("tokens", "create", "--role", "admin", "--name", "ops", "--expires")
    past = watchword(*options, "2001-01-31")
    soon = watchword(*options, "soon")

    assert (1, "Error: --expires must be in the future.\n") == (past.exit_code, past.stderr)
    assert 2 == soon.exit_code
    assert "'soon' is neither a duration such as 30d nor a time" in soon.stderr
