"""Resend a PIN (D2): SPEC section 3, in the order of checks of C-15."""

import attrs
import pytest

from tests.domain.pin.story import (
    COOLDOWN,
    GUEST,
    POLICY,
    TEA_HOUSE,
    ask_for_resend,
    blocked,
    dispatched,
    expired,
    failed,
    interrupted,
    issued,
    refused,
    resent,
    right_guess,
    second,
    stayed_silent,
    superseded,
    took,
    verified,
)
from tests.specs import given, state_after
from watchword.domain.channel import Channel, ChannelOutcome
from watchword.domain.conditions import PersonLives, WithinRate
from watchword.domain.pin import (
    Expired,
    Pending,
    PinAlreadyVerifiedError,
    PinBlockedError,
    PinExpiredError,
    PinNotFoundError,
    ResendCooldownError,
    require_resendable,
    resend,
    verify,
)
from watchword.domain.rate_limit import Duration, Rate


def test_a_resend_renews_code_expiry_and_allowance() -> None:
    """PENDING, cooldown elapsed: new code, new expiry, new attempt allowance; still PENDING."""
    (
        given(issued(), dispatched(1), failed(2, left=2))
        .when(resend, ask_for_resend(30))
        .then(resent(30))
        .leaving(
            life=Pending(),
            issue=2,
            code_hash="1$hash-two",
            expires_at=second(630),
            attempts_remaining=3,
            outcomes=(),
        )
    )


def test_a_resend_must_fit_both_rates() -> None:
    """A resend is a send: it counts per template and per template and destination."""
    given(issued(), dispatched(1)).when(resend, ask_for_resend(30)).on_condition(
        WithinRate(f"sends:{TEA_HOUSE}", POLICY.send_pin_per_template_limit, second(30)),
        WithinRate(
            f"sends:{TEA_HOUSE}:{GUEST}", POLICY.send_pin_per_phone_number_limit, second(30)
        ),
        PersonLives(GUEST),
    )


def test_a_resend_follows_the_template_as_it_is_now() -> None:
    """Limits that were edited since the create hold from the resend on."""
    edited = attrs.evolve(
        POLICY,
        pin_attempts=7,
        pin_time_to_live=Duration("1m"),
        verify_pin_limit=Rate("1/5s"),
        send_pin_per_template_limit=Rate("1/h"),
    )

    decision = resend(state_after(issued(), dispatched(1)), ask_for_resend(30, edited))

    assert (resent(30, 2, edited),) == decision.events
    assert WithinRate(f"sends:{TEA_HOUSE}", Rate("1/h"), second(30)) == decision.conditions[0]


def test_a_resend_may_use_other_channels_and_the_create_s_are_remembered() -> None:
    """Another channel serves this one resend; the create's channels stay the default."""
    command = ask_for_resend(30, POLICY, Channel.EMAIL)

    (
        given(issued(POLICY, Channel.SMS, Channel.WHATSAPP), dispatched(1))
        .when(resend, command)
        .then(resent(30, 2, POLICY, Channel.EMAIL))
        .leaving(channels=(Channel.SMS, Channel.WHATSAPP), undispatched={2: (Channel.EMAIL,)})
    )


def test_a_resend_inside_the_cooldown_is_refused() -> None:
    """PENDING, inside the cooldown: resend_cooldown, with the rest of it rounded up."""
    sent = given(issued(), dispatched(1))

    refusal = sent.when(resend, ask_for_resend(12.5)).refuses(ResendCooldownError)
    sent.when(resend, ask_for_resend(29.999)).refuses(ResendCooldownError)

    assert {"retryAfterSeconds": 18} == refusal.details


def test_the_cooldown_starts_with_the_record_of_the_last_send() -> None:
    """The cooldown runs from the create or resend, whenever the providers answered."""
    given(issued(), dispatched(9)).when(resend, ask_for_resend(30)).then(resent(30))
    given(issued(), resent(30)).when(resend, ask_for_resend(59)).refuses(ResendCooldownError)
    given(issued(), resent(30)).when(resend, ask_for_resend(60)).then(resent(60, 3))


def test_the_wait_is_never_longer_than_the_cooldown() -> None:
    """After a step back of the clock, resend_cooldown still names no more than the cooldown."""
    stepped_back = given(issued(), dispatched(1)).when(resend, ask_for_resend(-3600))

    assert {"retryAfterSeconds": COOLDOWN} == stepped_back.refuses(ResendCooldownError).details


def test_without_a_cooldown_a_resend_goes_at_once() -> None:
    """A resendCooldown of 0s refuses nothing."""
    at_once = attrs.evolve(POLICY, resend_cooldown=Duration("0s"))

    given(issued()).when(resend, ask_for_resend(0, at_once)).then(resent(0, 2, at_once))


@pytest.mark.parametrize("no", [refused(), stayed_silent()], ids=["rejected", "timed out"])
def test_a_502_gives_the_cooldown_back(no: ChannelOutcome) -> None:
    """When every channel rejects a resend, the PIN stays PENDING and may be resent at once."""
    (
        given(issued(), dispatched(1), resent(30), dispatched(31, no, issue=2))
        .when(resend, ask_for_resend(31))
        .then(resent(31, 3))
    )


