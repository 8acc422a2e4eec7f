"""What the decisions about a PIN count in the guard's budgets, and give back to them (C-76, C-102)."""

from __future__ import annotations

from datetime import timedelta

import attrs

from tests.domain.pin.story import (
    GUEST,
    KETTLE,
    LIVE_CODE,
    POLICY,
    TEA_HOUSE,
    ask_for_pin,
    ask_for_resend,
    blocked,
    failed,
    gives_up_live_code,
    issued,
    resent,
    right_guess,
    second,
    verified,
    wrong_guess,
)
from tests.specs import given, state_after
from watchword.domain.conditions import (
    GiveBack,
    Hold,
    PersonLives,
    StartAnew,
    Verifies,
    WithinBudget,
    WithinRate,
)
from watchword.domain.guard import Guarded, GuessesLimit, Rule, budget_of
from watchword.domain.pin import PinIssued, VerifyPin, issue, resend, verify
from watchword.domain.pin.redeciding import redecide
from watchword.domain.rate_limit import Duration, Rate

ORCHID = "account-orchid"
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
COUNTRY = budget_of(Rule.COUNTRY, ORCHID, "IN", DAY)
PREFIX = budget_of(Rule.PREFIX, ORCHID, "hmac-prefix", HOUR)
IP = budget_of(Rule.IP, ORCHID, "hmac-ip", HOUR)
GUESSES = budget_of(Rule.GUESSES, ORCHID, GUEST, DAY)
ALL_COUNTED = ("unverified.country/1d", "unverified.prefix/1h", "unverified.ip/1h")
LIMIT = GuessesLimit(GUESSES, Rate("50/1d"))
TRIED = WithinBudget(GUESSES, LIMIT.rate, second(0), "guesses", counted=False)
SENT = WithinBudget(PREFIX, Rate("20/1h"), second(0), "unverified.prefix")
RATES = (
    WithinRate(f"sends:{TEA_HOUSE}", POLICY.send_pin_per_template_limit, second(0)),
    WithinRate(f"sends:{TEA_HOUSE}:{GUEST}", POLICY.send_pin_per_phone_number_limit, second(0)),
)


def counted_in(*texts: str) -> PinIssued:
    """Return a create that budgets counted."""
    return attrs.evolve(issued(), country="IN", context_ip="hmac-ip", counted=texts)


def guess(at: float, *, matched: bool, over: bool = False) -> VerifyPin:
    """Judge a guess against a destination whose wrong guesses are limited."""
    limit = attrs.evolve(LIMIT, over=over)
    return VerifyPin(
        at=second(at), pin_id=KETTLE, matched=matched, guesses=limit, prefix="hmac-prefix"
    )


def test_a_create_is_checked_in_the_order_of_its_refusals() -> None:
    """Guesses, then the rates of the template, then the budgets: the first that refuses is named."""
    guarded = Guarded(before=(TRIED,), after=(SENT,))
    command = attrs.evolve(ask_for_pin(), guarded=guarded)

    given().when(issue, command).on_condition(TRIED, *RATES, SENT, Hold(LIVE_CODE, KETTLE))


def test_a_resend_is_checked_as_a_create() -> None:
    """It is a send like any other."""
    guarded = Guarded(before=(TRIED,), after=(SENT,))
    command = attrs.evolve(ask_for_resend(30), guarded=guarded)
    rates = [attrs.evolve(each, at=second(30)) for each in RATES]

    given(issued()).when(resend, command).on_condition(TRIED, *rates, SENT, PersonLives(GUEST))


def test_a_send_says_what_counted_it_and_what_would_have_refused_it() -> None:
    """The event alone tells a replay, an audit and another node (D-380)."""
    create = attrs.evolve(
        ask_for_pin(),
        country="IN",
        context_ip="hmac-ip",
        context_user_agent="hmac-agent",
        guarded=Guarded(counted=ALL_COUNTED),
    )
    again = attrs.evolve(ask_for_resend(30), guarded=Guarded(flags=("unverified.prefix",)))

    (created,) = given().when(issue, create).decision().events
    (sent_again,) = given(created).when(resend, again).decision().events

    assert created == attrs.evolve(counted_in(*ALL_COUNTED), context_user_agent="hmac-agent")
    assert sent_again == attrs.evolve(resent(30), flags=("unverified.prefix",))


def test_an_audit_decides_the_same_again() -> None:
    """Of a create and of a resend, with everything that the guard found (D-157)."""
    create = attrs.evolve(counted_in(*ALL_COUNTED), test=True, context_user_agent="hmac-agent")
    again = attrs.evolve(resent(30), flags=("numbers",), counted=("sends.account/1d",))

    assert (create,) == redecide(None, create).events
    assert (again,) == redecide(state_after(create), again).events


