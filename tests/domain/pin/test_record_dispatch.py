"""Recording the channels' outcomes of a code, or an unknown one (SPEC section 3, C-15, C-68)."""

import attrs
import pytest

from tests.domain.pin.story import (
    POLICY,
    TEAPOT,
    blocked,
    dispatched,
    expired,
    gives_up_live_code,
    interrupted,
    issued,
    known_by_its_id,
    owns_live_code,
    recording,
    recovery,
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
from watchword.domain.event import Event
from watchword.domain.pin import (
    Blocked,
    DispatchFailed,
    Expired,
    Pending,
    PinStatus,
    Superseded,
    Verified,
    record_dispatch,
    recover_dispatch,
    verify,
)


def test_an_acceptance_makes_the_pin_the_one_live_code() -> None:
    """At least one channel accepted: PENDING, and the PINs that it displaces retire with it."""
    (
        given(issued())
        .when(record_dispatch, recording(1, retiring=frozenset({TEAPOT})))
        .then(dispatched(1))
        .on_condition(owns_live_code(TEAPOT), known_by_its_id())
        .leaving(life=Pending(), outcomes=(took(),), undispatched={})
    )


def test_one_acceptance_among_rejections_is_enough() -> None:
    """A create that some channel took is a success; the outcomes name the rejected ones."""
    mixed = (refused(), stayed_silent(Channel.WHATSAPP), took(Channel.EMAIL))

    (
        given(issued(POLICY, Channel.SMS, Channel.WHATSAPP, Channel.EMAIL))
        .when(record_dispatch, recording(1, *mixed))
        .then(dispatched(1, *mixed))
        .on_condition(owns_live_code(), known_by_its_id(channel=Channel.EMAIL))
        .leaving(life=Pending(), outcomes=mixed)
    )


def test_a_create_that_every_channel_rejects_leaves_no_pin() -> None:
    """Every channel certainly did not take it: DISPATCH_FAILED, and no claim to the live code."""
    outcomes = (refused(), refused(Channel.EMAIL))

    (
        given(issued())
        .when(record_dispatch, recording(1, *outcomes))
        .then(dispatched(1, *outcomes))
        .on_condition(gives_up_live_code())
        .leaving(life=DispatchFailed())
    )
    assert PinStatus.DISPATCH_FAILED == state_after(issued(), dispatched(1, *outcomes)).status_at(
        second(2)
    )


@pytest.mark.parametrize(
    "outcomes",
    [(stayed_silent(),), (refused(), stayed_silent(Channel.EMAIL))],
    ids=["timed out", "rejected and timed out"],
)
def test_a_create_of_which_nobody_knows_leaves_a_live_pin(
    outcomes: tuple[ChannelOutcome, ...],
) -> None:
    """The code may have arrived: PENDING, the one live code, and no cooldown for a resend (C-99)."""
    (
        given(issued())
        .when(record_dispatch, recording(1, *outcomes, retiring=frozenset({TEAPOT})))
        .then(dispatched(1, *outcomes))
        .on_condition(owns_live_code(TEAPOT))
        .leaving(life=Pending(), sent_at=None)
    )
    given(issued(), dispatched(1, *outcomes)).when(verify, right_guess(2)).then(verified(2))


def test_an_unknown_resend_takes_the_live_code_and_gives_the_cooldown_back() -> None:
    """Like an acceptance, it revives a superseded PIN (C-68, C-99)."""
    (
        given(issued(), dispatched(1), resent(30), superseded(31))
        .when(
            record_dispatch, recording(32, stayed_silent(), issue=2, retiring=frozenset({TEAPOT}))
        )
        .on_condition(owns_live_code(TEAPOT))
        .leaving(life=Pending(), sent_at=None)
    )


def test_one_acceptance_beside_an_unknown_outcome_keeps_the_cooldown() -> None:
    """The caller has an answer that says accepted: there is no hurry to send again."""
    given(issued()).when(
        record_dispatch, recording(1, took(), stayed_silent(Channel.EMAIL))
    ).leaving(life=Pending(), sent_at=second(0))


def test_one_rejection_beside_an_interrupted_dispatch_is_no_502() -> None:
    """While the code may have arrived by some channel, the PIN stays PENDING and in the running."""
    half_known = (refused(), interrupted(Channel.EMAIL))

    (
        given(issued(POLICY, Channel.SMS, Channel.EMAIL))
        .when(record_dispatch, recording(1, *half_known))
        .then(dispatched(1, *half_known))
        .on_condition()
        .leaving(life=Pending())
    )


def test_a_502_retires_nothing() -> None:
    """A rejected create or resend leaves the other PINs of the destination alone."""
    rivals = frozenset({TEAPOT})

    (
        given(issued())
        .when(record_dispatch, recording(1, refused(), retiring=rivals))
        .on_condition(gives_up_live_code())
    )
    (
        given(issued(), dispatched(1), resent(30))
        .when(record_dispatch, recording(31, refused(), issue=2, retiring=rivals))
        .on_condition()
    )


def test_a_rejected_resend_leaves_the_pin_pending() -> None:
    """Every channel rejects the resend: the PIN stays PENDING, and keeps its subjects."""
    (
        given(issued(), dispatched(1), resent(30))
        .when(record_dispatch, recording(31, refused(), issue=2))
        .then(dispatched(31, refused(), issue=2))
        .leaving(life=Pending(), outcomes=(refused(),), sent_at=None)
    )


def test_an_accepted_resend_owns_the_live_code_again() -> None:
    """The acceptance of a resend retires the others as that of a create does."""
    (
        given(issued(), dispatched(1), resent(30))
        .when(record_dispatch, recording(31, issue=2, retiring=frozenset({TEAPOT})))
        .on_condition(owns_live_code(TEAPOT), known_by_its_id())
    )


def test_a_superseded_pin_in_flight_is_revived_by_its_own_acceptance() -> None:
    """The acceptance that commits last owns the live code, also when it was superseded before."""
    (
        given(issued(), dispatched(1), resent(30), superseded(31))
        .when(record_dispatch, recording(32, issue=2, retiring=frozenset({TEAPOT})))
        .then(dispatched(32, issue=2))
        .on_condition(owns_live_code(TEAPOT), known_by_its_id())
        .leaving(life=Pending())
    )
    (given(issued(), superseded(1), dispatched(2)).when(verify, right_guess(3)).then(verified(3)))


def test_a_superseded_resend_that_is_rejected_stays_superseded() -> None:
    """Only an acceptance undoes superseding."""
    (
        given(issued(), dispatched(1), resent(30), superseded(31))
        .when(record_dispatch, recording(32, refused(), issue=2))
        .on_condition()
        .leaving(life=Superseded(TEAPOT))
    )


def test_a_superseded_create_that_is_rejected_was_never_there() -> None:
    """A create that was superseded in flight and then rejected everywhere is DISPATCH_FAILED."""
    (
        given(issued(), superseded(1))
        .when(record_dispatch, recording(2, refused()))
        .leaving(life=DispatchFailed())
    )


@pytest.mark.parametrize(
    ("end", "life"),
    [(verified(1), Verified()), (blocked(1), Blocked())],
    ids=["verified", "blocked"],
)
def test_an_outcome_does_not_move_what_is_final(end: Event, life: object) -> None:
    """A verified or blocked PIN stays so, and neither takes nor loses the live code."""
    for outcome, conditions in (took(), [known_by_its_id()]), (refused(), []):
        (
            given(issued(), end)
            .when(record_dispatch, recording(2, outcome, retiring=frozenset({TEAPOT})))
            .then(dispatched(2, outcome))
            .on_condition(*conditions)
            .leaving(life=life)
        )


def test_an_acceptance_does_not_undo_an_expiry() -> None:
    """A code that expired in flight stays expired, but owns the live code."""
    (
        given(issued(), expired(600))
        .when(record_dispatch, recording(601))
        .on_condition(owns_live_code(), known_by_its_id())
        .leaving(life=Expired())
    )


def test_a_create_that_expired_in_flight_and_was_rejected_was_never_there() -> None:
    """Its caller got no id, so it is DISPATCH_FAILED at any time."""
    (
        given(issued(), expired(600))
        .when(record_dispatch, recording(601, refused()))
        .on_condition(gives_up_live_code())
        .leaving(life=DispatchFailed())
    )


def test_a_revival_does_not_undo_an_expiry() -> None:
    """An expiry that was met holds through superseding and revival: it is an event once."""
    (
        given(issued(), dispatched(1), resent(30), expired(630, issue=2), superseded(631))
        .when(record_dispatch, recording(632, issue=2))
        .leaving(life=Expired())
    )


def test_a_late_outcome_of_an_older_code_does_not_hide_the_newest() -> None:
    """The outcomes shown are the newest code's; an older one's are in the history alone."""
    (
        given(issued(), resent(30), dispatched(31, refused(), issue=2))
        .when(record_dispatch, recording(32, took(Channel.EMAIL), issue=1))
        .then(dispatched(32, took(Channel.EMAIL), issue=1))
        .leaving(outcomes=(refused(),), undispatched={})
    )


def test_an_acceptance_of_a_replaced_code_owns_nothing() -> None:
    """The late acceptance of a replaced code retires and revives nothing."""
    (
        given(issued(), resent(30), superseded(31))
        .when(record_dispatch, recording(32, issue=1))
        .then(dispatched(32, issue=1))
        .on_condition(known_by_its_id())
        .leaving(life=Superseded(TEAPOT))
    )


def test_a_rejection_of_the_first_code_does_not_fail_a_pin_that_was_resent() -> None:
    """A newer code was sent, so the PIN lives on."""
    (
        given(issued(), resent(30))
        .when(record_dispatch, recording(31, refused(), issue=1))
        .on_condition()
        .leaving(life=Pending(), undispatched={2: (Channel.SMS,)})
    )


def test_recovery_says_unknown_of_every_channel() -> None:
    """A dispatch whose process died: every channel `unknown`, PENDING, limits spent."""
    unknown = dispatched(60, interrupted(), interrupted(Channel.EMAIL))

    (
        given(issued(POLICY, Channel.SMS, Channel.EMAIL))
        .when(recover_dispatch, recovery(60))
        .then(unknown)
        .on_condition()
        .leaving(life=Pending(), outcomes=unknown.outcomes, undispatched={}, sent_at=second(0))
    )


def test_recovery_speaks_of_the_code_that_is_missing() -> None:
    """Recovery of a resend names the channels of that resend."""
    (
        given(issued(), dispatched(1), resent(30, 2, POLICY, Channel.WHATSAPP))
        .when(recover_dispatch, recovery(90, issue=2))
        .then(dispatched(90, interrupted(Channel.WHATSAPP), issue=2))
    )


def test_each_code_s_dispatch_is_recovered_alone() -> None:
    """A resend does not make the dispatch of the first code forgotten."""
    (
        given(issued(), resent(30))
        .when(recover_dispatch, recovery(60, issue=1))
        .then(dispatched(60, interrupted(), issue=1))
        .leaving(outcomes=(), undispatched={2: (Channel.SMS,)})
    )


def test_recovery_is_late_when_somebody_reported() -> None:
    """With a recorded outcome, or without such a dispatch, nothing happens."""
    given(issued(), dispatched(1)).when(recover_dispatch, recovery(60)).nothing()
    given(issued(), dispatched(1)).when(recover_dispatch, recovery(60, issue=2)).nothing()
    given(issued(), dispatched(9, interrupted())).when(recover_dispatch, recovery(60)).nothing()


def test_an_outcome_that_comes_after_the_recovery_still_counts() -> None:
    """A process that was slow, not dead, has the last word on its own dispatch."""
    recovered = (issued(), dispatched(60, interrupted()))

    (
        given(*recovered)
        .when(record_dispatch, recording(61))
        .then(dispatched(61))
        .on_condition(owns_live_code(), known_by_its_id())
        .leaving(life=Pending(), outcomes=(took(),))
    )
    given(*recovered).when(record_dispatch, recording(61, refused())).leaving(life=DispatchFailed())


def test_a_recovered_pin_can_be_verified() -> None:
    """The code may have arrived; if it did, it verifies."""
    (
        given(issued(), dispatched(60, interrupted()))
        .when(verify, right_guess(61))
        .then(verified(61))
    )


def test_the_outcome_of_a_test_says_so() -> None:
    """Recorded or recovered, for the code that was made for a test destination, and for no other (C-79)."""
    test = attrs.evolve(issued(), test=True)

    given(test).when(record_dispatch, recording(1)).then(attrs.evolve(dispatched(1), test=True))
    given(test, resent(60)).when(recover_dispatch, recovery(61)).then(
        attrs.evolve(dispatched(61, interrupted()), test=True)
    )
    given(test, resent(60)).when(record_dispatch, recording(61, issue=2)).then(
        dispatched(61, issue=2)
    )
