"""D3, POST /v1/pins/{pinId}/verify: judge a typed code (SPEC section 3, C-11, C-13, C-14)."""

import pytest

from tests.entrypoints.caller import UNHURRIED, Caller
from tests.entrypoints.conftest import EVERY_STORE

STORES = EVERY_STORE


async def test_the_right_code_verifies(caller: Caller) -> None:
    """The right code is answered with the verify response (SPEC 2.7), and is on record."""
    pin_id = await caller.created()
    reply = await caller.verify(pin_id, await caller.code())

    assert 200 == reply.status
    assert {"pinId": pin_id, "status": "VERIFIED", "attemptsRemaining": 5} == reply.json
    assert ["PinIssued", "PinDispatched", "PinVerified"] == await caller.story(pin_id)


async def test_a_wrong_code_costs_an_attempt(caller: Caller) -> None:
    """pin_incorrect carries pinId, status and attemptsRemaining in its details (C-11)."""
    pin_id = await caller.created()
    reply = await caller.verify(pin_id, await caller.wrong_code())

    assert (422, "pin_incorrect") == reply.refusal
    assert {"pinId": pin_id, "status": "PENDING", "attemptsRemaining": 4} == reply.error["details"]
    assert "VerifyFailed" == (await caller.story(pin_id))[-1]


async def test_the_next_wrong_guess_after_zero_blocks(caller: Caller) -> None:
    """PinAttempts = N means at most N + 1 guesses: the next wrong one is pin_blocked (C-14)."""
    tea = await caller.with_template(pinAttempts=2, **UNHURRIED)
    pin_id = await tea.created()
    wrong = await tea.wrong_code()

    assert [1, 0] == [
        (await tea.verify(pin_id, wrong)).error["details"]["attemptsRemaining"] for _ in range(2)
    ]
    assert (409, "pin_blocked") == (await tea.verify(pin_id, wrong)).refusal
    assert ["VerifyFailed", "VerifyFailed", "PinBlocked"] == (await tea.story(pin_id))[2:]


async def test_at_zero_attempts_the_right_code_still_verifies(caller: Caller) -> None:
    """Zero remaining attempts leave one more guess, and it may be the right one (C-14)."""
    tea = await caller.with_template(pinAttempts=1, **UNHURRIED)
    pin_id = await tea.created()
    await tea.verify(pin_id, await tea.wrong_code())
    reply = await tea.verify(pin_id, await tea.code())

    assert {"pinId": pin_id, "status": "VERIFIED", "attemptsRemaining": 0} == reply.json


async def test_a_blocked_pin_stays_blocked(caller: Caller) -> None:
    """On a blocked PIN even the right code, and every resend, is 409 pin_blocked."""
    tea = await caller.with_template(pinAttempts=1, resendCooldown="0s", **UNHURRIED)
    pin_id = await tea.created()
    for _ in range(2):
        await tea.verify(pin_id, await tea.wrong_code())

    assert (409, "pin_blocked") == (await tea.verify(pin_id, await tea.code())).refusal
    assert (409, "pin_blocked") == (await tea.resend(pin_id)).refusal


async def test_a_code_succeeds_once(caller: Caller) -> None:
    """A verified PIN answers 409 pin_already_verified to every later verify and resend."""
    pin_id = await caller.created()
    await caller.verify(pin_id, await caller.code())

    assert (409, "pin_already_verified") == (
        await caller.verify(pin_id, await caller.code())
    ).refusal
    assert (409, "pin_already_verified") == (await caller.verify(pin_id, "nonsense")).refusal
    assert (409, "pin_already_verified") == (await caller.resend(pin_id)).refusal


async def test_a_code_expires(caller: Caller) -> None:
    """Past its expiry even the right code is 410 pin_expired, and uses no attempt."""
    pin_id = await caller.created()
    await caller.advance(600)
    reply = await caller.verify(pin_id, await caller.code())

    assert (410, "pin_expired") == reply.refusal
    assert "expired" == reply.error["details"]["reason"]


async def test_an_expiry_is_on_record_once(caller: Caller) -> None:
    """PinExpired is appended by the first call that meets it, and by no other (C-15)."""
    pin_id = await caller.created()
    await caller.advance(600)
    for _ in range(3):
        assert (410, "pin_expired") == (await caller.verify(pin_id, "000000")).refusal

    assert ["PinIssued", "PinDispatched", "PinExpired"] == await caller.story(pin_id)


async def test_just_before_its_expiry_a_code_is_good(caller: Caller) -> None:
    """The whole time to live belongs to the recipient."""
    pin_id = await caller.created()
    await caller.advance(590)

    assert 200 == (await caller.verify(pin_id, await caller.code())).status


