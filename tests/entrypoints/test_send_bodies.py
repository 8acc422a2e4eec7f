"""From the wire to a send, field by field: the primary arrays and what stands beside them (SPEC 2.6)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.entrypoints.sends import (
    INDIAN,
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
from watchword.application.send_requests import MessageRequest, SendRequest
from watchword.domain.channel import Channel
from watchword.domain.errors import ValidationFailedError
from watchword.domain.message import (
    RcsTemplateContent,
    SmsContent,
    WhatsappSessionContent,
    WhatsappTemplateContent,
)
from watchword.entrypoints.send_bodies import send_request

SESSIONS: dict[str, dict[str, Any]] = {
    "text": {"body": "Tea?", "preview_url": False},
    "image": {"link": "https://tea.example/cup.png", "caption": "A cup"},
    "video": {"id": "media_1"},
    "document": {"id": "media_1", "filename": "menu.pdf"},
    "audio": {"id": "media_1"},
    "interactive": {"type": "button", "body": {"text": "Tea?"}, "action": {"buttons": []}},
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
        )
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
    assert ("wa[0].recipient[0]", "wa[0].recipient[1]") == (first.path, second.path)
    for message in (first, second):
        assert Channel.WHATSAPP == message.channel
        assert "+15550100" == message.sender
        assert "wa[0].template" == message.content_path
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
            content_path="rcs[0].contentMessage.templateMessage",
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
    """Optional fields may be missing, null, or empty where a text says nothing."""
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
    """Case-sensitive, and in the words of SPEC section 7."""
    named = problems(sms=[SMS, {**SMS, "type": said}])

    assert {"sms[1].type": "invalid type"} == named


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
    """No JSON, or no object of texts: 400 at its path, and nothing of the value is told."""
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


def test_all_wrong_fields_are_named_at_once() -> None:
    """One answer tells everything, also what one field alone does not show (C-18)."""
    assert {
        "sms[0].sender",
        "sms[0].type",
        "sms[0].templateId",
        "sms[0].entityId",
        "sms[0].custRef1",
        "sms[1]",
        "prefix",
        "campaignName",
        "fallback.waittime",
    } == set(
        wrong(
            sms=[{**SMS, "sender": "", "type": "x", "recipient": INDIAN, "custRef1": 1}, "tea"],
            prefix="tea",
            campaignName="x" * 201,
            fallback={"fallback_id": "demo", "fallback": True, "waittime": "tea"},
        )
    )


@pytest.mark.parametrize("raw", [None, [], "tea", 5])
def test_a_send_is_an_object(raw: Any) -> None:
    """Anything else names the body."""
    with pytest.raises(ValidationFailedError) as refusal:
        send_request(raw, ())

    assert [{"field": "body", "message": "must be an object"}] == refusal.value.details["fields"]


@pytest.mark.parametrize("arrays", [{}, {"sms": None}, {"sms": [SMS], "rcs": [RCS]}])
def test_a_send_has_exactly_one_primary_array(arrays: dict[str, Any]) -> None:
    """None, or two, is 400 (SPEC B1)."""
    assert {"body": "must have exactly one of sms, wa and rcs"} == problems(**arrays)


@pytest.mark.parametrize("name", ["sms", "wa", "rcs"])
def test_a_primary_array_is_a_list_and_not_empty(name: str) -> None:
    """An empty one is 400, and one that is no list (C-60)."""
    given: Any
    for given in ([], {}, "tea"):
        body: dict[str, Any] = {name: given}

        assert [name] == wrong(**body)


def test_at_most_1000_messages() -> None:
    """Counted by recipients, over all entries (C-19)."""
    many = {**WA, "recipient": [RECIPIENT] * 999}

    assert 1000 == len(read(wa=[many, WA]).messages) == len(read(sms=[SMS] * 1000).messages)
    assert ["wa"] == wrong(wa=[many, WA, WA])
    assert ["sms"] == wrong(sms=[SMS] * 1001)


def test_a_flood_of_wrong_entries_is_cut_off() -> None:
    """20 wrong entries of a list are named (D-19)."""
    assert [f"sms[{n}].type" for n in range(20)] == wrong(sms=[{**SMS, "type": "x"}] * 1000)
    assert 20 == len(wrong(wa=[{**WA, "recipient": [5] * 1000}]))
    assert 20 == len(wrong(wa=[{**WA, "recipient": [""] * 1000}]))


@pytest.mark.parametrize("prefix", ["91", "+91", "1", "12345678"])
def test_a_prefix_is_digits(prefix: str) -> None:
    """With or without a plus; where it goes is the use case's matter (C-28)."""
    assert prefix == read(wa=[WA], prefix=prefix).prefix


