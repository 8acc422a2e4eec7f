"""Templates in many languages by command (D-526)."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import pytest

from tests.entrypoints.cli.conftest import Run
from tests.entrypoints.cli.printed import cells
from watchword.entrypoints.starters.starter_texts import starter_text, starter_texts


@pytest.fixture
def watchword(with_sandbox_account: Run) -> Run:
    """Run commands against both targets, with the sandbox's account and its channels."""
    return with_sandbox_account


def create(watchword: Run, *options: str) -> Any:
    """Run the command that makes a template of the demo account."""
    named = ("--account", "demo", "--name", f"tea {uuid4()}")
    return watchword("templates", "create", *named, *options)


def made(watchword: Run, *options: str) -> Any:
    """Make a template, and return its record."""
    done = create(watchword, *options, "--json")
    assert (0, "") == (done.exit_code, done.stderr)
    return json.loads(done.stdout)


def test_texts_of_ours_become_a_template(watchword: Run) -> None:
    """One entry for each language on each channel; the first is the default, and all bring their lines."""
    sms = {"channelType": "sms", "webOtpOrigin": "tea.example", "isDefault": True}
    record = made(
        watchword, "--channel", json.dumps(sms), "--channel", "email", "--starter", "de, zh_TW"
    )
    german, chinese = starter_text("de"), starter_text("zh-Hant")

    assert german is not None
    assert chinese is not None
    assert [
        ("sms", "de", german.text, True, "tea.example"),
        ("sms", "zh-TW", chinese.text, False, "tea.example"),
        ("email", "de", german.text, False, None),
        ("email", "zh-TW", chinese.text, False, None),
    ] == [
        tuple(
            each[name]
            for name in (
                "channelType",
                "languageCode",
                "contentText",
                "isDefault",
                "webOtpOrigin",
            )
        )
        for each in record["channels"]
    ]
    assert [german.subject, chinese.subject] == [
        each["subjectText"] for each in record["channels"][2:]
    ]


def test_all_languages_fit_into_one_template(watchword: Run) -> None:
    """On both channels, without a finding about any text."""
    sms = json.dumps({"channelType": "sms", "webOtpOrigin": "tea.example"})
    languages = ",".join(each.tag for each in starter_texts())
    record = made(watchword, "--channel", sms, "--channel", "email", "--starter", languages)
    done = watchword("templates", "lint", record["id"])

    assert 2 * len(starter_texts()) == len(record["channels"])
    assert (0, "No findings.") == (done.exit_code, done.stdout.splitlines()[-1])


def test_a_text_of_ones_own_stays(watchword: Run) -> None:
    """An entry with a text is left as it is, beside those of ours."""
    own = {"channelType": "sms", "contentText": "Cod: {{pin}}", "languageCode": "ro"}
    record = made(watchword, "--channel", json.dumps(own), "--channel", "sms", "--starter", "fr")

    assert [("ro", "Cod: {{pin}}"), ("fr", getattr(starter_text("fr"), "text", None))] == [
        (each["languageCode"], each["contentText"]) for each in record["channels"]
    ]


def test_tables_name_the_languages(watchword: Run) -> None:
    """A column in the table of channels, and each channel once in the list of templates, many counted."""
    record = made(watchword, "--channel", "sms", "--channel", "email", "--starter", "en,de")
    _, channels, *_ = watchword("templates", "show", record["id"]).stdout.split("\n\n")
    heading, first, *_ = map(cells, channels.splitlines())
    _, line = watchword("templates", "list", "--search", record["name"]).stdout.splitlines()

    assert ["channel", "language", "default", "channel account", "text"] == heading
    assert ["sms", "en", "yes"] == first[:3]
    assert "sms (en, de), email (en, de)" == cells(line)[3]
    many = made(watchword, "--channel", "sms", "--starter", "en,de,fr,ja,th")
    _, line = watchword("templates", "list", "--search", many["name"]).stdout.splitlines()
    assert "sms (5 languages)" == cells(line)[3]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            ("--channel", "sms", "--starter", "de,tlh"),
            "'tlh' has no starter text; there are en, de",
        ),
        (("--channel", "sms", "--starter", "de,"), "'' must be a language tag"),
        (("--channel", "whatsapp", "--starter", "de"), "--starter writes texts: pass sms or email"),
        (("--starter", "de"), "--starter writes texts: pass sms or email"),
        (
            ("--channel", '{"channelType": "sms", "languageCode": "de"}', "--starter", "de"),
            "--starter names the languages: leave languageCode out",
        ),
        (
            ("--channel", '{"channelType": "sms", "webOtpOrign": "a.example"}', "--starter", "de"),
            "webOtpOrign is no member that a starter text leaves open: these are appHash,",
        ),
    ],
)
def test_a_language_that_cannot_be_is_a_usage_error(
    watchword: Run, options: tuple[str, ...], said: str
) -> None:
    """Nothing is sent to the service."""
    done = create(watchword, *options)

    assert 2 == done.exit_code
    assert said in " ".join(done.stderr.split())


def test_the_texts_are_shown(alone: Run) -> None:
    """As a table, and as JSON with what an API's caller copies; no store is needed."""
    heading, *lines = alone("templates", "starters").stdout.splitlines()
    records = json.loads(alone("templates", "starters", "--json").stdout)

    assert ["language", "name", "alphabet", "reviewed", "text"] == cells(heading)
    assert [each.tag for each in starter_texts()] == [cells(line)[0] for line in lines]
    assert [each.text for each in starter_texts()] == [each["contentText"] for each in records]
    assert [each.reviewed_by_second_reader for each in starter_texts()] == [
        each["reviewedBySecondReader"] for each in records
    ]
    assert {"languageCode", "name", "also", "contentText", "subjectText"} < set(records[0])
