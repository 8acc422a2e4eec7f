"""From the wire to a send: members beside the messages, and rules for all of them (SPEC 2.6)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.entrypoints.messaging.sends import INDIAN, RCS, RECIPIENT, SMS, WA, problems, read, wrong
from watchword.domain.errors import ValidationFailedError
from watchword.entrypoints.messaging.send_bodies import send_request


def test_all_wrong_fields_are_named_at_once() -> None:
    """One answer names all mistakes, also those of several fields together (C-18)."""
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
    """With or without a plus; the use case applies it (C-28)."""
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
    """Each missing one is named, with the next step (C-30)."""
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
    """Flag 0, or no flag, changes nothing; its form is checked anyway."""
    plain = read(sms=[SMS])

    for shortener in ({}, {"flag": 0}, {"flag": False, "urlDetails": [{"track_user": 1}]}):
        assert plain == read(sms=[SMS], urlShortener=shortener)
    assert ["urlShortener"] == wrong(sms=[SMS], urlShortener=[])
    assert ["urlShortener.flag"] == wrong(sms=[SMS], urlShortener={"flag": 2})
    assert ["urlShortener.urlDetails"] == wrong(sms=[SMS], urlShortener={"urlDetails": {}})
    assert plain == read(sms=[SMS], urlShortener={"urlDetails": [{}] * 100})
    assert ["urlShortener.urlDetails"] == wrong(sms=[SMS], urlShortener={"urlDetails": [{}] * 101})
    for name, value in (("longUrl", ""), ("domain", 5), ("track_user", "yes")):
        details = {"urlDetails": [{}, {name: value}]}

        assert [f"urlShortener.urlDetails[1].{name}"] == wrong(sms=[SMS], urlShortener=details)
