"""Texts that are shown in one line have no control characters, on every way in (C-98)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.entrypoints.caller import Caller
from tests.entrypoints.legacy.bodies import TEXT
from tests.entrypoints.messaging.sends import (
    DEMO_RCS,
    DEMO_WA,
    FALLBACK,
    FALLBACK_RCS,
    FALLBACK_SMS,
    FALLBACK_WA,
    SMS,
)

# The end of a header, a carriage return, a terminal's escape, a C1 control and a line of Unicode's own.
CONTROLS = ["\n", "\r", "\x1b", "\x7f", "\x85", "\u2028"]
MAIL = {"channelType": "email", "subjectText": "Tea for {{1}}", "contentText": "{{2}}: {{pin}}"}

NAMED: list[tuple[str, Mapping[str, Any], str]] = [
    ("/accounts", {}, "name"),
    ("/api-keys", {}, "name"),
    ("/channel-accounts", {"channelType": "sms", "provider": "sandbox", "config": {}}, "name"),
    ("/pin-templates", {"channels": [{"channelType": "sms"}]}, "name"),
]
SENT: list[tuple[Any, str]] = [
    (lambda text: {"sms": [{**SMS, "sender": text}]}, "sms[0].sender"),
    (lambda text: {"sms": [{**SMS, "recipient": text}]}, "sms[0].recipient"),
    (lambda text: {"sms": [{**SMS, "templateId": text}]}, "sms[0].templateId"),
    (lambda text: {"sms": [{**SMS, "custRef1": text}]}, "sms[0].custRef1"),
    (lambda text: {"sms": [{**SMS, "custRef2": {"order": text}}]}, "sms[0].custRef2"),
    (lambda text: {"sms": [{**SMS, "custRef2": {text: "order"}}]}, "sms[0].custRef2"),
    (lambda text: {"wa": [{**DEMO_WA, "sender": text}]}, "wa[0].sender"),
    (lambda text: {"wa": [{**DEMO_WA, "custref5": text}]}, "wa[0].custref5"),
    (lambda text: {"rcs": [{**DEMO_RCS, "sender": text}]}, "rcs[0].sender"),
    (lambda text: {"rcs": [{**DEMO_RCS, "messageType": text}]}, "rcs[0].messageType"),
    (lambda text: {"sms": [SMS], "campaignName": text}, "campaignName"),
    *(
        (
            lambda text, name=name, step=step: {
                "sms": [SMS],
                "fallback": {**FALLBACK, name: {**step, "sender": text}},
            },
            f"fallback.{name}.sender",
        )
        for name, step in (("sms", FALLBACK_SMS), ("wa", FALLBACK_WA), ("rcs", FALLBACK_RCS))
    ),
]


@pytest.mark.parametrize("control", [*CONTROLS, "\u202e", "\u2066"])
@pytest.mark.parametrize(("path", "rest", "field"), NAMED, ids=[path for path, *_ in NAMED])
async def test_names_are_refused(
    caller: Caller, path: str, rest: Mapping[str, Any], field: str, control: str
) -> None:
    """A name that reads backwards as another is refused, too (D-127)."""
    reply = await caller.operate("POST", path, {**rest, field: f"tea{control}house"})

    assert [field] == reply.wrong


@pytest.mark.parametrize("control", CONTROLS)
async def test_senders_of_channel_accounts_are_refused(caller: Caller, control: str) -> None:
    """They stand in the head of every mail, and in lists."""
    body = {"name": "mail", "channelType": "email", "provider": "sandbox", "config": {}}
    sender = f"Tea House{control}Bcc: ben@tea.example"

    assert ["sender"] == (
        await caller.operate("POST", "/channel-accounts", {**body, "sender": sender})
    ).wrong


@pytest.mark.parametrize("control", CONTROLS)
async def test_subjects_are_refused_with_their_defaults(caller: Caller, control: str) -> None:
    """A text of many lines is one; a subject, the values that stand in it and names are of one line."""
    text = f"Tea{control}Bcc: ben@tea.example"
    wrong = {**MAIL, "subjectText": f"{text} {{{{1}}}}", "paramDefaults": {"1": text, "2": text}}
    wrong |= {"providerTemplateRef": text}
    reply = await caller.operate("POST", "/pin-templates", {"name": "mail", "channels": [wrong]})
    tag = {**MAIL, "languageCode": f"en{control}"}
    of_tag = await caller.operate("POST", "/pin-templates", {"name": "mail", "channels": [tag]})

    assert {
        "channels[0].subjectText",
        "channels[0].providerTemplateRef",
        "channels[0].paramDefaults.1",
    } == {*reply.wrong}
    assert ["channels[0].languageCode"] == of_tag.wrong


@pytest.mark.parametrize("control", CONTROLS)
async def test_values_in_a_subject_are_refused_at_the_call(caller: Caller, control: str) -> None:
    """On create and on resend, by their path; in the text they may break lines."""
    tea = await caller.with_template(MAIL, resendCooldown="0s")
    text = f"Ann{control}Bcc: ben@tea.example"
    pin_id = await tea.created("ann@tea.example", templateParams={"1": "Ann", "2": text})
    refused = await tea.create("ann@tea.example", templateParams={"1": text, "2": "tea"})
    again = await tea.resend(pin_id, templateParams={"1": text, "2": "tea"})

    assert ["templateParams.1"] == refused.wrong == again.wrong
    assert "subject" in refused.error["details"]["fields"][0]["message"]
    assert ["Tea for Ann"] == [each["subject"] for each in await tea.outbox()]


@pytest.mark.parametrize("control", CONTROLS)
async def test_references_of_pins_are_refused(caller: Caller, control: str) -> None:
    """They come out again in searches, histories and exports."""
    assert ["referenceId"] == (await caller.create(referenceId=f"table{control}7")).wrong


@pytest.mark.parametrize(("body", "field"), SENT, ids=[field for _, field in SENT])
async def test_senders_and_references_of_messages_are_refused(
    caller: Caller, body: Any, field: str
) -> None:
    """Each by its path; a message's text may have lines."""
    for control in CONTROLS:
        assert [field] == (await caller.send(**body(f"tea{control}house"))).wrong
    await caller.sent(sms=[{**SMS, "messageBody": "Tea.\nAt six.\n"}])


