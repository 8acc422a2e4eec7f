"""Templates and fallbacks by command, on a store and against a running service."""

from __future__ import annotations

import json
import re
from typing import Any
from uuid import uuid4

import pytest

from tests.entrypoints.cli.conftest import Run
from tests.entrypoints.cli.printed import cells
from tests.entrypoints.cli.processes import Served


@pytest.fixture
def watchword(with_sandbox_account: Run) -> Run:
    """Run commands against both targets, with the sandbox's account and its channels."""
    return with_sandbox_account


def made(watchword: Run, *options: str) -> Any:
    """Make a template of the demo account for text messages, and return its record."""
    named = ("--account", "demo", "--name", f"tea {uuid4()}")
    created = watchword("templates", "create", *named, "--channel", "sms", *options, "--json")
    assert (0, "") == (created.exit_code, created.stderr)
    return json.loads(created.stdout)


def shown(watchword: Run, template_id: str) -> Any:
    """Return a template's record."""
    return json.loads(watchword("templates", "show", template_id, "--json").stdout)


def test_a_template_starts_with_defaults(watchword: Run) -> None:
    """Name and channels are enough: all else is as documented (C-16, C-35)."""
    record = made(watchword, "--channel", "email")

    assert ("enabled", 6, "numeric", 5, "10m", "1/3s") == tuple(
        record[name]
        for name in (
            "status",
            "pinLength",
            "pinType",
            "pinAttempts",
            "pinTimeToLive",
            "verifyPinLimit",
        )
    )
    assert [("sms", True), ("email", False)] == [
        (each["channelType"], each["isDefault"]) for each in record["channels"]
    ]
    assert "admin" == record["createdBy"]
    assert record == shown(watchword, record["id"])


def test_a_channel_without_a_channel_account_says_what_to_create(watchword: Run) -> None:
    """A channel that the account cannot send on is refused, and the first step is named."""
    owner = f"tea {uuid4()}"
    watchword("accounts", "create", owner)
    refused = watchword(
        "templates", "create", "--account", owner, "--name", "t", "--channel", "sms"
    )

    assert (
        "Error: channels[0].channelAccountId is required: the account has none for sms;"
        " create a channel account first (`watchword channel-accounts create`).\n"
    ) == refused.stderr


def test_every_limit_has_an_option(watchword: Run) -> None:
    """Each limit is given by its documented name, in words."""
    limits = {
        "pinLength": 8,
        "pinType": "hex",
        "pinAttempts": 2,
        "pinTimeToLive": "5m",
        "verifyPinLimit": "2/1s",
        "sendPinPerTemplateLimit": "9/1d",
        "sendPinPerPhoneNumberLimit": "3/1h",
        "resendCooldown": "0s",
    }
    options = [
        text
        for name, value in limits.items()
        for text in ("--" + re.sub(r"([A-Z])", r"-\1", name).lower(), str(value))
    ]
    record = made(watchword, *options)

    assert limits == {name: record[name] for name in limits}


def test_a_channel_can_say_all_that_the_route_takes(watchword: Run) -> None:
    """A JSON object stands for a channel with a text of its own."""
    channel = {"channelType": "email", "contentText": "Tea: {{pin}}", "isDefault": True}
    record = made(watchword, "--channel", json.dumps(channel))

    assert [("sms", False), ("email", True)] == [
        (each["channelType"], each["isDefault"]) for each in record["channels"]
    ]
    assert "Tea: {{pin}}" == record["channels"][1]["contentText"]


def test_a_dlt_template_does_not_hide_the_text_of_an_sms(watchword: Run) -> None:
    """Only on WhatsApp does a provider's template stand in for the text (C-71)."""
    entries = [
        {"channelType": name, "providerTemplateRef": f"ref_{name}"} for name in ("sms", "whatsapp")
    ]
    options = [f"--channel={json.dumps(each)}" for each in entries]
    named = ("--account", "demo", "--name", f"tea {uuid4()}")
    _, channels, *_ = watchword("templates", "create", *named, *options).stdout.split("\n\n")

    assert ["Your verification code is {{pin}}.", "ref_whatsapp"] == [
        cells(line)[-1] for line in channels.splitlines()[1:]
    ]