def test_the_resend_after_a_502_has_a_cooldown_of_its_own() -> None:
    """The next resend spends the cooldown that a 502 gave back."""
    after_502 = (issued(), dispatched(1), resent(30), dispatched(31, refused(), issue=2))

    (given(*after_502, resent(31, 3)).when(resend, ask_for_resend(32)).refuses(ResendCooldownError))


def test_one_channel_that_takes_it_spends_the_cooldown() -> None:
    """A resend that one channel accepted is no 502, whatever the others answered."""
    mixed = dispatched(31, refused(), took(Channel.EMAIL), issue=2)

    (
        given(issued(), dispatched(1), resent(30), mixed)
        .when(resend, ask_for_resend(32))
        .refuses(ResendCooldownError)
    )


def test_an_unknown_outcome_spends_the_cooldown() -> None:
    """A dispatch that was interrupted may have arrived: its limits stay spent."""
    (
        given(issued(), dispatched(1), resent(30), dispatched(40, interrupted(), issue=2))
        .when(resend, ask_for_resend(41))
        .refuses(ResendCooldownError)
    )


def test_a_502_of_an_older_code_gives_nothing_back() -> None:
    """Only the newest send's cooldown can be given back."""
    (
        given(issued(), resent(30), dispatched(31, refused(), issue=1))
        .when(resend, ask_for_resend(32))
        .refuses(ResendCooldownError)
    )


def test_an_expired_pin_goes_back_to_pending() -> None:
    """Resend is allowed on an expired PIN, and takes it back to PENDING."""
    (
        given(issued(), dispatched(1), expired(600))
        .when(resend, ask_for_resend(601))
        .then(resent(601))
        .leaving(life=Pending())
    )


def test_a_resend_records_an_expiry_that_it_is_the_first_to_meet() -> None:
    """A resend past expiry has two events: the old code expired, then the new one."""
    (
        given(issued(), dispatched(1))
        .when(resend, ask_for_resend(600))
        .then(expired(600), resent(600))
        .leaving(life=Pending(), issue=2)
    )


def test_the_new_code_of_an_expired_pin_verifies() -> None:
    """The expiry of one code says nothing of the next."""
    (
        given(issued(), expired(600), resent(601))
        .when(verify, right_guess(602))
        .then(verified(602, issue=2))
    )


def test_the_newest_code_is_the_only_live_one_even_after_a_502() -> None:
    """A rejected resend does not bring the last code back: its hash is gone."""
    pin = state_after(issued(), dispatched(1), resent(30), dispatched(31, refused(), issue=2))

    assert Pending() == pin.life
    assert "1$hash-two" == pin.code_hash


def test_a_verified_pin_refuses() -> None:
    """VERIFIED, resend: pin_already_verified."""
    (
        given(issued(), dispatched(1), verified(2))
        .when(resend, ask_for_resend(30))
        .refuses(PinAlreadyVerifiedError)
    )


def test_a_blocked_pin_refuses() -> None:
    """Blocked, resend: pin_blocked."""
    given(issued(), blocked(2)).when(resend, ask_for_resend(30)).refuses(PinBlockedError)


def test_a_superseded_pin_refuses_and_says_so() -> None:
    """A resend on a superseded PIN is pin_expired with the reason `superseded`."""
    sent = given(issued(), dispatched(1), superseded(2))

    refusal = sent.when(resend, ask_for_resend(30)).refuses(PinExpiredError)

    assert {"reason": "superseded"} == refusal.details


def test_a_pin_that_no_channel_took_is_unknown() -> None:
    """The caller got no id of a PIN whose create ended in a 502: pin_not_found."""
    (
        given(issued(), dispatched(1, refused()))
        .when(resend, ask_for_resend(30))
        .refuses(PinNotFoundError)
    )


def test_the_life_of_the_pin_is_looked_at_before_the_cooldown() -> None:
    """Inside the cooldown, verified, blocked and superseded are still the answer."""
    soon = ask_for_resend(2)

    given(issued(), verified(1)).when(resend, soon).refuses(PinAlreadyVerifiedError)
    given(issued(), blocked(1)).when(resend, soon).refuses(PinBlockedError)
    given(issued(), superseded(1)).when(resend, soon).refuses(PinExpiredError)


def test_the_first_checks_can_be_asked_alone() -> None:
    """A resend that no template could allow is refused before its template is read."""
    with pytest.raises(PinAlreadyVerifiedError):
        require_resendable(state_after(issued(), verified(1)))
    with pytest.raises(PinBlockedError):
        require_resendable(state_after(issued(), blocked(1)))
    with pytest.raises(PinNotFoundError):
        require_resendable(state_after(issued(), dispatched(1, refused())))
    with pytest.raises(PinExpiredError):
        require_resendable(state_after(issued(), superseded(1)))


def test_an_expired_pin_is_resendable() -> None:
    """The first checks let PENDING and EXPIRED pass, inside the cooldown, too."""
    pin = state_after(issued(), expired(600))
    require_resendable(pin)
    require_resendable(state_after(issued()))

    assert Expired() == pin.life
