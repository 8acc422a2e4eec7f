"""From plain data to typed requests: strict, and with every wrong field named at once (C-9)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest
from attrs import field, frozen
from attrs.validators import min_len

from watchword.application.pins.issuing_pins import IssueRequest
from watchword.domain.channel import Channel
from watchword.domain.errors import ValidationFailedError, camel
from watchword.domain.rate_limit import Duration, Rate
from watchword.entrypoints.wire.structuring import structure

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
DAILY, SLOWLY = Duration("1d"), Rate("1/s")


@frozen(kw_only=True)
class Guest:
    """A request inside a request."""

    full_name: str
    age: int | None = None


@frozen(kw_only=True)
class Order:
    """A request with a field of every kind."""

    tea_name: str = field(validator=min_len(2))
    cups: int = 1
    iced: bool = False
    channel: Channel | None = None
    every: Duration = DAILY
    limit: Rate = SLOWLY
    at: datetime | None = None
    guests: tuple[Guest, ...] = ()
    notes: Mapping[str, str] = field(factory=dict)
    extras: Mapping[str, Any] = field(factory=dict)


def wrong(**values: Any) -> list[str]:
    """Return the fields that are named as wrong."""
    with pytest.raises(ValidationFailedError) as refusal:
        structure({"teaName": "oolong", **values}, Order)
    return [each["field"] for each in refusal.value.details["fields"]]  # type: ignore[attr-defined]  # details are plain data


def test_names_have_their_documented_spelling() -> None:
    """Snake case inside, camel case on the wire."""
    assert ("templateId", "sendPinPerPhoneNumberLimit", "name") == (
        camel("template_id"),
        camel("send_pin_per_phone_number_limit"),
        camel("name"),
    )


def test_every_kind_of_field_is_read() -> None:
    """Texts become typed values; missing members take their defaults."""
    raw = {
        "teaName": "oolong",
        "cups": 2,
        "iced": True,
        "channel": "sms",
        "every": "10m",
        "limit": "5/1d",
        "at": "2031-05-04T14:00:00+02:00",
        "guests": [{"fullName": "Ann", "age": None}],
        "notes": {"1": "hot"},
        "extras": {"any": [1, None]},
        "unheardOf": "ignored",
    }

    assert Order(
        tea_name="oolong",
        cups=2,
        iced=True,
        channel=Channel.SMS,
        every=Duration("10m"),
        limit=Rate("5/1d"),
        at=NOON,
        guests=(Guest(full_name="Ann"),),
        notes={"1": "hot"},
        extras={"any": [1, None]},
    ) == structure(raw, Order)
    assert Order(tea_name="oolong") == structure({"teaName": "oolong"}, Order)


@pytest.mark.parametrize("said", ["2031-05-04T12:00:00Z", "2031-05-04T12:00", "20310504T120000Z"])
def test_times_are_iso_8601(said: str) -> None:
    """Without an offset a time is UTC."""
    assert NOON == structure({"teaName": "oolong", "at": said}, Order).at


def test_an_embedders_time_may_be_naive() -> None:
    """A datetime is accepted unchanged, and as UTC without a zone."""
    naive = structure({"teaName": "oolong", "at": NOON.replace(tzinfo=None)}, Order)

    assert NOON == naive.at


@pytest.mark.parametrize(
    ("values", "fields"),
    [
        ({"teaName": 5}, ["teaName"]),
        ({"teaName": "x"}, ["teaName"]),
        ({"teaName": "a\0b"}, ["teaName"]),
        ({"teaName": "ab\ud800"}, ["teaName"]),
        ({"cups": 2.0}, ["cups"]),
        ({"cups": True}, ["cups"]),
        ({"cups": None}, ["cups"]),
        ({"iced": 1}, ["iced"]),
        ({"channel": "pigeon"}, ["channel"]),
        ({"channel": []}, ["channel"]),
        ({"every": "soon"}, ["every"]),
        ({"every": 5}, ["every"]),
        ({"limit": "0/s"}, ["limit"]),
        ({"at": "noon"}, ["at"]),
        ({"at": 5}, ["at"]),
        ({"at": "0001-01-01T00:00:00+12:00"}, ["at"]),
        ({"guests": {}}, ["guests"]),
        ({"guests": ["Ann"]}, ["guests[0]"]),
        ({"guests": [{"fullName": "Ann"}, {}]}, ["guests[1].fullName"]),
        ({"guests": [{"fullName": 1, "age": "2"}]}, ["guests[0].fullName", "guests[0].age"]),
        ({"notes": []}, ["notes"]),
        ({"notes": {"1": 5, "2": "x", "3": None}}, ["notes.1", "notes.3"]),
        ({"extras": "x"}, ["extras"]),
    ],
)
def test_a_wrong_value_is_named_with_its_path(values: dict[str, Any], fields: list[str]) -> None:
    """No type is taken for another."""
    assert fields == wrong(**values)


def test_all_wrong_fields_are_named_at_once() -> None:
    """One refusal names all mistakes."""
    assert ["teaName", "cups", "guests[0].fullName", "notes.1"] == wrong(
        teaName="", cups="2", guests=[{}], notes={"1": 1}
    )


@pytest.mark.parametrize("value", [None, [], "oolong", 5, True])
def test_a_request_is_an_object(value: object) -> None:
    """Anything else names the body."""
    with pytest.raises(ValidationFailedError) as refusal:
        structure(value, Order)

    assert [{"field": "body", "message": "must be an object"}] == refusal.value.details["fields"]


def test_what_is_missing_is_required() -> None:
    """The message says so."""
    with pytest.raises(ValidationFailedError) as refusal:
        structure({}, Order)

    assert [{"field": "teaName", "message": "is required"}] == refusal.value.details["fields"]


def test_a_flood_of_wrong_entries_is_cut_off() -> None:
    """At most 20 wrong entries of one list, and of one object, are named (D-19)."""
    with pytest.raises(ValidationFailedError) as refusal:
        structure(
            {
                "destination": "+1",
                "templateId": "tpl_demo",
                "channels": ["x"] * 100_000,
                "templateParams": dict.fromkeys(map(str, range(1, 999)), 7),
            },
            IssueRequest,
        )

    assert 40 == len(refusal.value.problems)
