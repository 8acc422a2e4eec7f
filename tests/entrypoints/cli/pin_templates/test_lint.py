"""`watchword templates lint`: a template in a file, on the standard input, or of a service (C-87)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from tests.entrypoints.cli.conftest import Run
from tests.entrypoints.cli.printed import cells

HASH = "FA+9qCX9VSu"
RIGHT = {"channelType": "sms", "contentText": "Tea code: {{pin}}", "webOtpOrigin": "tea.example"}
GERMAN = {**RIGHT, "contentText": "Tee-Code: {{pin}}", "languageCode": "de"}


def written(folder: Path, template: object) -> str:
    """Write a template into a file, and return its name."""
    file = folder / "template.json"
    file.write_text(json.dumps(template), encoding="utf-8")
    return str(file)


def judged(run: Run, given: object, *more: str) -> Any:
    """Return what is printed as JSON about a template on the standard input."""
    return json.loads(
        run("templates", "lint", "-", "--json", *more, given=json.dumps(given)).stdout
    )


def test_a_right_template_is_told_so(alone: Run, tmp_path: Path) -> None:
    """A table of its entries, no finding, and exit code 0; no store is made or opened."""
    done = alone("templates", "lint", written(tmp_path, {"channels": [RIGHT, GERMAN]}))
    heading, first, second, _, verdict = done.stdout.splitlines()

    assert (0, "") == (done.exit_code, done.stderr)
    assert ["entry", "channel", "language", "alphabet", "segments", "characters"] == cells(heading)
    assert ["channels[0]", "sms", "GSM-7", "1", "38"] == cells(first)
    assert ["channels[1]", "sms", "de", "GSM-7", "1", "38"] == cells(second)
    assert "No findings." == verdict
    assert ["template.json"] == [each.name for each in tmp_path.iterdir()]


def test_findings_stand_below_with_their_entries(alone: Run, tmp_path: Path) -> None:
    """Segments, autofill and guessing, each by its path; exit code 1."""
    long = {**GERMAN, "contentText": "{{pin}} " + "\u0416" * 80}
    template = {"pinLength": 4, "pinAttempts": 99, "channels": [RIGHT, long]}
    done = alone("templates", "lint", written(tmp_path, template))

    assert 1 == done.exit_code
    assert "\npinAttempts: An attacker" in done.stdout
    assert "\nchannels[1].contentText (sms, de): Goes out in 2 segments of UCS-2" in done.stdout
    assert done.stdout.endswith("\n2 findings.\n")


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({"contentText": "{{pin}}"}, ["Phones have to guess"]),
        ({"contentText": "{{pin}}", "appHash": HASH}, []),
        ({"contentText": "x" * 150 + "{{pin}}", "appHash": HASH}, ["Goes out in 2", "It has 168"]),
        ({"contentText": "@a.b #1 {{pin}}", "webOtpOrigin": "tea.example"}, ["Chrome on Android"]),
        # Cyrillic has to go out in UCS-2, and one segment is no fault.
        ({"contentText": "\u041a\u043e\u0434: {{pin}}", "webOtpOrigin": "tea.example"}, []),
    ],
)
def test_a_finding_is_what_its_author_can_mend(
    alone: Run, entry: dict[str, Any], said: list[str]
) -> None:
    """More than one segment, and what autofill loses; the length of a short text is none."""
    findings = judged(alone, {"channels": [{"channelType": "sms", **entry}]})["findings"]

    assert ["channels[0].contentText"] * len(said) == [each["field"] for each in findings]
    assert said == [
        each["message"][: len(begin)] for each, begin in zip(findings, said, strict=True)
    ]


def test_other_channels_have_no_findings(alone: Run) -> None:
    """An e-mail costs nothing by its length, and on WhatsApp the provider has the text."""
    channels = [{"channelType": each} for each in ("email", "whatsapp")]
    said = judged(alone, {"channels": channels})

    assert [] == said["findings"]
    assert [None, None] == [each["segments"] for each in said["entries"]]


def test_a_stored_template_is_judged_by_its_id(with_sandbox_account: Run) -> None:
    """The same as its record in a file, as `show --json` prints it."""
    options = ("--account", "demo", "--name", f"tea {uuid4()}", "--channel", json.dumps(GERMAN))
    made = json.loads(with_sandbox_account("templates", "create", *options, "--json").stdout)
    shown = with_sandbox_account("templates", "show", made["id"], "--json").stdout
    stored = with_sandbox_account("templates", "lint", made["id"], "--json")

    assert 0 == stored.exit_code
    assert "de" == json.loads(stored.stdout)["entries"][0]["languageCode"]
    assert judged(with_sandbox_account, json.loads(shown)) == json.loads(stored.stdout)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("{", "The standard input is no template in JSON"),
        ('{"channels": [], "channels": []}', "The standard input is no template in JSON"),
        ("", "The standard input is no template in JSON"),
        ("[]", "body must be an object."),
        ("{}", "channels is required."),
        ('{"channels": []}', "channels must have 1 to 100 entries."),
        (
            json.dumps(
                {
                    "pinLength": 3,
                    "channels": [{**RIGHT, "appHash": "short"}],
                }
            ),
            "pinLength must be from 4 to 10",
        ),
        (
            json.dumps({"channels": [{**GERMAN, "languageCode": "d!", "contentText": "{{x}}"}]}),
            "channels[0].languageCode must be a language tag such as pt-BR (BCP 47);"
            " channels[0].contentText must contain the placeholder {{pin}}.",
        ),
    ],
)
def test_what_is_no_template_is_wrong_input(alone: Run, given: str, said: str) -> None:
    """Exit code 2 and one sentence with everything that is wrong; nothing is judged."""
    done = alone("templates", "lint", "-", given=given)

    assert (2, "") == (done.exit_code, done.stdout)
    assert said in done.stderr


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("nowhere.json", "nowhere.json cannot be used: No such file or directory"),
        (".", "cannot be used"),
        ("tpl_of_nobody", "No PIN template has this id."),
    ],
)
def test_what_is_not_there_is_wrong_input(
    with_sandbox_account: Run, source: str, said: str
) -> None:
    """A missing file, a folder, and an id of nothing: exit code 2."""
    done = with_sandbox_account("templates", "lint", source)

    assert (2, "") == (done.exit_code, done.stdout)
    assert said in done.stderr


def test_a_missing_store_is_wrong_input(alone: Run) -> None:
    """An id needs a service or its store, and the sentence names both."""
    done = alone("templates", "lint", "tpl_demo")

    assert 2 == done.exit_code
    assert "Name one with --store or --data-dir, or a running service with --url" in done.stderr
