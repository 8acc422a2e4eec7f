"""Channel accounts and providers by command, on a store and against a running service (C-66)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from tests.entrypoints.cli.conftest import Run
from tests.entrypoints.cli.printed import cells

MAIL = ("--account", "demo", "--type", "email", "--provider", "smtp", "--name", "moody")
CONFIG = {"host": "127.0.0.1", "port": 25, "from": "tea@house.example", "tls": "none"}
COLUMNS = "id account channel provider name sender enabled breaker created"
SMS = ("--account", "demo", "--type", "sms", "--provider", "sandbox", "--name", "moody")


@pytest.fixture
def watchword(with_sandbox_account: Run) -> Run:
    """Run commands against both targets, with the sandbox's account and its channels."""
    return with_sandbox_account


def made(watchword: Run, *options: str) -> dict[str, Any]:
    """Make a channel account for mail of the demo account, and return its record."""
    given = json.dumps(CONFIG)
    return record_of(watchword, "create", *MAIL, "--config", "-", *options, given=given)


def record_of(watchword: Run, *words: str, given: str | None = None) -> dict[str, Any]:
    """Run a command that succeeds without a warning, and return the record that it prints."""
    done = watchword("channel-accounts", *words, "--json", given=given)
    assert (0, "") == (done.exit_code, done.stderr), done.stderr
    read: dict[str, Any] = json.loads(done.stdout)
    return read


def test_a_channel_account_is_made(connected: Run, tmp_path: Path) -> None:
    """Its settings come from a file, or by the standard input, never by the command line."""
    config = tmp_path / "config.json"
    config.write_text('{"outcome": "rejected"}')
    options = ("--account", "demo", "--type", "sms", "--provider", "sandbox", "--name", "moody")
    record = json.loads(
        connected("channel-accounts", "create", *options, "--config", str(config), "--json").stdout
    )
    listed = connected("channel-accounts", "list", "--account", "demo")
    heading, first, *_ = listed.stdout.splitlines()

    assert {"outcome": "rejected"} == record["config"]
    assert COLUMNS.split() == cells(heading)
    assert (
        f"{record['id']} demo sms sandbox moody yes closed {record['createdAt']}".split()
        == cells(first)
    )
    assert record in json.loads(connected("channel-accounts", "list", "--json").stdout)


@pytest.mark.parametrize("channel", ["wa", "whatsapp"])
def test_whatsapp_has_two_names(connected: Run, channel: str) -> None:
    """`wa` and `whatsapp` both do, and answers say `whatsapp` (C-45)."""
    options = ("--account", "demo", "--provider", "sandbox", "--name", "moody")
    made = connected("channel-accounts", "create", *options, "--type", channel, "--json")

    assert "whatsapp" == json.loads(made.stdout)["channelType"]


def test_an_unknown_channel_is_refused(watchword: Run) -> None:
    """Both targets refuse it in the service's words, which list the adapters (C-52)."""
    options = ("--account", "demo", "--provider", "sandbox", "--name", "moody")
    refused = watchword("channel-accounts", "create", *options, "--type", "fax")

    assert (1, "") == (refused.exit_code, refused.stdout)
    assert "--type must be one of sms, whatsapp, rcs, email" in refused.stderr


def test_channel_accounts_are_listed(watchword: Run) -> None:
    """The list has the channels of the demo account, beside any others."""
    found = json.loads(watchword("channel-accounts", "list", "--account", "demo", "--json").stdout)

    assert {"sms", "whatsapp", "email"} <= {record["channelType"] for record in found}


@pytest.mark.parametrize(
    ("config", "complaint"),
    [("{", "is not valid JSON (line 1)."), ('{"a": 1, "a": 2}', "has the member 'a' twice.")],
)
def test_a_config_that_is_none_is_a_usage_error(
    config: str, complaint: str, watchword: Run, tmp_path: Path
) -> None:
    """The message names the file and the mistake."""
    file = tmp_path / "config.json"
    file.write_text(config)
    options = ("--account", "demo", "--type", "sms", "--provider", "sandbox", "--name", "moody")
    refused = watchword("channel-accounts", "create", *options, "--config", str(file))

    assert 2 == refused.exit_code
    assert f"{file} {complaint}" in refused.stderr


