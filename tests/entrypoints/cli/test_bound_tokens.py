"""The commands with a token that is bound to an account: they see and change this account alone (C-84)."""

from __future__ import annotations

from uuid import uuid4

import pytest

from tests.entrypoints.cli.conftest import Run
from tests.entrypoints.cli.processes import Served

LISTS = (
    "accounts",
    "keys",
    "channel-accounts",
    "templates",
    "callbacks",
    "legacy-users",
    "dlt-templates",
    "fallback-configurations",
    "media",
    "rcs",
    "whatsapp",
    "pins",
    "messages",
    "test-destinations",
)


@pytest.fixture
def bound(connected: Run) -> tuple[str, str]:
    """Return the name of a new account, and a token of it."""
    name = f"shop-{uuid4()}"
    assert 0 == connected("accounts", "create", name).exit_code
    made = connected("tokens", "create", "--role", "admin", "--name", "desk", "--account", name)
    assert 0 == made.exit_code, made.stderr
    return name, made.stdout.strip()


@pytest.mark.parametrize("records", LISTS)
def test_lists_have_the_own_account_alone(
    connected: Run, sandbox: Served, bound: tuple[str, str], records: str
) -> None:
    """Nothing of the demo account stands in them, and no command fails."""
    name, token = bound
    of_shop = ("--account", name, "--name", "desk of the shop")
    sms = ("--type", "sms", "--provider", "sandbox")
    for command in (("keys", "create"), ("channel-accounts", "create", *sms)):
        made = connected(*command, *of_shop, WATCHWORD_ADMIN_TOKEN=token)
        assert 0 == made.exit_code, made.stderr
    # Many tests make accounts in this sandbox, and the demo's is the oldest.
    listed = "/admin/v1/accounts?pageSize=100"
    _, newest = sandbox.ask("GET", listed, key="sandbox-admin")
    last = newest["totalPages"]
    _, shown = sandbox.ask("GET", f"{listed}&page={last}", key="sandbox-admin")
    demo = next(each["id"] for each in shown["data"] if each["name"] == "demo")
    whole = connected(records, "list", "--json")
    own = connected(records, "list", "--json", WATCHWORD_ADMIN_TOKEN=token)

    assert (0, 0) == (whole.exit_code, own.exit_code), own.stderr
    assert "demo" not in own.stdout
    # The lists in which the demo can be recognized are those that it has a record in.
    if records in ("accounts", "channel-accounts", "keys"):
        assert demo in whole.stdout
        assert (name if records == "accounts" else "desk of the shop") in own.stdout


def test_without_an_account_a_command_is_about_the_own_one(
    connected: Run, bound: tuple[str, str]
) -> None:
    """What it makes belongs to the account; naming another is refused as unknown."""
    name, token = bound
    made = connected(
        "keys", "create", "--account", name, "--name", "till", WATCHWORD_ADMIN_TOKEN=token
    )
    assert 0 == made.exit_code, made.stderr
    assert "key_" in connected("keys", "list", "--json", WATCHWORD_ADMIN_TOKEN=token).stdout

    foreign = connected(
        "keys", "create", "--account", "demo", "--name", "till", WATCHWORD_ADMIN_TOKEN=token
    )
    assert 1 == foreign.exit_code
    assert "No account has this id or name" in foreign.stderr


def test_records_of_another_account_are_unknown(
    connected: Run, bound: tuple[str, str], sandbox: Served
) -> None:
    """By their ids and by their names; they stay as they are."""
    _, token = bound
    _, listed = sandbox.ask("GET", "/admin/v1/channel-accounts?account=demo", key="sandbox-admin")
    for named in (listed["data"][0]["id"], listed["data"][0]["name"]):
        refused = connected("channel-accounts", "disable", named, WATCHWORD_ADMIN_TOKEN=token)
        assert 0 != refused.exit_code
    _, after = sandbox.ask(
        "GET", f"/admin/v1/channel-accounts/{listed['data'][0]['id']}", key="sandbox-admin"
    )
    assert after["enabled"]


def test_what_is_about_the_store_is_forbidden(connected: Run, bound: tuple[str, str]) -> None:
    """The log, tokens and new accounts are not a bound token's."""
    _, token = bound
    for command in (
        ("accounts", "create", "more"),
        ("tokens", "list"),
        ("audit", "replay", "tpl_demo"),
    ):
        refused = connected(*command, WATCHWORD_ADMIN_TOKEN=token)
        assert 0 != refused.exit_code, command
        assert "bound to an account" in refused.stderr
