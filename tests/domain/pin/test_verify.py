"""Verify a PIN (D3): SPEC section 3, in the order of checks of C-14."""

import attrs
import pytest

from tests.domain.pin.story import (
    GUEST,
    POLICY,
    blocked,
    dispatched,
    expired,
    failed,
    gives_up_live_code,
    issued,
    refused,
    resent,
    right_guess,
    second,
    superseded,
    verified,
    wrong_guess,
)
from tests.specs import given, state_after
from watchword.domain.conditions import Verifies
from watchword.domain.errors import RateLimitedError
from watchword.domain.event import Event
from watchword.domain.pin import (
    Blocked,
    Expired,
    Pending,
    PinAlreadyVerifiedError,
    PinBlockedError,
    PinExpiredError,
    PinNotFoundError,
    PinStatus,
    Verified,
    looks_at_code,
    verify,
)
from watchword.domain.rate_limit import Duration, Rate

CAREFUL = attrs.evolve(POLICY, verify_pin_limit=Rate("1/3s"))
ALL_SPENT: tuple[Event, ...] = (issued(), failed(1, left=2), failed(2, left=1), failed(3, left=0))


def test_the_right_code_verifies() -> None:
    """PENDING, code matches: VERIFIED, known as of then, and the destination's live code is free."""
    (
        given(issued())
        .when(verify, right_guess(1))
        .then(verified(1))
        .on_condition(Verifies(GUEST, second(1)), gives_up_live_code())
        .leaving(life=Verified())
    )


def test_a_wrong_code_costs_one_attempt() -> None:
    """PENDING, code wrong, attempts left: stays PENDING with one attempt fewer."""
    (
        given(issued())
        .when(verify, wrong_guess(1))
        .then(failed(1, left=2))
        .on_condition()
        .leaving(life=Pending(), attempts_remaining=2)
    )


def test_the_right_code_at_zero_attempts_still_verifies() -> None:
    """At zero remaining attempts the right code still verifies."""
    given(*ALL_SPENT).when(verify, right_guess(4)).then(verified(4))


def test_a_wrong_code_at_zero_attempts_blocks() -> None:
    """At zero remaining attempts the next wrong code blocks, which frees the live code."""
    (
        given(*ALL_SPENT)
        .when(verify, wrong_guess(4))
        .then(blocked(4))
        .on_condition(gives_up_live_code())
        .leaving(life=Blocked(), attempts_remaining=0)
    )


@pytest.mark.parametrize("attempts", [1, 2, 100])
def test_pin_attempts_of_n_mean_n_plus_one_guesses(attempts: int) -> None:
    """N wrong guesses fail, with N-1 to 0 attempts left; guess N+1 blocks and ends the PIN."""
    history: list[Event] = [issued(attrs.evolve(POLICY, pin_attempts=attempts))]
    for number in range(attempts + 1):
        history += verify(state_after(*history), wrong_guess(number)).events
    wrong = [failed(number, left=attempts - 1 - number) for number in range(attempts)]

    assert [*wrong, blocked(attempts)] == history[1:]
    given(*history).when(verify, right_guess(attempts + 1)).refuses(PinBlockedError)


def test_a_verified_pin_is_final() -> None:
    """VERIFIED, verify: pin_already_verified, for the right code and for a wrong one."""
    given(issued(), verified(1)).when(verify, right_guess(2)).refuses(PinAlreadyVerifiedError)
    given(issued(), verified(1)).when(verify, wrong_guess(2)).refuses(PinAlreadyVerifiedError)


def test_a_blocked_pin_is_final() -> None:
    """Blocked, verify: pin_blocked, even for the right code."""
    given(*ALL_SPENT, blocked(4)).when(verify, right_guess(5)).refuses(PinBlockedError)


def test_a_pin_that_no_channel_took_is_unknown() -> None:
    """The caller got no id of a PIN whose create ended in a 502: pin_not_found."""
    given(issued(), dispatched(1, refused())).when(verify, right_guess(2)).refuses(PinNotFoundError)


def test_expiry_is_an_event_for_the_first_call_that_meets_it() -> None:
    """Past expiry the first guess finds PinExpired, right code or wrong, and spends no attempt."""
    for guess in right_guess(600), wrong_guess(600):
        (
            given(issued())
            .when(verify, guess)
            .then(expired(600))
            .on_condition()
            .leaving(life=Expired(), attempts_remaining=3, guesses=())
        )


def test_the_last_moment_before_expiry_counts() -> None:
    """A code lives until expiresAt, and no longer."""
    given(issued()).when(verify, right_guess(599.999)).then(verified(599.999))
    given(issued()).when(verify, right_guess(600)).then(expired(600))


def test_expiry_is_recorded_once() -> None:
    """A second guess past expiry is refused with pin_expired and records nothing."""
    refusal = given(issued(), expired(600)).when(verify, wrong_guess(601)).refuses(PinExpiredError)

    assert {"reason": "expired"} == refusal.details


def test_an_expiry_holds_when_the_clock_steps_back() -> None:
    """A recorded expiry holds, even if the clock is earlier."""
    given(issued(), expired(600)).when(verify, right_guess(1)).refuses(PinExpiredError)


def test_a_superseded_pin_says_so() -> None:
    """A guess at a superseded PIN is pin_expired with the reason `superseded`."""
    refusal = given(issued(), superseded(1)).when(verify, right_guess(2)).refuses(PinExpiredError)

    assert {"reason": "superseded"} == refusal.details


