"""`watchword keys` and `watchword accounts`, on a store and against a running service."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from uuid import uuid4

import pytest

import watchword as package
from tests.entrypoints.cli.conftest import Run
from tests.entrypoints.cli.printed import cells
from tests.entrypoints.cli.processes import Served

KEY = re.compile(r"ww_[A-Za-z0-9_-]{20,}")


def key_id(watchword: Run, account: str) -> str:
    """Make a key and give its id."""
    made = watchword("keys", "create", "--account", account, "--name", "till", "--json")
    return str(json.loads(made.stdout)["id"])


def test_a_new_key_stands_alone_on_the_standard_output(watchword: Run, account: str) -> None:
    """The key can be piped; the table and the warning are for people and go elsewhere."""
    made = watchword("keys", "create", "--account", account, "--name", "web", "--scope", "pins")

    assert 0 == made.exit_code
    assert KEY.fullmatch(made.stdout.removesuffix("\n"))
    heading, row, *warning = made.stderr.splitlines()
    columns = ["id", "account", "name", "prefix", "scopes", "auto-match", "last used", "state"]
    assert columns == cells(heading)
    assert ["web", made.stdout[:9], "pins", "no", "valid"] == cells(row)[2:]
    assert ["", "The key, which is not shown again:"] == warning


def test_a_new_key_as_json(watchword: Run, account: str) -> None:
    """`--json` gives the documented record with the key in it."""
    options = ("--expires-at", "2101-01-31", "--scope", "pins", "--scope", "messaging")
    made = watchword("keys", "create", "--account", account, "--name", "web", *options, "--json")
    record = json.loads(made.stdout)

    assert "" == made.stderr
    assert KEY.fullmatch(record["key"])
    assert ("web", ["pins", "messaging"], "2101-01-31T00:00:00.000Z") == (
        record["name"],
        record["scopes"],
        record["expiresAt"],
    )


def test_a_key_with_auto_match(watchword: Run, account: str) -> None:
    """It is asked for by a flag, and shown in the list (C-30)."""
    options = ("--account", account, "--name", "shop", "--template-auto-match")
    made = json.loads(watchword("keys", "create", *options, "--json").stdout)
    (row,) = watchword("keys", "list", "--account", account).stdout.splitlines()[1:]

    assert made["templateAutoMatch"] is True
    assert "yes" == cells(row)[5]


def test_keys_are_listed_without_themselves(watchword: Run, account: str) -> None:
    """A list has the account and the expiry of each key, but never the key."""
    made = watchword(
        "keys", "create", "--account", account, "--name", "web", "--expires-at", "2101-01-31T12:00Z"
    )
    listed = watchword("keys", "list", "--account", account)

    (row,) = listed.stdout.splitlines()[1:]
    assert [
        account,
        "web",
        made.stdout[:9],
        "messaging, pins",
        "no",
        "valid until 2101-01-31T12:00:00.000Z",
    ] == cells(row)[1:]
    assert made.stdout.strip() not in listed.stdout


def test_an_account_sees_its_own_keys(watchword: Run, account: str) -> None:
    """`--account` narrows a list; without it every account's keys are there, the newest first."""
    other = f"other-{uuid4()}"
    watchword("accounts", "create", other)
    ours, theirs = key_id(watchword, account), key_id(watchword, other)

    def listed(*options: str) -> list[str]:
        found = json.loads(watchword("keys", "list", "--json", *options).stdout)
        return [record["id"] for record in found]

    assert [ours] == listed("--account", account)
    assert [theirs, ours] == listed()[:2]


def test_a_revoked_key_is_shown_as_such(watchword: Run, account: str) -> None:
    """Revoking says since when; revoking again changes nothing."""
    revoked = key_id(watchword, account)
    first = watchword("keys", "revoke", revoked)
    again = watchword("keys", "revoke", revoked)

    assert (0, first.stdout) == (again.exit_code, again.stdout)
    assert re.fullmatch(r"revoked \d{4}-.*Z", cells(first.stdout.splitlines()[1])[-1])


def test_a_key_opens_the_service_until_it_is_revoked(sandbox: Served, connected: Run) -> None:
    """Keys that the command line creates or revokes hold at once on the running service."""
    made = json.loads(
        connected("keys", "create", "--account", "demo", "--name", "till", "--json").stdout
    )
    before, _ = sandbox.ask("GET", "/v1/templates", key=made["key"])
    connected("keys", "revoke", made["id"])
    after, _ = sandbox.ask("GET", "/v1/templates", key=made["key"])

    assert (200, 401) == (before, after)


