"""D2, POST /v1/pins/{pinId}/resend: a new code on the same PIN (SPEC section 3, C-15)."""

from tests.entrypoints.caller import UNHURRIED, Caller
from tests.entrypoints.conftest import EVERY_STORE

STORES = EVERY_STORE

REJECTING = "+919812340001"


async def cooled_down(caller: Caller) -> str:
    """Create a PIN, and wait until it may be resent."""
    pin_id = await caller.created()
    await caller.advance(30)
    return pin_id


async def test_a_resend_answers_200_with_the_pin_record(caller: Caller) -> None:
    """Resend answers 200, PENDING, on the same pinId, with a new expiry (C-9, SPEC 2.7)."""
    created = (await caller.create()).json
    await caller.advance(30)
    reply = await caller.resend(created["pinId"])

    assert 200 == reply.status
    assert {**created, "expiresAt": reply.json["expiresAt"]} == {
        **reply.json,
        "channels": created["channels"],
    }
    assert created["expiresAt"] < reply.json["expiresAt"]
    assert ["PinIssued", "PinDispatched", "PinResent", "PinDispatched"] == await caller.story(
        created["pinId"]
    )


async def test_a_body_may_be_left_out(caller: Caller) -> None:
    """No body reads as `{}` (C-64), with any content type."""
    pin_id = await cooled_down(caller)

    assert 200 == (await caller.post(f"/v1/pins/{pin_id}/resend")).status


async def test_the_newest_code_is_the_only_live_one(caller: Caller) -> None:
    """After a resend the old code is a wrong guess, and the new one verifies (C-15)."""
    tea = await caller.with_template(pinLength=10, resendCooldown="0s", **UNHURRIED)
    pin_id = await tea.created()
    await tea.resend(pin_id)
    old, new = await tea.codes()

    assert (422, "pin_incorrect") == (await tea.verify(pin_id, old)).refusal
    assert 200 == (await tea.verify(pin_id, new)).status


async def test_the_allowance_refills(caller: Caller) -> None:
    """A resend restores all attempts (SPEC section 3)."""
    tea = await caller.with_template(pinAttempts=3, resendCooldown="0s", **UNHURRIED)
    pin_id = await tea.created()
    for _ in range(3):
        await tea.verify(pin_id, "nonsense")

    assert 3 == (await tea.resend(pin_id)).json["attemptsRemaining"]


async def test_inside_the_cooldown_it_is_429(caller: Caller) -> None:
    """resend_cooldown says in whole seconds, rounded up, when the time has come (C-11)."""
    pin_id = await caller.created()
    reply = await caller.resend(pin_id)

    assert (429, "resend_cooldown") == reply.refusal
    assert {"retryAfterSeconds": 30} == reply.error["details"]
    assert "30" == reply.headers["Retry-After"]
    assert 1 == len(await caller.outbox())

    await caller.advance(30)

    assert 200 == (await caller.resend(pin_id)).status
    assert (429, "resend_cooldown") == (await caller.resend(pin_id)).refusal


async def test_an_expired_pin_comes_back(caller: Caller) -> None:
    """A resend takes an expired PIN back to PENDING (C-15), met or unmet."""
    pin_id = await caller.created()
    await caller.advance(600)
    await caller.verify(pin_id, await caller.code())
    reply = await caller.resend(pin_id)

    assert "PENDING" == reply.json["status"]
    assert 200 == (await caller.verify(pin_id, await caller.code())).status


async def test_an_expiry_that_nobody_met_is_recorded_by_the_resend(caller: Caller) -> None:
    """PinExpired is appended by the first call that meets it, a resend too (C-15)."""
    pin_id = await caller.created()
    await caller.advance(600)
    await caller.resend(pin_id)

    assert ["PinExpired", "PinResent", "PinDispatched"] == (await caller.story(pin_id))[2:]


async def test_without_channels_it_takes_those_of_the_create(caller: Caller) -> None:
    """The create's channels serve again, not those of a resend in between (C-15)."""
    tea = await caller.under("tpl_demo").with_template(
        {"channelType": "sms"}, {"channelType": "whatsapp"}, resendCooldown="0s"
    )
    pin_id = await tea.created(channels=["sms"])
    other = await tea.resend(pin_id, channels=["whatsapp"])
    again = await tea.resend(pin_id)

    assert ["whatsapp"] == [each["channel"] for each in other.json["channels"]]
    assert ["sms"] == [each["channel"] for each in again.json["channels"]]


async def test_a_502_leaves_the_pin_pending_and_the_cooldown_unspent(caller: Caller) -> None:
    """When every channel rejects, another one may be tried at once (C-15)."""
    tea = await caller.with_template({"channelType": "sms"}, await caller.rejecting_whatsapp())
    pin_id = await tea.created(channels=["sms"])
    old = await tea.code()
    await tea.advance(30)

    assert (502, "dispatch_failed") == (await tea.resend(pin_id, channels=["whatsapp"])).refusal
    assert 422 == (await tea.verify(pin_id, old)).status
    assert 200 == (await tea.resend(pin_id, channels=["sms"])).status


async def test_nothing_is_resent_under_a_disabled_template(caller: Caller) -> None:
    """Resend under a disabled template is 409 template_disabled (C-14)."""
    tea = await caller.with_template(resendCooldown="0s")
    pin_id = await tea.created()
    await tea.operated("POST", f"/pin-templates/{tea.template}/disable")

    assert (409, "template_disabled") == (await tea.resend(pin_id)).refusal


async def test_a_resend_checks_in_this_order(caller: Caller) -> None:
    """template_disabled, channel_not_configured, cooldown, rates; before them the PIN (C-15)."""
    tea = await caller.with_template(resendCooldown="1h", sendPinPerTemplateLimit="1/1d")
    pin_id = await tea.created()

    assert (429, "resend_cooldown") == (await tea.resend(pin_id)).refusal
    assert (422, "channel_not_configured") == (
        await tea.resend(pin_id, channels=["whatsapp"])
    ).refusal

    await tea.operated("POST", f"/pin-templates/{tea.template}/disable")

    assert (409, "template_disabled") == (await tea.resend(pin_id, channels=["whatsapp"])).refusal

    await tea.verify(pin_id, await tea.code())

    assert (409, "pin_already_verified") == (await tea.resend(pin_id)).refusal


async def test_the_rates_come_after_the_cooldown(caller: Caller) -> None:
    """A resend spends the same send limits as a create (C-15, C-16)."""
    tea = await caller.with_template(sendPinPerTemplateLimit="1/1d")
    pin_id = await tea.created()

    assert (429, "resend_cooldown") == (await tea.resend(pin_id)).refusal

    await tea.advance(30)

    assert (429, "rate_limited") == (await tea.resend(pin_id)).refusal


async def test_a_later_policy_counts_for_the_next_code(caller: Caller) -> None:
    """A resend goes by the template as it stands now."""
    tea = await caller.with_template(resendCooldown="0s")
    pin_id = await tea.created()
    await tea.operated("PATCH", f"/pin-templates/{tea.template}", {"pinAttempts": 9})

    assert 9 == (await tea.resend(pin_id)).json["attemptsRemaining"]
