"""The limits of a template: how codes look, and how often they are sent (C-16, C-28)."""

import pytest

from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import EVERY_STORE

STORES = EVERY_STORE

ALPHABETS = {
    "numeric": "0123456789",
    "alpha": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "hex": "0123456789ABCDEF",
    "alphanumeric": "23456789ABCDEFGHJKMNPQRSTUVWXYZ",
}
SPELLINGS = ["+919812345610", "+91 98123 45610", "0091-9812-345610", " 919812345610"]


@pytest.mark.parametrize("pin_type", ALPHABETS)
async def test_codes_are_made_of_their_types_characters(caller: Caller, pin_type: str) -> None:
    """Each pinType has its own set of characters (C-16)."""
    tea = await caller.with_template(pinType=pin_type, pinLength=10)
    for number in range(10):
        await tea.created(f"+91981234{number}")
    codes = [await tea.code(f"+91981234{number}") for number in range(10)]

    assert {10} == {len(code) for code in codes}
    assert set("".join(codes)) <= set(ALPHABETS[pin_type])
    assert 10 == len(set(codes))


@pytest.mark.parametrize("length", [4, 10])
async def test_codes_have_the_length_asked_for(caller: Caller, length: int) -> None:
    """PinLength is 4 to 10 (C-16)."""
    tea = await caller.with_template(pinLength=length)
    await tea.created()

    assert length == len(await tea.code())


async def test_sends_per_template_are_limited(caller: Caller) -> None:
    """Above sendPinPerTemplateLimit it is 429 rate_limited, for any recipient (C-9)."""
    tea = await caller.with_template(sendPinPerTemplateLimit="2/1h")
    first = await tea.create("+919812345611")
    await tea.create("+919812345612")
    limited = await tea.create("+919812345613")

    assert 201 == first.status
    assert (429, "rate_limited") == limited.refusal
    assert limited.headers["Retry-After"] == str(limited.error["details"]["retryAfterSeconds"])
    assert 3595 <= limited.error["details"]["retryAfterSeconds"] <= 3600
    assert "template" == limited.error["details"]["rule"]
    assert [] == await tea.codes("+919812345613")


async def test_a_window_slides(caller: Caller) -> None:
    """A use is free again one window after it was made, not at the turn of an hour (C-16)."""
    tea = await caller.with_template(sendPinPerTemplateLimit="2/1h")
    await tea.created("+919812345611")
    await tea.advance(1800)
    await tea.created("+919812345612")
    await tea.advance(1790)

    assert 429 == (await tea.create("+919812345613")).status

    await tea.advance(20)

    assert 201 == (await tea.create("+919812345613")).status
    assert 429 == (await tea.create("+919812345614")).status


async def test_spellings_of_a_number_share_one_budget(caller: Caller) -> None:
    """SendPinPerPhoneNumberLimit counts the canonical form, and that alone (C-16, C-28)."""
    tea = await caller.with_template(sendPinPerPhoneNumberLimit="3/1d")

    replies = [await tea.create(each) for each in SPELLINGS]

    assert [201, 201, 201, 429] == [each.status for each in replies]
    assert "phone_number" == replies[-1].error["details"]["rule"]
    assert 201 == (await tea.create("+919812345611")).status


async def test_spellings_of_an_e_mail_address_share_one_budget(caller: Caller) -> None:
    """An e-mail address is counted in lower case, all of it (C-89)."""
    tea = await caller.with_template({"channelType": "email"}, sendPinPerPhoneNumberLimit="1/1d")

    assert 201 == (await tea.create("ann@tea.example")).status
    assert 429 == (await tea.create("ann@TEA.Example")).status
    assert 429 == (await tea.create("ANN@tea.example")).status
    assert 201 == (await tea.create("ben@tea.example")).status


async def test_the_budget_of_a_number_is_per_template(caller: Caller) -> None:
    """The same number has another budget under another template (C-16)."""
    tea = await caller.with_template(sendPinPerPhoneNumberLimit="1/1d")
    coffee = await caller.with_template(sendPinPerPhoneNumberLimit="1/1d")

    assert [201, 201, 429, 429] == [
        (await each.create()).status for each in (tea, coffee, tea, coffee)
    ]


async def test_resends_count(caller: Caller) -> None:
    """Every send that reaches dispatch counts, resends included (C-16)."""
    tea = await caller.with_template(sendPinPerPhoneNumberLimit="2/1d", resendCooldown="0s")
    pin_id = await tea.created()

    assert 200 == (await tea.resend(pin_id)).status
    assert 429 == (await tea.resend(pin_id)).status
    assert 429 == (await tea.create()).status


async def test_failed_dispatches_count(caller: Caller) -> None:
    """A 502 has reached dispatch, so it counts (C-16)."""
    tea = await caller.with_template(sendPinPerTemplateLimit="1/1d")

    assert 502 == (await tea.create("+919812340001")).status
    assert 429 == (await tea.create()).status


async def test_refused_sends_do_not_count(caller: Caller) -> None:
    """A 400, 404, 422 or 429 spends nothing (C-16)."""
    tea = await caller.with_template(sendPinPerTemplateLimit="1/1d")
    await tea.create("")
    await tea.create(channels=["whatsapp"])
    await tea.create(templateParams={"1": "tea"})

    assert 201 == (await tea.create()).status


async def test_several_channels_are_one_send(caller: Caller) -> None:
    """One request is one send, with any number of channels (C-15)."""
    tea = await caller.with_template(
        {"channelType": "sms"}, {"channelType": "whatsapp"}, sendPinPerPhoneNumberLimit="2/1d"
    )

    assert [201, 201, 429] == [
        (await tea.create(channels=["sms", "whatsapp"])).status for _ in range(3)
    ]


async def test_the_default_limits_are_these(caller: Caller) -> None:
    """A template that says nothing gets the defaults of C-16."""
    tea = await caller.with_template()
    (record,) = (await tea.templates("search=tea+house")).json["data"]
    defaults = {
        "pinLength": 6,
        "pinType": "numeric",
        "pinAttempts": 5,
        "pinTimeToLive": "10m",
        "verifyPinLimit": "1/3s",
        "sendPinPerTemplateLimit": "10000/1d",
        "sendPinPerPhoneNumberLimit": "5/1d",
        "resendCooldown": "30s",
    }

    assert defaults == {name: record[name] for name in defaults}
