"""From the wire to the messages of a send, field by field: sms, wa and rcs (SPEC 2.6, C-26)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.entrypoints.messaging.sends import (
    INDIAN,
    INTERACTIVE,
    RCS,
    RECIPIENT,
    SMS,
    WA,
    problems,
    rcs_with,
    read,
    session,
    without,
    wrong,
)
from watchword.application.messages.planning.send_requests import MessageRequest, SendRequest
from watchword.domain.channel import Channel
from watchword.domain.errors import ValidationFailedError
from watchword.domain.message import (
    RcsTemplateContent,
    SmsContent,
    WhatsappSessionContent,
    WhatsappTemplateContent,
)

SESSIONS: dict[str, dict[str, Any]] = {
    "text": {"body": "Tea?", "preview_url": False},
    "image": {"link": "https://tea.example/cup.png", "caption": "A cup"},
    "video": {"id": "media_1"},
    "document": {"id": "media_1", "filename": "menu.pdf"},
    "audio": {"id": "media_1"},
    "interactive": INTERACTIVE,
}


def test_an_sms_with_every_field() -> None:
    """All of 2.6 for `sms[]`: an Indian number with its DLT ids, unicode and a ttl."""
    entry = {
        **SMS,
        "recipient": INDIAN,
        "templateId": "1107",
        "entityId": "1201",
        "unicode": 1,
        "custRef1": {"CustomReference1": "order-1", "CustomReference2": "table-2"},
        "ttl": "300",
    }

    assert SendRequest(
        messages=(
            MessageRequest(
                channel=Channel.SMS,
                sender="TEAHSE",
                recipient=INDIAN,
                content=SmsContent(
                    type="SI",
                    text="Your tea is ready.",
                    template_id="1107",
                    entity_id="1201",
                    unicode=True,
                ),
                cust_refs={"CustomReference1": "order-1", "CustomReference2": "table-2"},
                ttl_seconds=300,
                path="sms[0]",
                content_path="sms[0]",
            ),
        ),
        links_path="urlShortener.urlDetails",
    ) == read(sms=[entry])


def test_a_whatsapp_template_for_two_recipients() -> None:
    """All of 2.6 for `wa[]`: one message per recipient, in the order given."""
    components = [{"type": "body", "parameters": [{"type": "text", "text": "Asha"}]}]
    template = {"name": "tea_ready", "language": {"code": "en"}, "components": components}
    entry = {
        **WA,
        "recipient": [RECIPIENT, "+15550101"],
        "template": template,
        "custref1": "order-1",
        "custref5": "",
        "ttl": 60,
    }
    first, second = read(wa=[entry]).messages

    assert (RECIPIENT, "+15550101") == (first.recipient, second.recipient)
    for message in (first, second):
        assert Channel.WHATSAPP == message.channel
        assert "+15550100" == message.sender
        assert ("wa[0]", "wa[0].template.components") == (message.path, message.content_path)
        assert 60 == message.ttl_seconds
        assert {"custref1": "order-1", "custref5": ""} == message.cust_refs
        assert (
            WhatsappTemplateContent(name="tea_ready", language="en", components=tuple(components))
            == message.content
        )


def test_an_rcs_template() -> None:
    """All of 2.6 for `rcs[]`; `customParams` is JSON in a text."""
    entry = {**rcs_with('{"name": "Asha"}'), "custref2": "table-2", "ttl": 90}
    (message,) = read(rcs=[entry]).messages

    assert (
        MessageRequest(
            channel=Channel.RCS,
            sender="Tea House",
            recipient=RECIPIENT,
            content=RcsTemplateContent(
                message_type="template", template_code="tea_ready", params={"name": "Asha"}
            ),
            cust_refs={"custref2": "table-2"},
            ttl_seconds=90,
            path="rcs[0]",
            content_path=PARAMS,
        )
        == message
    )


@pytest.mark.parametrize("kind", SESSIONS)
def test_whatsapp_sessions_take_metas_shape(kind: str) -> None:
    """The object under the type's own key goes on as it is (C-26)."""
    (message,) = read(wa=[session(kind, SESSIONS[kind])]).messages

    assert WhatsappSessionContent(type=kind, body=SESSIONS[kind]) == message.content
    assert f"wa[0].{kind}" == message.content_path