def test_a_template_is_shown_in_two_tables(watchword: Run) -> None:
    """Its fields, then its channels; what is found in its texts stands below."""
    record = made(watchword)
    told, channels, _ = watchword("templates", "show", record["id"]).stdout.split("\n\n")

    fields = dict(cells(line) for line in told.splitlines())
    assert ("value", record["id"], "6", "30s") == tuple(
        fields[name] for name in ("field", "id", "pin length", "resend cooldown")
    )
    assert [
        ["channel", "default", "channel account", "text"],
        [
            "sms",
            "yes",
            record["channels"][0]["channelAccountId"],
            "Your verification code is {{pin}}.",
        ],
    ] == [cells(line) for line in channels.splitlines()]


def test_findings_stand_below_the_tables(watchword: Run) -> None:
    """At creation and whenever the template is shown: the odds of guessing, in plain words."""
    weak = ("--pin-length", "4", "--pin-attempts", "100")
    record = made(watchword, *weak)
    told = watchword("templates", "show", record["id"]).stdout.split("\n\n")

    assert [f"{each['field']}: {each['message']}" for each in record["findings"]] == [
        " ".join(each.split()) for each in told[-2:]
    ]
    assert ["pinAttempts", "channels[0].contentText"] == [
        each["field"] for each in record["findings"]
    ]


def test_literal_texts_are_taken_as_they_stand(watchword: Run) -> None:
    """`--literal` is said of all channels that are given, and of nothing else."""
    channel = json.dumps({"channelType": "email", "contentText": "{{name}}: {{pin}}"})
    literal = made(watchword, "--channel", channel, "--literal")
    alone = watchword("templates", "revise", literal["id"], "--literal")

    assert [True, True] == [each["literal"] for each in literal["channels"]]
    assert 2 == alone.exit_code
    assert "give a --channel" in alone.stderr


def test_what_is_not_revised_stays(watchword: Run) -> None:
    """A revision changes the named fields; channels are replaced all together."""
    before = made(watchword, "--pin-length", "8")
    after = json.loads(
        watchword(
            "templates",
            "revise",
            before["id"],
            "--pin-attempts",
            "3",
            "--channel",
            "email",
            "--json",
        ).stdout
    )

    assert (8, 3, ["email"]) == (
        after["pinLength"],
        after["pinAttempts"],
        [each["channelType"] for each in after["channels"]],
    )
    assert before["name"] == after["name"]
    assert after == shown(watchword, before["id"])


def test_a_revision_says_what_it_wants(watchword: Run) -> None:
    """One that changes nothing is a slip."""
    refused = watchword("templates", "revise", "tpl_demo")

    assert 2 == refused.exit_code
    assert "Nothing to revise. Give a --name, a --channel or a limit." in refused.stderr


def test_marks_show_in_the_list(watchword: Run) -> None:
    """Disabled, enabled again, archived: each mark answers with the template's line in the list."""
    record = made(watchword)
    marked = [
        cells(watchword("templates", mark, record["id"]).stdout.splitlines()[1])
        for mark in ("disable", "enable", "archive")
    ]

    assert [["disabled", "sms"], ["enabled", "sms"], ["archived", "sms"]] == [
        line[-3:-1] for line in marked
    ]
    assert {record["id"]} == {line[0] for line in marked}


def test_a_list_is_narrowed(watchword: Run) -> None:
    """Account, words of the name and status narrow it; archived ones only appear on request."""
    enabled, disabled, archived = (made(watchword) for _ in range(3))
    watchword("templates", "disable", disabled["id"])
    watchword("templates", "archive", archived["id"])

    def listed(*options: str) -> set[str]:
        found = watchword("templates", "list", "--json", *options)
        return {record["id"] for record in json.loads(found.stdout)}

    assert {enabled["id"]} == listed("--search", enabled["name"].upper())
    ours = {enabled["id"], disabled["id"], archived["id"]}
    assert ours - {archived["id"]} == ours & listed("--account", "demo")
    assert {disabled["id"]} == ours & listed("--status", "disabled")
    assert ours == ours & listed("--archived")


def test_a_list_reads_as_a_table(watchword: Run) -> None:
    """Id, name, status, channels and the last change."""
    record = made(watchword, "--channel", "email")
    heading, line = watchword("templates", "list", "--search", record["name"]).stdout.splitlines()

    assert ["id", "name", "status", "channels", "updated"] == cells(heading)
    assert [record["id"], record["name"], "enabled", "sms, email", record["updatedAt"]] == cells(
        line
    )


