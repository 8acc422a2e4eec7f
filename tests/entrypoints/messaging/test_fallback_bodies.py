"""From the wire to a fallback, field by field (SPEC 2.6, C-20, C-21, C-52)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.entrypoints.messaging.sends import (
    FALLBACK,
    FALLBACK_RCS,
    FALLBACK_SMS,
    FALLBACK_WA,
    INDIAN,
    RCS,
    RECIPIENT,
    SMS,
    WA,
    problems,
    read,
    without,
    wrong,
)
from watchword.application.messages.planning.send_requests import FallbackRequest, StepRequest
from watchword.domain.channel import Channel
from watchword.domain.message import (
    ProviderContent,
    RcsTemplateContent,
    SmsContent,
    WhatsappTemplateContent,
)

DLT = {"templateId": "1107", "entityId": "1201"}


def test_a_fallback_with_every_object() -> None:
    """All of 2.6 for `fallback`, each step under its channel's name (C-45)."""
    given = {
        **FALLBACK,
        "sms": {**FALLBACK_SMS, **DLT, "unicode": 0, "custRef1": {"CustomReference1": "a"}},
        "wa": {**FALLBACK_WA, "templateComponents": [{"type": "body"}], "custref1": "b"},
        "rcs": {**FALLBACK_RCS, "customParams": '{"name": "Asha"}', "custref5": "c"},
    }
    sms = SmsContent(type="SI", text="Tea is ready.", template_id="1107", entity_id="1201")
    wa = WhatsappTemplateContent(name="tea_ready", language="en", components=({"type": "body"},))
    rcs = RcsTemplateContent(
        message_type="template", template_code="tea_ready", params={"name": "Asha"}
    )

    assert (
        FallbackRequest(
            fallback_id="demo",
            waittime_seconds=60,
            steps={
                Channel.SMS: StepRequest(
                    channel=Channel.SMS,
                    sender="TEAHSE",
                    content=sms,
                    cust_refs={"CustomReference1": "a"},
                    path="fallback.sms",
                    content_path="fallback.sms",
                ),
                Channel.WHATSAPP: StepRequest(
                    channel=Channel.WHATSAPP,
                    sender="+15550100",
                    content=wa,
                    cust_refs={"custref1": "b"},
                    path="fallback.wa",
                    content_path="fallback.wa.templateComponents",
                ),
                Channel.RCS: StepRequest(
                    channel=Channel.RCS,
                    sender="Tea House",
                    content=rcs,
                    cust_refs={"custref5": "c"},
                    path="fallback.rcs",
                    content_path="fallback.rcs.customParams",
                ),
            },
        )
        == read(sms=[SMS], fallback=given).fallback
    )


@pytest.mark.parametrize("off", [None, {"fallback": False}, {"fallback": False, "waittime": []}])
def test_no_fallback_and_one_that_is_off_are_none(off: Any) -> None:
    """`fallback: false` means no run, and nothing else in it is looked at (C-20)."""
    assert read(sms=[SMS], fallback=off).fallback is None


@pytest.mark.parametrize(("given", "seconds"), [("1", 1), ("0060", 60), (172_800, 172_800)])
def test_a_waittime(given: Any, seconds: int) -> None:
    """Digits as text, or a JSON integer, from 1 to 172,800 (C-20)."""
    fallback = read(sms=[SMS], fallback={**FALLBACK, "waittime": given}).fallback

    assert fallback is not None
    assert seconds == fallback.waittime_seconds


@pytest.mark.parametrize(
    "given",
    [
        "0",
        0,
        -1,
        "172801",
        172_801,
        "",
        " 60",
        "60s",
        "1.5",
        60.0,
        "+60",
        "\u0661",
        True,
        [],
        "9" * 99,
    ],
)
def test_a_waittime_that_is_none(given: Any) -> None:
    """Everything else is 400 at its path."""
    assert ["fallback.waittime"] == wrong(sms=[SMS], fallback={**FALLBACK, "waittime": given})


