"""One budget for every spelling, and no provider gets an invalid destination (C-89)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.entrypoints.caller import DESTINATION, Caller, Reply
from tests.entrypoints.conftest import EVERY_STORE
from tests.entrypoints.messaging.sends import (
    DEMO_RCS,
    DEMO_WA,
    FALLBACK,
    FALLBACK_SMS,
    RECIPIENT,
    SMS,
    session,
)

STORES = EVERY_STORE

ADDRESS = "ann@tea.example"
BOTH = ({"channelType": "sms"}, {"channelType": "email"})
NUMBER = "+919800000100"
# Spellings of one phone, each of which once had a budget of its own.
DECORATED = [
    NUMBER,
    "919800000100",
    "00919800000100",
    "+91 98000-00100",
    "+91(0)9800000100",
    "+9109800000100",
    f"{NUMBER};",
    f"{NUMBER}x",
    f"{NUMBER};ext=7",
    f"tel:{NUMBER}",
    f"{NUMBER}\ufe0f",
    f"{NUMBER}\u200b",
    f"\uff0b{NUMBER[1:]}",
    f"{NUMBER}\n",
    f"{NUMBER},{NUMBER}",
]
MAILBOXES = [
    ADDRESS,
    "Ann@tea.example",
    "ann@TEA.example",
    f"{ADDRESS}.",
    f" {ADDRESS}",
    f"{ADDRESS},ben@tea.example",
    f"Ann <{ADDRESS}>",
    f"{ADDRESS}\r\nBcc: ben@tea.example",
    f"{ADDRESS}(tea)",
]


def outcomes(reply: Reply) -> list[tuple[str, str | None]]:
    """Return each channel of a PIN, with its error code."""
    held = reply.json["channels"] if reply.status < 300 else reply.error["details"]["channels"]
    return [(each["channel"], each.get("errorCode")) for each in held]


@pytest.mark.parametrize(
    ("channel", "spellings", "taken"), [("sms", DECORATED, 6), ("email", MAILBOXES, 3)]
)
async def test_no_spelling_has_a_send_budget_of_its_own(
    caller: Caller, channel: str, spellings: list[str], taken: int
) -> None:
    """After as many sends as the limit allows, every spelling is over it, or is refused."""
    tea = await caller.with_template(
        {"channelType": channel}, sendPinPerPhoneNumberLimit=f"{taken}/1d"
    )
    first = [(await tea.create(each)).status for each in spellings]
    again = [(await tea.create(each)).status for each in spellings]
    shown = [each["destination"] for each in await tea.outbox()]

    assert [201] * taken + [400] * (len(spellings) - taken) == first
    assert [429] * taken + [400] * (len(spellings) - taken) == again
    assert spellings[:taken] == shown


@pytest.mark.parametrize(("channel", "spellings"), [("sms", DECORATED), ("email", MAILBOXES)])
async def test_no_spelling_has_a_live_code_of_its_own(
    caller: Caller, channel: str, spellings: list[str]
) -> None:
    """The newest code of a destination, in any spelling, is its only live one."""
    tea = await caller.with_template({"channelType": channel}, sendPinPerPhoneNumberLimit="100/1d")
    replies = [await tea.create(each) for each in spellings]
    made = [each.json["pinId"] for each in replies if each.status == 201]
    guesses = [await tea.verify(each, "nonsense") for each in made]

    assert len(made) > 1
    assert [(410, "pin_expired")] * (len(made) - 1) == [each.refusal for each in guesses[:-1]]
    assert (422, "pin_incorrect") == guesses[-1].refusal


async def test_a_refused_destination_is_named_and_leaves_nothing(caller: Caller) -> None:
    """It is 400 on `destination` before anything is stored, for any key; and after 422."""
    recorded = await caller.recorded()
    reply = await caller.create("x", channels=["sms", "email"], once="tea")

    assert ["destination"] == reply.wrong
    assert "phone number" in reply.error["details"]["fields"][0]["message"]
    assert "e-mail address" in reply.error["details"]["fields"][0]["message"]
    assert ["destination"] == (await caller.create(ADDRESS)).wrong
    assert recorded == await caller.recorded()
    assert 201 == (await caller.create(once="tea")).status
    only = await caller.with_template()
    assert (422, "channel_not_configured") == (await only.create("x", channels=["email"])).refusal


async def test_a_channel_that_a_destination_does_not_fit_is_not_used(caller: Caller) -> None:
    """Its outcome is `rejected`, and says why; the others go on."""
    reply = await caller.create(channels=["email", "sms"])
    (email, _) = reply.json["channels"]

    assert 201 == reply.status
    assert [("email", "invalid_destination"), ("sms", None)] == outcomes(reply)
    assert "rejected" == email["status"]
    assert "e-mail address" in email["errorMessage"]
    assert ["sms"] == [each["channel"] for each in await caller.outbox()]
    assert 200 == (await caller.verify(reply.json["pinId"], await caller.code())).status


async def test_channels_can_reject_for_either_reason(caller: Caller) -> None:
    """If no channel accepted the code, the 502 says for each whether its provider was called."""
    reply = await caller.create(f"{DESTINATION[:-4]}0001", channels=["sms", "email"])

    assert (502, "dispatch_failed") == reply.refusal
    assert [("sms", "sandbox_rejected"), ("email", "invalid_destination")] == outcomes(reply)
    assert [] == await caller.outbox()


async def test_a_resend_is_for_the_same_destination(caller: Caller) -> None:
    """On a channel that it does not fit alone it is 400, and spends nothing; beside others it goes on."""
    tea = await caller.with_template(*BOTH, resendCooldown="0s")
    pin_id = await tea.created()
    recorded = await tea.recorded()

    assert ["destination"] == (await tea.resend(pin_id, channels=["email"])).wrong
    assert recorded == await tea.recorded()
    assert [("email", "invalid_destination"), ("sms", None)] == outcomes(
        await tea.resend(pin_id, channels=["email", "sms"])
    )
    assert ["sms", "sms"] == [each["channel"] for each in await tea.outbox()]


async def test_a_refused_destination_comes_before_limits(caller: Caller) -> None:
    """It is refused after the channels and before rates and cooldown."""
    tea = await caller.with_template(*BOTH, sendPinPerTemplateLimit="1/1d")
    pin_id = await tea.created()

    assert 429 == (await tea.create()).status
    assert 400 == (await tea.create("x")).status
    assert 429 == (await tea.resend(pin_id)).status
    assert 400 == (await tea.resend(pin_id, channels=["email"])).status


@pytest.mark.parametrize("spelling", ["+91(0)98000 00100", "00919800000100", "919800000100"])
async def test_searches_find_every_spelling(caller: Caller, spelling: str) -> None:
    """A number finds PINs and messages with any of its spellings."""
    pin_id = await caller.created(NUMBER)
    await caller.sent(wa=[{**DEMO_WA, "recipient": [NUMBER]}])
    asked = spelling.replace("+", "%2B")
    pins = await caller.operated("GET", f"/verifications?destination={asked}")
    messages = await caller.operated("GET", f"/messages?recipient={asked}")

    assert [pin_id] == [each["pinId"] for each in pins["data"]]
    assert [NUMBER] == [each["recipient"] for each in messages["data"]]


@pytest.mark.parametrize(
    "wrong", ["+4915112345610;", "tel:+4915112345610", "12345", "+49\u200b15112345610"]
)
@pytest.mark.parametrize(
    "body",
    [
        lambda wrong: {"sms": [{**SMS, "recipient": wrong}, SMS]},
        lambda wrong: {"wa": [{**DEMO_WA, "recipient": [wrong, RECIPIENT]}]},
        lambda wrong: {"rcs": [{**DEMO_RCS, "recipient": wrong}, DEMO_RCS]},
    ],
    ids=["sms", "wa", "rcs"],
)
async def test_a_recipient_that_is_no_number_is_rejected_in_its_entry(
    caller: Caller, body: Any, wrong: str
) -> None:
    """The others are sent; its provider is not called."""
    first, second = (await caller.sent(**body(wrong)))["data"]

    assert ("rejected", "invalid_recipient") == (first["status"], first["errorCode"])
    assert (wrong, "accepted") == (first["recipient"], second["status"])
    assert [RECIPIENT] == [each["destination"] for each in await caller.outbox()]
    assert "rejected" == (await caller.standing(first["messageId"]))["status"]


async def test_a_recipient_is_judged_with_its_prefix(caller: Caller) -> None:
    """Six digits are no number, with a country's code before them they may be one (C-28)."""
    (entry,) = (await caller.sent(sms=[{**SMS, "recipient": "151123"}], prefix="49"))["data"]
    (alone,) = (await caller.sent(sms=[{**SMS, "recipient": "151123"}]))["data"]

    assert ("accepted", "rejected") == (entry["status"], alone["status"])