def test_codes_go_out_under_a_template_made_here(connected: Run, sandbox: Served) -> None:
    """Templates that the command line creates or marks hold at once on the running service."""
    template = made(connected)["id"]
    body = {"destination": "+919800000009", "templateId": template}
    sent, _ = sandbox.ask("POST", "/v1/pins", body)
    connected("templates", "disable", template)
    refused, _ = sandbox.ask("POST", "/v1/pins", body)

    assert (201, 409) == (sent, refused)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ("show", "tpl_of_nobody"),
            "No PIN template has this id. Look it up in `watchword templates list --archived`.",
        ),
        (
            ("show", ""),
            "No PIN template has this id. Look it up in `watchword templates list --archived`.",
        ),
        (
            ("enable", "../accounts"),
            "No PIN template has this id. Look it up in `watchword templates list --archived`.",
        ),
        (
            ("list", "--account", "nobody"),
            "No account has this id or name. List them with `watchword accounts list`,"
            " or make it with `watchword accounts create NAME`.",
        ),
        (
            (
                *("create", "--account", "demo", "--name", "tea", "--channel", "sms"),
                *("--pin-length", "3", "--resend-cooldown", "soon"),
            ),
            "--pin-length must be from 4 to 10;"
            " --resend-cooldown must be a duration such as 30s, 10m or 1d"
            " (units ms, s, m, h, d).",
        ),
        (
            ("create", "--account", "demo", "--name", "tea"),
            "channels is required.",
        ),
    ],
)
def test_a_refusal_is_one_sentence_and_a_hint(
    arguments: tuple[str, ...], sentence: str, watchword: Run
) -> None:
    """Both targets refuse in the same words, with exit code 1."""
    refused = watchword("templates", *arguments)

    assert (1, f"Error: {sentence}\n", "") == (refused.exit_code, refused.stderr, refused.stdout)


@pytest.mark.parametrize("channel", ["fax", "rcs", "{", "[]", "1"])
def test_a_channel_that_is_none_is_a_usage_error(channel: str, watchword: Run) -> None:
    """An unreadable option is refused before anything is sent."""
    refused = watchword("templates", "revise", "tpl_demo", "--channel", channel)

    assert 2 == refused.exit_code
    assert "is neither one of sms, whatsapp, email nor a JSON object." in refused.stderr


def test_a_fallback_configuration_is_made(connected: Run) -> None:
    """Its steps are channels in their order; the list shows them."""
    options = ("--account", "demo", "--fallback-id", "tea", "--step", "wa", "--step", "rcs")
    made = connected("fallback-configurations", "create", *options, "--json")
    record = json.loads(made.stdout)
    heading, first, *_ = connected("fallback-configurations", "list").stdout.splitlines()

    assert ("tea", ["whatsapp", "rcs"]) == (record["fallback_id"], record["steps"])
    assert ["id", "account", "fallback id", "steps", "created"] == cells(heading)
    assert [record["id"], "demo", "tea", "whatsapp, rcs", record["createdAt"]] == cells(first)


def test_a_wrong_fallback_configuration_is_refused(watchword: Run) -> None:
    """Both targets refuse it in the service's words."""
    options = ("--account", "demo", "--fallback-id", "a b", "--step", "fax", "--step", "sms")
    wrong = watchword("fallback-configurations", "create", *options)
    taken = watchword(
        "fallback-configurations",
        "create",
        "--account",
        "demo",
        "--fallback-id",
        "demo",
        "--step",
        "sms",
    )

    assert "--fallback-id must have 1 to 64 visible characters and no white space" in wrong.stderr
    assert "fallback configuration demo already" in taken.stderr
    assert (1, 1) == (wrong.exit_code, taken.exit_code)


def test_receipts_are_asked_for_and_ended(watchword: Run) -> None:
    """`--receipt` sets the form of verification receipts, and `none` ends them (C-83)."""
    record = made(watchword, "--receipt", "hashed")
    revised = watchword("templates", "revise", record["id"], "--receipt", "none", "--json")
    refused = watchword("templates", "revise", record["id"], "--receipt", "true")

    assert ("hashed", None) == (record["receipt"], json.loads(revised.stdout)["receipt"])
    assert 2 == refused.exit_code