def test_a_store_alone_has_no_provider_of_its_own(alone: Run) -> None:
    """A private service has no sandbox, and refuses in the words of a service."""
    alone("accounts", "create", "shop")
    options = ("--account", "shop", "--type", "sms", "--provider", "sandbox", "--name", "moody")
    refused = alone("channel-accounts", "create", *options)

    assert 1 == refused.exit_code
    assert refused.stderr.startswith("Error: provider is not a provider of this service; it has:")
    assert "sandbox" not in refused.stderr


def test_every_setting_has_an_option(watchword: Run) -> None:
    """What the route takes is given in words; `show` prints all of it, within 80 columns."""
    second = made(watchword)
    record = made(
        watchword,
        *("--sender", "Orchid", "--concurrency", "8", "--rate-per-second", "2.5"),
        *("--timeout-seconds", "4", "--failover", second["id"], "--no-failover-on-unknown"),
        *("--price", "44:0.0412:GBP", "--price", ":0.09:EUR"),
    )
    shown = watchword("channel-accounts", "show", record["id"]).stdout
    rows = dict(cells(line) for line in shown.splitlines())

    assert {
        "sender": "Orchid",
        "config": CONFIG,
        "limits": {"concurrency": 8, "ratePerSecond": 2.5, "timeoutSeconds": 4.0},
        "failover": [second["id"]],
        "failoverOnUnknown": False,
        "prices": [
            {"prefix": "44", "amount": "0.0412", "currency": "GBP"},
            {"prefix": "", "amount": "0.09", "currency": "EUR"},
        ],
    }.items() <= record.items()
    assert record == record_of(watchword, "show", record["id"])
    assert ("25", "8", second["id"], "no", "44: 0.0412 GBP, others: 0.09 EUR") == tuple(
        rows[name]
        for name in (
            "config.port",
            "limits concurrency",
            "failover",
            "failover on unknown",
            "prices",
        )
    )
    assert 80 >= max(len(line) for line in shown.splitlines())


def test_an_update_changes_what_is_given(watchword: Run) -> None:
    """The rest stays; `--remove` takes a setting away."""
    record = made(watchword, "--sender", "Orchid", "--concurrency", "8", "--failover-on-unknown")
    limited = record_of(watchword, "update", record["id"], "--rate-per-second", "3")
    removed = [
        text
        for each in ("sender", "limits", "failover", "failover-on-unknown", "prices")
        for text in ("--remove", each)
    ]
    bare = record_of(watchword, "update", record["id"], *removed)

    assert {"concurrency": 8, "ratePerSecond": 3.0} == limited["limits"]
    assert ("Orchid", True) == (limited["sender"], limited["failoverOnUnknown"])
    assert (None, {}, None) == (bare["sender"], bare["limits"], bare["failoverOnUnknown"])


def test_an_update_without_a_change_is_a_usage_error(watchword: Run) -> None:
    """Nothing is asked of the service."""
    refused = watchword("channel-accounts", "update", "cha_1")

    assert 2 == refused.exit_code
    assert "Nothing to change. Give a --name, a --config or another setting." in refused.stderr


def test_an_account_is_disabled_and_enabled(watchword: Run) -> None:
    """Each answer says which it is now."""
    record = made(watchword)

    assert [False, True] == [
        record_of(watchword, each, record["id"])["enabled"] for each in ("disable", "enable")
    ]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            ("--config", "-"),
            "Error: config.tea is no setting of this provider; it has: outcome, mirror."
            " `watchword channel-accounts providers` lists the settings of each provider.\n",
        ),
        (
            ("--failover", "cha_1"),
            "Error: failover[0] must be the id of a channel account of this account for sms.\n",
        ),
    ],
)
def test_a_refusal_is_a_sentence(connected: Run, options: tuple[str, ...], sentence: str) -> None:
    """It names the setting, and says where its rule is found."""
    refused = connected("channel-accounts", "create", *SMS, *options, given='{"tea": 1}')

    assert (1, sentence) == (refused.exit_code, refused.stderr)