def test_the_operator_stands_in_the_history(watchword: Run, account: str) -> None:
    """The actor is `admin` with both targets."""
    record = json.loads(watchword("audit", "replay", key_id(watchword, account), "--json").stdout)

    assert ["admin"] == [event["actor"] for event in record["events"]]
    assert "***" == record["state"]["keyHash"]


def test_accounts_are_listed(watchword: Run, account: str) -> None:
    """A list has each account's id and name, the newest first."""
    table = watchword("accounts", "list").stdout.splitlines()
    newest = json.loads(watchword("accounts", "list", "--json").stdout)[0]

    assert ["id", "name", "created", "suspended"] == cells(table[0])
    assert [newest["id"], account, newest["createdAt"]] == cells(table[1])


def test_more_than_a_page_is_listed_whole_from_a_store(alone: Run, tmp_path: Path) -> None:
    """A list goes on past the hundred records of one page."""

    async def fill() -> None:
        async with package.open(f"sqlite:///{tmp_path / 'watchword.db'}") as service:
            for number in range(101):
                await service.accounts.create(f"shop {number}")

    asyncio.run(fill())

    assert 101 == len(json.loads(alone("accounts", "list", "--json").stdout))


def test_more_than_a_page_is_listed_whole_from_a_service(sandbox: Served, connected: Run) -> None:
    """The same over HTTP."""
    ours = {f"shop-{uuid4()}" for _ in range(101)}
    for name in ours:
        sandbox.ask("POST", "/admin/v1/accounts", {"name": name}, key="sandbox-admin")
    listed = json.loads(connected("accounts", "list", "--json").stdout)

    assert ours <= {record["name"] for record in listed}
    assert len(listed) == len({record["id"] for record in listed})


def test_nothing_is_listed_as_headings(alone: Run) -> None:
    """An empty list is its headings, or an empty list of JSON."""
    alone("accounts", "create", "shop")

    assert ["id", "account"] == cells(alone("keys", "list").stdout)[:2]
    assert [] == json.loads(alone("keys", "list", "--json").stdout)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ("keys", "create", "--account", "nobody", "--name", "web"),
            "No account has this id or name. List them with `watchword accounts list`,"
            " or make it with `watchword accounts create NAME`.",
        ),
        (
            ("keys", "list", "--account", "nobody"),
            "No account has this id or name. List them with `watchword accounts list`,"
            " or make it with `watchword accounts create NAME`.",
        ),
        (
            ("keys", "revoke", "../accounts"),
            "No API key has this id. Look it up in `watchword keys list`.",
        ),
        (
            (
                "keys",
                "create",
                "--account",
                "ACCOUNT",
                "--name",
                "web",
                "--expires-at",
                "2001-01-31",
            ),
            "--expires-at must be in the future.",
        ),
        (
            ("accounts", "create", "ACCOUNT"),
            "An account named ACCOUNT exists already. Use it, or take another name.",
        ),
    ],
)
def test_a_refusal_is_one_sentence_and_a_hint(
    arguments: tuple[str, ...], sentence: str, watchword: Run, account: str
) -> None:
    """Both targets refuse in the same words, with exit code 1."""
    refused = watchword(*(each.replace("ACCOUNT", account) for each in arguments))

    assert (1, f"Error: {sentence.replace('ACCOUNT', account)}\n", "") == (
        refused.exit_code,
        refused.stderr,
        refused.stdout,
    )


def test_everything_wrong_is_told_at_once(watchword: Run, account: str) -> None:
    """One refusal names all wrong fields."""
    wrong = ("--name", " ", "--expires-at", "2001-01-31")
    refused = watchword("keys", "create", "--account", account, *wrong)

    assert re.fullmatch(r"Error: name .+; --expires-at .+\.\n", refused.stderr)


def test_a_text_that_is_no_text_is_refused(watchword: Run) -> None:
    """An argument in another encoding than UTF-8 is not stored in pieces."""
    refused = watchword("accounts", "create", "caf\udce9")

    assert (1, "Error: The arguments are not all UTF-8. Type them anew.\n") == (
        refused.exit_code,
        refused.stderr,
    )


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (("--expires-at", "soon"), "'soon' is not a time such as 2030-01-31T12:00:00Z."),
        (("--scope", "everything"), "'everything' is not one of 'messaging', 'pins'."),
    ],
)
def test_wrong_options_are_usage_errors(
    options: tuple[str, ...], complaint: str, alone: Run
) -> None:
    """Unreadable options are refused before anything is opened, with exit code 2."""
    refused = alone("keys", "create", "--account", "demo", "--name", "web", *options)

    assert 2 == refused.exit_code
    assert complaint in refused.stderr