def test_an_audit_knows_codes_that_live_for_years() -> None:
    """And those that live for less than a second: a template may set both (C-16)."""
    for lives_for in ("3660d", "500ms"):
        create = issued(attrs.evolve(POLICY, pin_time_to_live=Duration(lives_for)))

        assert (create,) == redecide(None, create).events


def test_a_wrong_guess_counts_against_the_destination() -> None:
    """Also the one that blocks the PIN: it was judged, too (guard rules)."""
    counts = WithinBudget(GUESSES, LIMIT.rate, second(1), "guesses")
    last = attrs.evolve(counts, at=second(4))
    spent = (failed(1, left=2), failed(2, left=1), failed(3, left=0))

    (
        given(issued())
        .when(verify, guess(1, matched=False))
        .then(failed(1, left=2))
        .on_condition(counts)
    )
    (
        given(issued(), *spent)
        .when(verify, guess(4, matched=False))
        .then(blocked(4))
        .on_condition(last, gives_up_live_code())
    )


def test_a_right_guess_must_be_within_the_limit_and_starts_it_anew() -> None:
    """Over it, nobody learns that the guess was right: the append is refused like a wrong one's."""
    (
        given(issued())
        .when(verify, guess(1, matched=True))
        .then(verified(1))
        .on_condition(
            WithinBudget(GUESSES, LIMIT.rate, second(1), "guesses", counted=False),
            StartAnew(GUESSES),
            Verifies(GUEST, second(1)),
            gives_up_live_code(),
        )
    )


def test_a_guess_over_a_recorded_limit_is_judged_and_not_counted() -> None:
    """The limit is on the record: the verdict is told, and a right one still starts it anew."""
    over = WithinBudget(GUESSES, LIMIT.rate, second(1), "guesses", counted=False, over=True)

    given(issued()).when(verify, guess(1, matched=False, over=True)).on_condition(over)
    (
        given(issued())
        .when(verify, guess(1, matched=True, over=True))
        .on_condition(over, StartAnew(GUESSES), Verifies(GUEST, second(1)), gives_up_live_code())
    )


def test_a_verification_gives_back_every_send_of_the_pin() -> None:
    """Each in the bucket that counted it, under the window of that time."""
    again = attrs.evolve(resent(7200), counted=("unverified.country/1d", "unverified.prefix/1h"))

    decision = (
        given(counted_in(*ALL_COUNTED), again).when(verify, guess(7201, matched=True)).decision()
    )

    assert [
        GiveBack(COUNTRY, DAY, second(0)),
        GiveBack(PREFIX, HOUR, second(0)),
        GiveBack(IP, HOUR, second(0)),
        GiveBack(COUNTRY, DAY, second(7200)),
        GiveBack(PREFIX, HOUR, second(7200)),
    ] == [each for each in decision.conditions if isinstance(each, GiveBack)]


def test_what_counts_all_sends_is_not_given_back() -> None:
    """`sends.account` and `sends.channels` count whether anybody verifies or not."""
    (
        given(counted_in("sends.account/1d", "sends.channels/1d"))
        .when(verify, right_guess(1))
        .on_condition(Verifies(GUEST, second(1)), gives_up_live_code())
    )


def test_a_prefix_that_nobody_can_name_any_more_is_not_given_back() -> None:
    """The number of an erased person cannot be read; the country is in the open."""
    decision = (
        given(counted_in("unverified.country/1d", "unverified.prefix/1h"))
        .when(verify, right_guess(1))
        .decision()
    )

    assert GiveBack(COUNTRY, DAY, second(0)) == decision.conditions[0]
    assert Verifies(GUEST, second(1)) == decision.conditions[1]


def test_a_test_earns_no_pass() -> None:
    """A test destination verifies as any, but is not known as verified (C-103)."""
    (
        given(attrs.evolve(issued(), test=True))
        .when(verify, right_guess(1))
        .then(verified(1))
        .on_condition(gives_up_live_code())
    )


def test_without_a_policy_a_guess_is_only_judged() -> None:
    """With the rule off, a wrong guess checks and counts nothing."""
    given(counted_in(*ALL_COUNTED)).when(verify, wrong_guess(1)).on_condition()


def test_the_attempts_of_the_newest_code_are_kept() -> None:
    """The limit of guesses goes by them, however many are left (C-102)."""
    generous = attrs.evolve(POLICY, pin_attempts=9)
    pin = state_after(issued(), failed(1, left=2), resent(30, policy=generous), failed(31, left=8))

    assert (9, 8) == (pin.attempts, pin.attempts_remaining)