def test_a_price_has_three_parts(watchword: Run) -> None:
    """Another form is a usage error with an example."""
    refused = watchword("channel-accounts", "create", *SMS, "--price", "44:0.04")

    assert 2 == refused.exit_code
    assert "such as 44:0.0412:GBP" in refused.stderr


def test_an_unknown_account_is_looked_up_in_the_list(watchword: Run) -> None:
    """The hint is the command that lists them."""
    refused = watchword("channel-accounts", "show", "cha_1")

    assert (
        "Error: No channel account has this id or name."
        " Look it up in `watchword channel-accounts list`.\n"
    ) == refused.stderr


def test_providers_are_listed_with_their_settings(watchword: Run, connected: Run) -> None:
    """A setting without choices shows its kind; the JSON is that of the route."""
    listed = json.loads(watchword("channel-accounts", "providers", "--json").stdout)
    (smtp,) = [each for each in listed if each["name"] == "smtp"]
    printed = connected("channel-accounts", "providers").stdout

    assert ["channels", "name", "settings"] == sorted(smtp)
    assert ["email"] == smtp["channels"]
    assert {"host", "port", "password"} <= {each["name"] for each in smtp["settings"]}
    assert "sandbox (sms, whatsapp, rcs, email)\n" in printed
    assert "accepted|rejected|" in printed


def test_providers_are_listed_before_there_is_a_store(alone: Run) -> None:
    """They are those of the installation; `create` needs to know them first."""
    listed = alone("channel-accounts", "providers")

    assert (0, "") == (listed.exit_code, listed.stderr)
    assert "\nsmtp (email)\n" in listed.stdout
    assert "sandbox" not in listed.stdout


def test_a_name_does_for_an_id(watchword: Run) -> None:
    """Commands and `--failover` take the name of one account; a name of several is not guessed."""
    first, second = (str(uuid4()) for _ in range(2))
    named = {each: made(watchword, "--name", each)["id"] for each in (first, second)}
    record = record_of(watchword, "update", first, "--failover", second)
    made(watchword, "--name", first)
    refused = watchword("channel-accounts", "show", first)

    assert (named[first], [named[second]]) == (record["id"], record["failover"])
    assert named[second] == record_of(watchword, "show", second)["id"]
    assert not record_of(watchword, "disable", second)["enabled"]
    assert 2 == refused.exit_code
    assert f"2 channel accounts have the name {first}. Give the id of one:" in refused.stderr


@pytest.mark.parametrize("given", ["[]", "7", "null", '"tea"'])
def test_a_config_is_an_object(watchword: Run, tmp_path: Path, given: str) -> None:
    """Anything else is refused before the service is asked."""
    config = tmp_path / "config.json"
    config.write_text(given)
    refused = watchword("channel-accounts", "create", *SMS, "--config", str(config))

    assert 2 == refused.exit_code
    assert f"{config} must be an object." in refused.stderr


def test_a_refusal_names_the_option(watchword: Run) -> None:
    """A person typed `--rate-per-second`, and no `limits.ratePerSecond`."""
    refused = watchword("channel-accounts", "create", *SMS, "--rate-per-second", "0")

    assert 1 == refused.exit_code
    assert refused.stderr.startswith("Error: --rate-per-second must be ")


def test_settings_are_shown_under_their_own_names(watchword: Run) -> None:
    """They are what a config needs, and no plain words."""
    name = str(uuid4())
    made(watchword, "--name", name)

    assert "config.host" in watchword("channel-accounts", "show", name).stdout