async def test_guesses_are_limited_in_time(caller: Caller) -> None:
    """Above verifyPinLimit it is 429 rate_limited with Retry-After, and no attempt is used (C-11)."""
    pin_id = await caller.created()
    await caller.verify(pin_id, await caller.wrong_code())
    limited = await caller.verify(pin_id, await caller.code())

    assert (429, "rate_limited") == limited.refusal
    assert {"retryAfterSeconds": 3, "rule": "verify"} == limited.error["details"]
    assert "3" == limited.headers["Retry-After"]
    assert 1 == (await caller.story(pin_id)).count("VerifyFailed")

    await caller.advance(3)

    assert {"pinId": pin_id, "status": "VERIFIED", "attemptsRemaining": 4} == (
        await caller.verify(pin_id, await caller.code())
    ).json


async def test_the_verify_rate_is_per_pin(caller: Caller) -> None:
    """A guess on one PIN slows no other down (C-14)."""
    first, second = await caller.created("+919812345611"), await caller.created("+919812345612")

    assert 422 == (await caller.verify(first, "nonsense")).status
    assert 422 == (await caller.verify(second, "nonsense")).status


async def test_a_resend_does_not_reset_the_verify_rate(caller: Caller) -> None:
    """VerifyPinLimit counts guesses of the PIN, whichever code they were for (C-14)."""
    tea = await caller.with_template(verifyPinLimit="1/1h", resendCooldown="0s")
    pin_id = await tea.created()
    await tea.verify(pin_id, "nonsense")
    await tea.resend(pin_id)

    assert (429, "rate_limited") == (await tea.verify(pin_id, await tea.code())).refusal


async def test_the_verify_rate_comes_before_the_expiry(caller: Caller) -> None:
    """If both apply, the answer is the rate's refusal (C-14)."""
    tea = await caller.with_template(verifyPinLimit="1/1h")
    pin_id = await tea.created()
    await tea.verify(pin_id, "nonsense")
    await tea.advance(600)

    assert (429, "rate_limited") == (await tea.verify(pin_id, await tea.code())).refusal


@pytest.mark.parametrize("around", ["{}", "  {}\t", "\n{}\n"])
async def test_white_space_around_the_code_is_ignored(caller: Caller, around: str) -> None:
    """The code counts, not the blanks that came along with it (C-14)."""
    pin_id = await caller.created()

    assert 200 == (await caller.verify(pin_id, around.format(await caller.code()))).status


async def test_letters_compare_without_case(caller: Caller) -> None:
    """A code of letters may be typed in small ones (C-14)."""
    tea = await caller.with_template(pinType="alpha", pinLength=10)
    pin_id = await tea.created()

    assert 200 == (await tea.verify(pin_id, (await tea.code()).lower())).status


@pytest.mark.parametrize("typed", ["", "   ", "7" * 65])
async def test_what_cannot_be_a_guess_costs_nothing(caller: Caller, typed: str) -> None:
    """`pin` has 1 to 64 characters after trimming; anything else is 400 and no attempt (C-14)."""
    pin_id = await caller.created()

    assert ["pin"] == (await caller.verify(pin_id, typed)).wrong
    assert ["PinIssued", "PinDispatched"] == await caller.story(pin_id)


@pytest.mark.parametrize("typed", ["7" * 64, "☃", "'; DROP TABLE pins; --", " " * 99 + "7"])
async def test_everything_else_is_a_guess(caller: Caller, typed: str) -> None:
    """Any text of 1 to 64 characters is compared, and is wrong (C-14)."""
    pin_id = await caller.created()

    assert (422, "pin_incorrect") == (await caller.verify(pin_id, typed)).refusal


async def test_a_disabled_template_still_verifies(caller: Caller) -> None:
    """Disabling and archiving stop sends; a code that was sent can still be entered (C-14)."""
    tea = await caller.with_template()
    disabled = await tea.created("+919812345611")
    await tea.operated("POST", f"/pin-templates/{tea.template}/disable")

    assert 200 == (await tea.verify(disabled, await tea.code("+919812345611"))).status


async def test_an_unknown_pin_is_404(caller: Caller) -> None:
    """An unknown pinId, or the id of something else: pin_not_found (C-9)."""
    for pin_id in ("pin_0123", "tpl_demo", "☃", "%00"):
        assert (404, "pin_not_found") == (await caller.verify(pin_id, "123456")).refusal
        assert (404, "pin_not_found") == (await caller.resend(pin_id)).refusal


async def test_a_wrong_guess_survives_a_later_policy(caller: Caller) -> None:
    """A PIN keeps the limits that it was sent with after a change of the template."""
    tea = await caller.with_template(pinAttempts=1, **UNHURRIED)
    pin_id = await tea.created()
    await tea.operated("PATCH", f"/pin-templates/{tea.template}", {"pinAttempts": 9})

    assert 0 == (await tea.verify(pin_id, "nonsense")).error["details"]["attemptsRemaining"]
