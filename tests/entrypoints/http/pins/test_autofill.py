"""Codes by SMS that phones fill in, the whole way (C-87)."""

from typing import Any

import pytest

from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import EVERY_STORE

STORES = EVERY_STORE
HASH = "FA+9qCX9VSu"


def sms(**more: Any) -> dict[str, Any]:
    """Return an SMS entry."""
    return {"channelType": "sms", "contentText": "Tea code: {{pin}}", **more}


@pytest.mark.parametrize(
    ("more", "ending"),
    [
        ({"webOtpOrigin": "Shop.example"}, "\n\n@shop.example #{}"),
        ({"appHash": HASH}, f"\n{HASH}"),
    ],
)
async def test_a_text_ends_as_phones_want(
    caller: Caller, more: dict[str, Any], ending: str
) -> None:
    """The first code and a resent one; the record's finding counts the last line."""
    tea = await caller.with_template(sms(**more))
    pin_id = await tea.created()
    await tea.advance(31)
    await tea.resend(pin_id)
    record = await tea.operated("GET", f"/pin-templates/{tea.template}")
    (finding,) = record["findings"]

    assert [f"Tea code: {each}" + ending.format(each) for each in await tea.codes()] == [
        each["text"] for each in await tea.outbox()
    ]
    assert ("channels[0].contentText", "GSM-7", 1) == (
        finding["field"],
        finding["encoding"],
        finding["segments"],
    )


@pytest.mark.parametrize(
    ("entry", "wrong"),
    [
        (sms(webOtpOrigin="shop.example", appHash=HASH), "channels[0].appHash"),
        (sms(webOtpOrigin="https://shop.example"), "channels[0].webOtpOrigin"),
        (sms(appHash="short"), "channels[0].appHash"),
        ({"channelType": "email", "appHash": HASH}, "channels[0].appHash"),
        ({"channelType": "email", "webOtpOrigin": "a.example"}, "channels[0].webOtpOrigin"),
    ],
)
async def test_what_cannot_be_a_last_line_is_400(
    caller: Caller, entry: dict[str, Any], wrong: str
) -> None:
    """Both at once, texts of another form, and other channels."""
    reply = await caller.operate("POST", "/pin-templates", {"name": "tea", "channels": [entry]})

    assert [wrong] == reply.wrong