async def test_its_fallback_has_nobody_to_go_to(caller: Caller) -> None:
    """It counts as a rejected primary; the step is for the same recipient, and ends the run rejected."""
    entry = {**DEMO_WA, "recipient": ["+4915112345610x"]}
    (sent,) = (await caller.sent(wa=[entry], fallback={**FALLBACK, "sms": FALLBACK_SMS}))["data"]
    await caller.advance(61)
    run = (await caller.standing(sent["messageId"]))["fallback"]

    assert [] == await caller.outbox()
    assert ["FallbackArmed", "FallbackTriggered", "FallbackRejected"] == await caller.story(
        sent["fallbackRunId"]
    )
    assert "rejected" == run["status"]
    assert ["invalid_recipient"] == [each["errorCode"] for each in run["steps"]]


async def test_an_opt_out_and_a_session_hold_for_every_spelling(caller: Caller) -> None:
    """A sender may be answered, and an opted-out number gets nothing, in any spelling."""
    asked = session("text", {"body": "Tea?"}) | {"recipient": ["+49(0)15112345610"]}
    wrote = {"channel": "wa", "from": "4915112345610", "to": "Watchword", "text": "Hi"}
    await caller.post("/sandbox/inbound", wrote)
    (answered,) = (await caller.sent(wa=[asked]))["data"]
    listed = {"recipients": ["0049 151 12345610"]}
    headers = {"apikey": str(caller.key)}
    await caller.using(None).post("/opt/out/wa", listed, headers=headers)
    (refused,) = (await caller.sent(wa=[asked]))["data"]

    assert "accepted" == answered["status"]
    assert "recipient_opted_out" == refused["errorCode"]
