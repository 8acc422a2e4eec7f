"""Malformed requests are 400 validation_failed, with every wrong field named at once (C-9, C-65)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.entrypoints.caller import Caller

DEEP = b'{"x":' + b"[" * 100_000 + b"]" * 100_000 + b"}"
NO_JSON: dict[str, bytes] = {
    "nothing but white space": b"  ",
    "half an object": b'{"destination": "+91',
    "two values": b"{} {}",
    "a member twice": b'{"destination": "1", "destination": "2", "templateId": "tpl_demo"}',
    "a member twice, deep inside": b'{"templateParams": {"1": "a", "1": "b"}}',
    "not a number": b'{"destination": NaN}',
    "infinity": b'{"destination": -Infinity}',
    "a number that reads as infinity": b'{"x": 1e999}',
    "a number of 5000 digits": b'{"x": ' + b"7" * 5000 + b"}",
    "nesting without end": DEEP,
    "half a surrogate pair": b'{"destination": "\\ud83d", "templateId": "tpl_demo"}',
    "half a surrogate pair in a member nobody reads": b'{"x": ["\\udc00"]}',
    "half a surrogate pair as a name": b'{"\\ud83d": 1}',
    "the character zero": b'{"destination": "+91\\u00009", "templateId": "tpl_demo"}',
    "Latin-1": '{"destination": "é", "templateId": "tpl_demo"}'.encode("latin-1"),
    "UTF-16": '{"destination": "1", "templateId": "tpl_demo"}'.encode("utf-16"),
    "a byte order mark": b"\xef\xbb\xbf{}",
    "a list": b'["+919812345610"]',
    "null": b"null",
    "a text": b'"+919812345610"',
}


@pytest.mark.parametrize("data", NO_JSON.values(), ids=NO_JSON)
async def test_what_is_no_json_object_is_refused(caller: Caller, data: bytes) -> None:
    """The envelope names the body, nothing is stored, and the key is still free (C-9, C-10)."""
    await caller.created("+919812345611")
    before = await caller.recorded()
    for path in ("/v1/pins", "/v1/pins/pin_1/resend", "/v1/pins/pin_1/verify"):
        once = {"Idempotency-Key": "once"}

        assert ["body"] == (await caller.post(path, data=data, headers=once)).wrong
    assert before == await caller.recorded()
    assert 201 == (await caller.create(once="once")).status


@pytest.mark.parametrize("levels", [101, 500, 990])
async def test_a_body_is_nested_at_most_100_levels_deep(caller: Caller, levels: int) -> None:
    """Deeper is 400 under every Python, in an ignored member too (C-9)."""
    fits, too_deep = (
        b'{"destination": 1, "x": ' + b"[" * lists + b"]" * lists + b"}"
        for lists in (99, levels - 1)
    )

    assert ["destination"] == (await caller.post("/v1/pins", data=fits)).wrong[:1]
    assert ["body"] == (await caller.post("/v1/pins", data=too_deep)).wrong


async def test_a_body_of_nothing_but_objects_is_refused_at_once(caller: Caller) -> None:
    """Each takes a look at its members; a megabyte of them would hold everybody else up."""
    refused = await caller.post("/v1/pins", data=b'{"x": [' + b"{}," * 50_000 + b"{}]}")

    assert ["body"] == refused.wrong
    assert "50,000 objects" in refused.error["details"]["fields"][0]["message"]


@pytest.mark.parametrize("data", [b'{"x": %s}' % (b"7" * 5000), b'{"x": 1e999}'])
async def test_a_number_beyond_measure_is_named(caller: Caller, data: bytes) -> None:
    """The answer says that it is a number, and not that the JSON is wrong (C-9)."""
    (problem,) = (await caller.post("/v1/pins", data=data)).error["details"]["fields"]

    assert "number" in problem["message"]


@pytest.mark.parametrize("value", [None, 5, 5.5, True, [], {}])
@pytest.mark.parametrize("name", ["destination", "templateId"])
async def test_a_text_is_a_text(caller: Caller, name: str, value: Any) -> None:
    """No other type is taken for a text, and none is turned into one."""
    assert [name] == (await caller.create(**{name: value})).wrong


@pytest.mark.parametrize("value", [5, True, "sms", {}, [], ["pigeon"], ["rcs"], [5], [["sms"]]])
async def test_channels_are_a_list_of_channels(caller: Caller, value: Any) -> None:
    """`channels` has at least one entry, each sms, whatsapp or email (SPEC D1)."""
    pin_id = await caller.created()
    for reply in (await caller.create(channels=value), await caller.resend(pin_id, channels=value)):
        (wrong,) = reply.wrong

        assert wrong in ("channels", "channels[0]")


@pytest.mark.parametrize("value", [5, "tea", [], {"1": 5}, {"1": None}, {"tea": "x"}, {"0": "x"}])
async def test_parameters_are_texts_under_positions(caller: Caller, value: Any) -> None:
    """`templateParams` maps positions (1-based, as text) to texts (SPEC D1)."""
    (wrong,) = (await caller.create(templateParams=value)).wrong

    assert wrong.startswith("templateParams")


@pytest.mark.parametrize("value", [None, 123456, ["123456"], {}, False])
async def test_a_pin_is_typed_as_text(caller: Caller, value: Any) -> None:
    """`pin` is the code as the user typed it: a number is no text, and costs no attempt (C-14)."""
    pin_id = await caller.created()

    assert ["pin"] == (await caller.post(f"/v1/pins/{pin_id}/verify", {"pin": value})).wrong
    assert ["pin"] == (await caller.post(f"/v1/pins/{pin_id}/verify", {})).wrong
    assert ["PinIssued", "PinDispatched"] == await caller.story(pin_id)


async def test_every_wrong_field_is_named_at_once(caller: Caller) -> None:
    """One answer names all mistakes, each with its path and the expected value (C-9)."""
    body = {
        "templateId": "",
        "channels": ["sms", "pigeon"],
        "referenceId": 5,
        "templateParams": {"1": 5},
    }
    error = (await caller.post("/v1/pins", body)).error

    assert "validation_failed" == error["code"]
    assert [
        {"field": "channels[1]", "message": "must be one of sms, whatsapp, email"},
        {"field": "destination", "message": "is required"},
        {"field": "referenceId", "message": "must be a text"},
        {"field": "templateId", "message": "must have 1 to 200 characters"},
        {"field": "templateParams.1", "message": "must be a text"},
    ] == sorted(error["details"]["fields"], key=lambda each: each["field"])


async def test_channels_that_no_pin_can_go_by_are_named_as_such(caller: Caller) -> None:
    """`rcs` carries messages, so it is refused and offered no more than `fax` (SPEC D1)."""
    pin_id = await caller.created()
    for channel in ("fax", "rcs"):
        template = {"name": "tea", "channels": [{"channelType": channel}]}
        for path, refused in (
            ("channels[1]", await caller.create(channels=["sms", channel])),
            ("channels[1]", await caller.resend(pin_id, channels=["sms", channel])),
            ("channels[0].channelType", await caller.operate("POST", "/pin-templates", template)),
        ):
            assert [{"field": path, "message": "must be one of sms, whatsapp, email"}] == (
                refused.error["details"]["fields"]
            )


async def test_unknown_members_are_ignored(caller: Caller) -> None:
    """An unknown member is no mistake (C-9)."""
    assert 201 == (await caller.create(nextYear={"anything": [1, None]})).status


async def test_null_reads_as_left_out_where_a_field_is_optional(caller: Caller) -> None:
    """An optional field may say null."""
    assert 201 == (await caller.create(channels=None, referenceId=None)).status


@pytest.mark.parametrize("key", ["", "a b", "k" * 256, "tea☃", "tea\ttime"])
async def test_an_idempotency_key_is_visible_ascii(caller: Caller, key: str) -> None:
    """1 to 255 visible ASCII characters, else 400 (C-10)."""
    assert ["Idempotency-Key"] == (await caller.create(once=key)).wrong
    assert 201 == (await caller.create(once="k" * 255)).status