@pytest.mark.parametrize("field", ["senderPhone", "journeyId", "departmentId", "tags"])
async def test_the_legacy_platform_refuses_them_too(caller: Caller, field: str) -> None:
    """In every stored field of a message except its text."""
    login = {"email": "ann@tea.example", "password": "oolong-oolong"}
    await caller.operated("POST", "/legacy-users", {"account": "demo", **login})
    told = await caller.using(None).post("/account/enterprise/login", login)
    headers = {"authentication-token": told.json["data"]["token"]}
    text: Any = "tea\nhouse"
    body = {**TEXT, field: {"tag1": text} if field == "tags" else text}
    reply = await caller.using(None).post("/svc/api/message/send", body, headers=headers)

    assert ("tags.tag1" if field == "tags" else field) in reply.body.decode()
    assert [] == await caller.outbox()


@pytest.mark.parametrize("url", ["https://tea.example/\n", "https://tea.example/\u202e"])
async def test_addresses_are_refused(caller: Caller, url: str) -> None:
    """URLs of callbacks, of media and behind short links are."""
    headers = {"apikey": str(caller.key)}
    links = {"flag": 1, "urlDetails": [{"longUrl": url}]}
    picture = {"type": "image", "image": {"link": url}}
    fetched = await caller.using(None).post("/rcs/mediaupload", {"url": url}, headers=headers)

    assert ["url"] == (await caller.operate("POST", "/callbacks", {"url": url})).wrong
    assert ["urlShortener.urlDetails[0].longUrl"] == (
        await caller.send(sms=[SMS], urlShortener=links)
    ).wrong
    assert ["wa[0].image.link"] == (await caller.send(wa=[{**DEMO_WA, **picture}])).wrong
    assert 400 == fetched.status, fetched.body