def test_what_is_left_out_takes_its_default() -> None:
    """Optional fields may be missing, null, or an empty text."""
    nothing = dict.fromkeys(("templateId", "entityId", "unicode", "custRef1", "ttl"))
    empty = {"templateId": "", "entityId": ""}
    plain = read(sms=[SMS])

    assert plain == read(sms=[SMS | nothing]) == read(sms=[SMS | empty])
    assert plain == read(sms=[SMS], wa=None, prefix="", campaignName="", urlShortener=None)
    assert plain == read(sms=[{**SMS, "unheardOf": 1}], unheardOf=1)


@pytest.mark.parametrize("name", ["sender", "recipient", "type", "messageBody"])
def test_what_an_sms_requires(name: str) -> None:
    """Each required field of `sms[]` is asked for by its path."""
    assert {f"sms[0].{name}": "is required"} == problems(sms=[without(SMS, name)])


@pytest.mark.parametrize(
    "name", ["messaging_product", "recipient_type", "recipient", "sender", "type", "template"]
)
def test_what_whatsapp_requires(name: str) -> None:
    """Each required field of `wa[]`, spelled as on the wire."""
    assert {f"wa[0].{name}": "is required"} == problems(wa=[without(WA, name)])


@pytest.mark.parametrize("name", ["sender", "messageType", "recipient", "contentMessage"])
def test_what_rcs_requires(name: str) -> None:
    """Each required field of `rcs[]`."""
    assert {f"rcs[0].{name}": "is required"} == problems(rcs=[without(RCS, name)])


@pytest.mark.parametrize("kind", SESSIONS)
def test_a_session_requires_the_object_of_its_type(kind: str) -> None:
    """Without it, and with something else in its place, its path is named (C-26)."""
    assert {f"wa[0].{kind}": "is required"} == problems(wa=[without(session(kind, 1), kind)])
    assert {f"wa[0].{kind}": "must be an object"} == problems(wa=[session(kind, "Tea?")])


@pytest.mark.parametrize("said", ["TXN", "TRANS", "Promo", "si", "Otp", "SI ", "", 5, None, []])
def test_another_sms_type_is_an_invalid_type(said: Any) -> None:
    """Case-sensitive, in the words of SPEC section 7 alone, and then with the list (D-145)."""
    with pytest.raises(ValidationFailedError) as refusal:
        read(sms=[SMS, {**SMS, "type": said}])

    assert [
        ("sms[1].type", "invalid type"),
        ("sms[1].type", "invalid type: must be SI, OTP or SE (case-sensitive)"),
    ] == [(each.field, each.message) for each in refusal.value.problems]


@pytest.mark.parametrize("said", ["SI", "OTP", "SE"])
def test_the_valid_sms_types(said: str) -> None:
    """SI, OTP and SE."""
    (message,) = read(sms=[{**SMS, "type": said}]).messages

    assert isinstance(message.content, SmsContent)
    assert said == message.content.type


@pytest.mark.parametrize(
    ("entry", "field"),
    [
        ({"sender": ""}, "sms[0].sender"),
        ({"sender": "x" * 65}, "sms[0].sender"),
        ({"sender": 5}, "sms[0].sender"),
        ({"recipient": ""}, "sms[0].recipient"),
        ({"recipient": "1" * 65}, "sms[0].recipient"),
        ({"recipient": "+15550101\r\nX: y"}, "sms[0].recipient"),
        ({"recipient": "+1555\u20280101"}, "sms[0].recipient"),
        ({"recipient": [RECIPIENT]}, "sms[0].recipient"),
        ({"messageBody": ""}, "sms[0].messageBody"),
        ({"messageBody": "x" * 4097}, "sms[0].messageBody"),
        ({"templateId": 1107}, "sms[0].templateId"),
        ({"entityId": "1" * 65}, "sms[0].entityId"),
        ({"unicode": 2}, "sms[0].unicode"),
        ({"unicode": 1.0}, "sms[0].unicode"),
        ({"unicode": "1"}, "sms[0].unicode"),
        ({"ttl": 0}, "sms[0].ttl"),
        ({"ttl": 2_592_001}, "sms[0].ttl"),
        ({"ttl": "soon"}, "sms[0].ttl"),
        ({"ttl": True}, "sms[0].ttl"),
        ({"custRef1": 5}, "sms[0].custRef1"),
        ({"custRef1": {"CustomReference1": 5}}, "sms[0].custRef1"),
        ({"custRef2": "x" * 201}, "sms[0].custRef2"),
        ({"custRef3": {"x" * 201: ""}}, "sms[0].custRef3"),
        ({"custRef4": dict.fromkeys("abcdefghijk", "")}, "sms[0].custRef4"),
    ],
)
def test_a_wrong_value_in_an_sms(entry: dict[str, Any], field: str) -> None:
    """Each is named by its path, alone."""
    assert [field] == wrong(sms=[SMS | entry])