@pytest.mark.parametrize("name", ["fallback_id", "fallback", "waittime"])
def test_what_a_fallback_requires(name: str) -> None:
    """Spelled as on the wire."""
    assert {f"fallback.{name}": "is required"} == problems(
        sms=[SMS], fallback=without(FALLBACK, name)
    )


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"fallback": "true"}, "fallback.fallback"),
        ({"fallback": 1}, "fallback.fallback"),
        ({"fallback_id": ""}, "fallback.fallback_id"),
        ({"fallback_id": "x" * 65}, "fallback.fallback_id"),
        ({"sms": "tea"}, "fallback.sms"),
        ({"sms": {**FALLBACK_SMS, "custRef1": 5}}, "fallback.sms.custRef1"),
        ({"sms": {**FALLBACK_SMS, "type": 5}}, "fallback.sms.type"),
        ({"sms": {**FALLBACK_SMS, "unicode": 2}}, "fallback.sms.unicode"),
        ({"wa": {**FALLBACK_WA, "template": {}}}, "fallback.wa.template"),
        ({"wa": {**FALLBACK_WA, "templateComponents": "x"}}, "fallback.wa.templateComponents"),
        ({"rcs": {**FALLBACK_RCS, "customParams": "{"}}, "fallback.rcs.customParams"),
        ({"rcs": {**FALLBACK_RCS, "custref2": []}}, "fallback.rcs.custref2"),
    ],
)
def test_a_wrong_value_in_a_fallback(given: dict[str, Any], field: str) -> None:
    """Each is named by its path, alone."""
    assert [field] == wrong(sms=[SMS], fallback=FALLBACK | given)


def test_a_fallback_is_an_object() -> None:
    """Anything else is 400."""
    given: Any
    for given in ([], "demo", 5, True):
        assert {"fallback": "must be an object"} == problems(sms=[SMS], fallback=given)


@pytest.mark.parametrize(
    ("key", "given", "name"),
    [
        *(("sms", FALLBACK_SMS, name) for name in FALLBACK_SMS),
        *(("wa", FALLBACK_WA, name) for name in FALLBACK_WA),
        *(("rcs", FALLBACK_RCS, name) for name in FALLBACK_RCS),
    ],
)
def test_what_each_object_requires(key: str, given: dict[str, Any], name: str) -> None:
    """Required fields are asked for at the send already (C-52)."""
    fallback = {**FALLBACK, key: without(given, name)}

    assert {f"fallback.{key}.{name}": "is required"} == problems(sms=[SMS], fallback=fallback)


@pytest.mark.parametrize("said", ["TXN", "Promo", "si", ""])
def test_the_sms_type_of_a_fallback_is_left_to_the_run(said: str) -> None:
    """Any text passes here: the type is checked when the fallback fires (C-21)."""
    sms = {**FALLBACK_SMS, "type": said}
    fallback = read(wa=[WA], fallback={**FALLBACK, "sms": sms}).fallback

    assert fallback is not None
    content = fallback.steps[Channel.SMS].content
    assert isinstance(content, SmsContent)
    assert said == content.type


@pytest.mark.parametrize(
    "primary",
    [
        {"sms": [{**SMS, "recipient": INDIAN, **DLT}]},
        {"wa": [{**WA, "recipient": [RECIPIENT, INDIAN]}]},
        {"rcs": [RCS, {**RCS, "recipient": "9812345610"}], "prefix": "91"},
    ],
)
def test_an_sms_fallback_for_an_indian_number_wants_dlt_ids(primary: dict[str, Any]) -> None:
    """If one of the recipients is Indian, the object needs both ids (C-30)."""
    bare = {**FALLBACK, "sms": FALLBACK_SMS}
    whole = {**FALLBACK, "sms": FALLBACK_SMS | DLT}

    assert ["fallback.sms.templateId", "fallback.sms.entityId"] == wrong(**primary, fallback=bare)
    assert read(**primary, fallback=whole).fallback


def test_a_third_partys_object_goes_untouched() -> None:
    """A channel that an adapter is registered for takes any object (C-52)."""
    payload = {"to": "asha", "sender": "tea", "deep": [{"any": None}]}
    fallback = read(("pigeon",), sms=[SMS], fallback={**FALLBACK, "pigeon": payload}).fallback

    assert fallback is not None
    assert {
        "pigeon": StepRequest(
            channel="pigeon",
            sender="tea",
            content=ProviderContent(payload=payload),
            path="fallback.pigeon",
            content_path="fallback.pigeon",
        )
    } == fallback.steps


def test_a_third_partys_object_is_an_object() -> None:
    """A text is none."""
    fallback = {**FALLBACK, "pigeon": "tea"}

    assert {"fallback.pigeon": "must be an object"} == problems(
        ("pigeon",), sms=[SMS], fallback=fallback
    )


def test_other_members_are_ignored() -> None:
    """A member without a registered adapter is an unknown member like any other (C-9)."""
    fallback = read(("pigeon",), sms=[SMS], fallback={**FALLBACK, "raven": "tea"}).fallback

    assert fallback is not None
    assert {} == fallback.steps


def test_an_adapter_named_like_a_channel_changes_nothing() -> None:
    """`sms`, `wa` and `rcs` keep the meaning of SPEC 2.6, with any registered adapter."""
    fallback = {**FALLBACK, "sms": FALLBACK_SMS, "wa": FALLBACK_WA, "whatsapp": {}}

    assert read(sms=[SMS], fallback=fallback) == read(
        ("sms", "wa", "whatsapp"), sms=[SMS], fallback=fallback
    )
