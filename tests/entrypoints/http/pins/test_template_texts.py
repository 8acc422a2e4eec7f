"""Possible mistakes in a template: unfilled placeholders, and odds of guessing (D-146, D-147)."""

from __future__ import annotations

import pytest

from tests.entrypoints.caller import Caller

UNFILLED = [
    "{{name}}",
    "{{ pin }}",
    "{{PIN}}",
    "{{0}}",
    "{{}}",
    "{code}",
    "${code}",
    "{#var#}",
    "[name]",
]
STATIC = ["[Tea House]", "[TEAHSE]", "{ }", "{1}", "100 % {", "[5]", "a{b", "tea}}"]


def email(text: str = "Code {{pin}}", **more: object) -> dict[str, object]:
    """Write the body of a template with one channel."""
    return {"name": "tea", "channels": [{"channelType": "email", "contentText": text, **more}]}


@pytest.mark.parametrize("placeholder", UNFILLED)
async def test_a_placeholder_that_nothing_fills_is_400(caller: Caller, placeholder: str) -> None:
    """Its path is named with a correction; at a revision, and in a subject, too."""
    text = f"Hello {placeholder}, your code is {{{{pin}}}}."
    before = await caller.recorded()
    created = await caller.operate("POST", "/pin-templates", email(text))
    revised = await caller.operate(
        "PATCH", "/pin-templates/tpl_demo", {"channels": email(subjectText=text)["channels"]}
    )
    (problem,) = created.error["details"]["fields"]

    assert ["channels[0].contentText"] == created.wrong
    assert ["channels[0].subjectText"] == revised.wrong
    assert f"has {placeholder}, which nothing fills in" in problem["message"]
    assert "literal: true" in problem["message"]
    assert before == await caller.recorded()


@pytest.mark.parametrize("placeholder", UNFILLED)
async def test_literal_means_it_as_it_stands(caller: Caller, placeholder: str) -> None:
    """The recipient reads it, and the record says that it was meant."""
    text = f"Hello {placeholder}, your code is {{{{pin}}}}."
    record = await caller.operated("POST", "/pin-templates", email(text, literal=True))
    await caller.under(record["id"]).created("ann@tea.example")
    (sent,) = await caller.outbox()

    assert record["channels"][0]["literal"] is True
    assert f"Hello {placeholder}, your code is " in sent["text"]


@pytest.mark.parametrize("text", [*STATIC, "{{1}}"])
async def test_other_signs_are_text(caller: Caller, text: str) -> None:
    """Brand names in brackets, braces around nothing or a number, and filled parameters."""
    reply = await caller.operate("POST", "/pin-templates", email(f"{text} {{{{pin}}}}"))

    assert 201 == reply.status
    assert [False] == [each["literal"] for each in reply.json["channels"]]


async def test_a_placeholder_of_its_own_is_filled(caller: Caller) -> None:
    """`pinPlaceholder` may look like any of them; then the default one is no placeholder."""
    own = await caller.operate(
        "POST", "/pin-templates", email("Code [code]", pinPlaceholder="[code]")
    )
    both = await caller.operate(
        "POST", "/pin-templates", email("[code] {{pin}}", pinPlaceholder="[code]")
    )

    assert 201 == own.status
    assert ["channels[0].contentText"] == both.wrong


async def test_a_text_without_the_code_is_named_once(caller: Caller) -> None:
    """The refusal names the missing code, and not also a placeholder in its place."""
    reply = await caller.operate("POST", "/pin-templates", email("Code {{code}}"))

    assert ["channels[0].contentText"] == reply.wrong
    assert "must contain the placeholder {{pin}}" in str(reply.error)


async def test_limits_that_allow_guessing_are_taken_with_their_odds(caller: Caller) -> None:
    """At creation, revision, in lists and to callers: derived from the limits as they are."""
    weak = {**email(), "pinLength": 4, "pinAttempts": 100}
    record = await caller.operated("POST", "/pin-templates", weak)
    (finding,) = record["findings"]
    listed = (await caller.templates("search=tea")).json["data"]
    revised = await caller.operate("PATCH", f"/pin-templates/{record['id']}", {"pinAttempts": 3})

    assert {"field", "message"} == finding.keys()
    assert "pinAttempts" == finding["field"]
    assert "101 guesses at one of 10,000 codes" in finding["message"]
    assert [[finding]] == [each["findings"] for each in listed]
    assert [] == revised.json["findings"]