@pytest.mark.parametrize(
    ("entry", "field"),
    [
        ({"messaging_product": "WhatsApp"}, "wa[0].messaging_product"),
        ({"recipient_type": "group"}, "wa[0].recipient_type"),
        ({"recipient": []}, "wa[0].recipient"),
        ({"recipient": RECIPIENT}, "wa[0].recipient"),
        ({"recipient": ""}, "wa[0].recipient"),
        ({"recipient": [RECIPIENT, ""]}, "wa[0].recipient[1]"),
        ({"recipient": [RECIPIENT, 5]}, "wa[0].recipient[1]"),
        ({"type": "sticker"}, "wa[0].type"),
        ({"type": ["template"]}, "wa[0].type"),
        ({"template": {"language": {"code": "en"}}}, "wa[0].template.name"),
        ({"template": {"name": "t"}}, "wa[0].template.language"),
        ({"template": {"name": "t", "language": "en"}}, "wa[0].template.language"),
        ({"template": {"name": "t", "language": {}}}, "wa[0].template.language.code"),
        (
            {"template": {"name": "t", "language": {"code": "en"}, "components": {}}},
            "wa[0].template.components",
        ),
        (
            {"template": {"name": "t", "language": {"code": "en"}, "components": ["x"]}},
            "wa[0].template.components[0]",
        ),
        ({"type": "text", "text": {}}, "wa[0].text.body"),
        ({"type": "text", "text": {"body": "x" * 4097}}, "wa[0].text.body"),
        ({"type": "image", "image": {"caption": "no picture"}}, "wa[0].image"),
        ({"type": "interactive", "interactive": {}}, "wa[0].interactive.type"),
        ({"custref1": {"a": "b"}}, "wa[0].custref1"),
        ({"ttl": -1}, "wa[0].ttl"),
    ],
)
def test_a_wrong_value_in_whatsapp(entry: dict[str, Any], field: str) -> None:
    """Each is named by its path, alone."""
    assert [field] == wrong(wa=[WA | entry])


PARAMS = "rcs[0].contentMessage.templateMessage.customParams"


@pytest.mark.parametrize(
    "params",
    [
        "{",
        "",
        "[]",
        '"Asha"',
        "NaN",
        '{"name": 5}',
        '{"name": null}',
        '{"name": "a", "name": "b"}',
        '{"name": "\\u0000"}',
        '{"name": {"first": "Asha"}}',
        "[" * 101 + "]" * 101,
        {"name": 5},
        {"name": "x" * 1001},
        [],
        5,
    ],
)
def test_wrong_custom_params(params: Any) -> None:
    """No JSON, or no object of texts: 400 at its path, without quoting the value."""
    named = problems(rcs=[rcs_with(params)])

    assert [PARAMS] == list(named)
    assert "Asha" not in named[PARAMS]


def test_custom_params_may_be_an_object() -> None:
    """The object itself will do as well as its JSON text."""
    params = {"name": "Asha", "table": "2"}

    assert read(rcs=[rcs_with(params)]) == read(rcs=[rcs_with(json.dumps(params))])


@pytest.mark.parametrize(
    ("entry", "field"),
    [
        ({"messageType": ""}, "rcs[0].messageType"),
        ({"contentMessage": {}}, "rcs[0].contentMessage.templateMessage"),
        (
            {"contentMessage": {"templateMessage": {}}},
            "rcs[0].contentMessage.templateMessage.templateCode",
        ),
        ({"custref5": 5}, "rcs[0].custref5"),
    ],
)
def test_a_wrong_value_in_rcs(entry: dict[str, Any], field: str) -> None:
    """Each is named by its path, alone."""
    assert [field] == wrong(rcs=[RCS | entry])