def test_guesses_above_the_verify_rate_spend_no_attempt() -> None:
    """Above verifyPinLimit a guess is rate_limited: nothing is recorded, right code or wrong."""
    tried_once = given(issued(CAREFUL), failed(1, left=2))

    tried_once.when(verify, wrong_guess(3.999)).refuses(RateLimitedError)
    tried_once.when(verify, right_guess(3.999)).refuses(RateLimitedError)
    tried_once.when(verify, wrong_guess(4)).then(failed(4, left=1))


def test_rate_limited_says_when_to_come_back() -> None:
    """The refusal has the rest of the window in whole seconds, rounded up."""
    tried_once = given(issued(CAREFUL), failed(1, left=2))

    refusal = tried_once.when(verify, wrong_guess(2.5)).refuses(RateLimitedError)

    assert {"retryAfterSeconds": 2, "rule": "verify"} == refusal.details


def test_the_wait_is_never_longer_than_the_window() -> None:
    """After a step back of the clock, rate_limited still names no more than the window."""
    tried_once = given(issued(CAREFUL), failed(100, left=2))

    refusal = tried_once.when(verify, wrong_guess(1)).refuses(RateLimitedError)

    assert {"retryAfterSeconds": 3, "rule": "verify"} == refusal.details


def test_the_window_slides() -> None:
    """Two guesses in 10 s: the third waits for the first to leave, not for both."""
    pair = attrs.evolve(POLICY, verify_pin_limit=Rate("2/10s"))
    tried_twice = given(issued(pair), failed(1, left=2), failed(6, left=1))

    tried_twice.when(verify, wrong_guess(10.9)).refuses(RateLimitedError)
    tried_twice.when(verify, wrong_guess(11)).then(failed(11, left=0))
    (
        given(issued(pair), failed(1, left=2), failed(6, left=1), failed(11, left=0))
        .when(verify, right_guess(15.9))
        .refuses(RateLimitedError)
    )


def test_the_verify_rate_counts_evaluated_guesses_alone() -> None:
    """Guesses that were refused, or that met the expiry, are not among those that count."""
    brief = attrs.evolve(CAREFUL, pin_time_to_live=Duration("10s"))

    given(issued(brief), expired(10)).when(verify, wrong_guess(10.5)).refuses(PinExpiredError)
    assert (second(1),) == state_after(issued(CAREFUL), failed(1, left=2)).guesses


def test_the_verify_rate_is_not_reset_by_a_resend() -> None:
    """A guess at the last code still counts against the guesses at the new one."""
    at_once = attrs.evolve(CAREFUL, resend_cooldown=Duration("0s"))
    history = (issued(at_once), failed(1, left=2), resent(2, policy=at_once))

    given(*history).when(verify, right_guess(3)).refuses(RateLimitedError)
    given(*history).when(verify, right_guess(4)).then(verified(4, issue=2))


def test_a_resend_brings_the_verify_limit_of_the_template_along() -> None:
    """After a resend, guesses count under the limit of that resend."""
    history = (issued(CAREFUL), failed(29, left=2), resent(30))

    given(*history).when(verify, right_guess(31)).then(verified(31, issue=2))


def test_verified_and_blocked_come_before_the_verify_rate() -> None:
    """The verify rate hides neither a verified nor a blocked PIN."""
    done, dead = verified(1), blocked(1)

    given(issued(CAREFUL), done).when(verify, wrong_guess(2)).refuses(PinAlreadyVerifiedError)
    given(issued(CAREFUL), dead).when(verify, wrong_guess(2)).refuses(PinBlockedError)


def test_the_verify_rate_comes_before_the_expiry() -> None:
    """Above the rate, a guess is rate_limited, also at an expired or superseded PIN."""
    late = failed(599, left=2)

    given(issued(CAREFUL), late).when(verify, wrong_guess(600)).refuses(RateLimitedError)
    given(issued(CAREFUL), late, expired(600)).when(verify, wrong_guess(601)).refuses(
        RateLimitedError
    )
    given(issued(CAREFUL), late, superseded(600)).when(verify, wrong_guess(601)).refuses(
        RateLimitedError
    )


def test_a_guess_is_compared_only_where_the_verdict_needs_it() -> None:
    """The code is looked at while the PIN is PENDING; past expiry, hashing would be idle work."""
    pin = state_after(issued())

    assert looks_at_code(pin, second(599))
    assert not looks_at_code(pin, second(600))
    with pytest.raises(PinAlreadyVerifiedError):
        looks_at_code(state_after(issued(), verified(1)), second(2))


def test_a_guess_is_judged_on_the_newest_code() -> None:
    """The verdict names the code that it is about: the newest."""
    given(issued(), resent(30)).when(verify, wrong_guess(31)).then(failed(31, left=2, issue=2))


def test_readers_see_an_expiry_that_no_call_has_met() -> None:
    """EXPIRED is derived from the time, without an event; a verified PIN does not expire."""
    assert PinStatus.PENDING == state_after(issued()).status_at(second(599))
    assert PinStatus.EXPIRED == state_after(issued()).status_at(second(600))
    assert PinStatus.EXPIRED == state_after(issued(), superseded(1)).status_at(second(2))
    assert PinStatus.VERIFIED == state_after(issued(), verified(1)).status_at(second(600))
    assert PinStatus.BLOCKED == state_after(issued(), blocked(1)).status_at(second(600))