@pytest.mark.parametrize("prefix", ["+", "tea", "123456789", "++1", "9 1", "\u0661", 91])
def test_a_prefix_that_is_none(prefix: Any) -> None:
    """Anything else is 400."""
    assert ["prefix"] == wrong(wa=[WA], prefix=prefix)


def test_a_recipient_is_measured_with_its_prefix() -> None:
    """64 characters is the most, the prefix included."""
    entry = {**WA, "recipient": ["1" * 62]}

    assert read(wa=[entry], prefix="49").messages
    assert ["wa[0].recipient[0]"] == wrong(wa=[entry], prefix="+49")


def test_a_campaign_has_a_name() -> None:
    """`campaignName` goes with the send."""
    assert "spring" == read(rcs=[RCS], campaignName="spring").campaign


@pytest.mark.parametrize(
    ("recipient", "prefix"),
    [(INDIAN, None), ("919812345610", None), ("9812345610", "91"), ("9812345610", "+91")],
)
def test_an_indian_number_wants_both_dlt_ids(recipient: str, prefix: str | None) -> None:
    """Each that is missing is named, with what to do (C-30)."""
    entry = {**SMS, "recipient": recipient}
    named = problems(sms=[entry], prefix=prefix)

    assert ["sms[0].templateId", "sms[0].entityId"] == list(named)
    assert "DLT" in named["sms[0].templateId"]
    assert ["sms[0].entityId"] == wrong(sms=[entry | {"templateId": "1107"}], prefix=prefix)
    assert read(sms=[entry | {"templateId": "1107", "entityId": "1201"}], prefix=prefix).messages


def test_other_numbers_and_channels_want_none() -> None:
    """DLT is about SMS to India alone."""
    assert read(sms=[SMS]).messages
    assert read(sms=[{**SMS, "recipient": "9812345610"}]).messages
    assert read(wa=[{**WA, "recipient": [INDIAN]}]).messages
    assert read(rcs=[{**RCS, "recipient": INDIAN}]).messages


def test_custom_references_come_flat() -> None:
    """Texts under their own names, objects under the names inside (C-60)."""
    entry = {
        **SMS,
        "custRef1": {"CustomReference1": "a", "CustomReference2": "b"},
        "custRef2": "c",
        "custRef5": "",
    }
    (message,) = read(sms=[entry]).messages

    assert {
        "CustomReference1": "a",
        "CustomReference2": "b",
        "custRef2": "c",
        "custRef5": "",
    } == message.cust_refs


def test_one_name_has_one_reference() -> None:
    """Two references of one name could not both come back."""
    assert ["sms[0].custRef2"] == wrong(
        sms=[{**SMS, "custRef1": {"a": "1"}, "custRef2": {"a": ""}}]
    )


def test_a_url_shortener_that_is_off_is_taken() -> None:
    """Flag 0, or no flag, changes nothing; its shape is looked at all the same."""
    plain = read(sms=[SMS])

    for shortener in ({}, {"flag": 0}, {"flag": False, "urlDetails": [{"track_user": 1}]}):
        assert plain == read(sms=[SMS], urlShortener=shortener)
    assert ["urlShortener"] == wrong(sms=[SMS], urlShortener=[])
    assert ["urlShortener.flag"] == wrong(sms=[SMS], urlShortener={"flag": 2})
    assert ["urlShortener.urlDetails"] == wrong(sms=[SMS], urlShortener={"urlDetails": {}})
    for name, value in (("longUrl", ""), ("domain", 5), ("track_user", "yes")):
        details = {"urlDetails": [{}, {name: value}]}

        assert [f"urlShortener.urlDetails[1].{name}"] == wrong(sms=[SMS], urlShortener=details)


def test_short_links_are_not_there_yet() -> None:
    """Flag 1 is 400 and says so; what it would need is named, too."""
    details = [{"longUrl": "https://tea.example/menu"}, {"domain": "t.example"}]
    named = problems(sms=[SMS], urlShortener={"flag": 1, "urlDetails": details})

    assert ["urlShortener.flag", "urlShortener.urlDetails[1].longUrl"] == list(named)
    assert "not available in this version" in named["urlShortener.flag"]
    assert ["urlShortener.flag", "urlShortener.urlDetails"] == wrong(
        sms=[SMS], urlShortener={"flag": 1}
    )
