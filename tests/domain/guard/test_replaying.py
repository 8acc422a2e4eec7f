"""A policy replayed over recorded sends (guard.md section 2)."""

from datetime import UTC, datetime, timedelta
from typing import Any

import attrs
import pytest

from watchword.domain.channel import Channel
from watchword.domain.guard import (
    Budgeted,
    DestinationVerdict,
    GuardPolicy,
    Mode,
    RecordedSend,
    Replay,
    Rule,
    Sends,
    Unverified,
)
from watchword.domain.rate_limit import Duration, Rate

NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)
OFF = Budgeted(mode=Mode.OFF)
# Three sends an hour into one prefix, and nothing else.
THREE = GuardPolicy(
    guesses=OFF,
    unverified=Unverified(
        country=OFF, prefix=Budgeted(mode=Mode.ENFORCE, limit=Rate("3/1h")), ip=OFF
    ),
)


def send(number: int, *, at: datetime = NOON, prefix: str = "9891234", **more: Any) -> RecordedSend:
    """Return the send of the PIN with a number, to a person of its own."""
    plain = RecordedSend(
        at=at,
        pin_id=f"pin_{number}",
        account_id="acc_1",
        person_id=f"per_{number}",
        channels=(Channel.SMS,),
        country="IR",
        prefix=prefix,
        attempts=5,
        expires_at=at + timedelta(minutes=10),
    )
    return attrs.evolve(plain, **more)


def after(seconds: float) -> datetime:
    """Return a time after noon."""
    return NOON + timedelta(seconds=seconds)


def test_a_prefix_is_refused_from_the_send_after_its_limit_on() -> None:
    """Given three sends into a prefix, the fourth is refused, and another prefix is not."""
    replay = Replay(THREE)

    verdicts = [replay.sent(send(number)) for number in range(5)]

    assert verdicts == [None, None, None, Rule.PREFIX, Rule.PREFIX]
    assert None is replay.sent(send(9, prefix="9895678"))


def test_a_verification_gives_back_what_its_pin_counted() -> None:
    """Given a full prefix, a verification of one of its PINs makes room for one send."""
    replay = Replay(THREE)
    for number in range(3):
        replay.sent(send(number))

    assert replay.verified("pin_1", after(5))

    assert None is replay.sent(send(4, at=after(6)))
    assert replay.sent(send(5, at=after(7))) is Rule.PREFIX


def test_a_verification_gives_back_no_send_of_the_account() -> None:
    """The limits of `sends` count all sends, verified or not."""
    account = Sends(account=Budgeted(mode=Mode.ENFORCE, limit=Rate("2/1h")))
    replay = Replay(attrs.evolve(THREE, sends=account))
    for number in range(2):
        replay.sent(send(number))

    replay.verified("pin_1", after(5))

    assert replay.sent(send(2, at=after(6))) is Rule.ACCOUNT


def test_what_follows_from_a_refused_send_alone_counts_nothing() -> None:
    """A verification of a PIN that the policy would have refused makes no room, and earns no pass."""
    replay = Replay(THREE)
    for number in range(4):
        replay.sent(send(number))

    assert not replay.verified("pin_3", after(5))

    assert replay.sent(send(4, at=after(6))) is Rule.PREFIX
    assert replay.sent(send(3, at=after(7))) is Rule.PREFIX


def test_a_destination_that_was_verified_lately_passes() -> None:
    """For ninety days after a verification the destination is neither refused nor counted."""
    replay = Replay(attrs.evolve(THREE, verified_pass=Duration("90d")))
    for number in range(3):
        replay.sent(send(number))
    replay.verified("pin_0", after(5))
    replay.sent(send(4, at=after(6)))

    assert replay.sent(send(5, at=after(7))) is Rule.PREFIX
    assert None is replay.sent(send(0, at=after(8)))
    assert None is replay.sent(send(0, at=after(9)))


def test_a_pass_ends() -> None:
    """After the span of the policy the destination counts again."""
    replay = Replay(THREE)
    replay.sent(send(0))
    replay.verified("pin_0", NOON)
    late = NOON + timedelta(days=90)

    verdicts = [replay.sent(send(0, at=late)) for _ in range(4)]

    assert verdicts == [None, None, None, Rule.PREFIX]


def test_a_recorded_rule_refuses_nothing_and_an_enforced_one_counts_its_flagged_sends() -> None:
    """A flagged send is let through, and counts in the budgets of enforced rules alone (D-412)."""
    account = Sends(account=Budgeted(mode=Mode.ENFORCE, limit=Rate("6/1h")))
    recorded = Unverified(
        country=OFF, prefix=Budgeted(mode=Mode.RECORD, limit=Rate("3/1h")), ip=OFF
    )
    replay = Replay(attrs.evolve(THREE, unverified=recorded, sends=account))

    verdicts = [replay.sent(send(number)) for number in range(5)]
    elsewhere = [replay.sent(send(number, prefix="9895678")) for number in range(5, 7)]

    assert verdicts == [None] * 5
    assert elsewhere == [None, Rule.ACCOUNT]


def test_a_number_that_may_not_be_sent_to_is_refused_before_its_budgets() -> None:
    """The rules about numbers themselves come first; a number that they flag counts where it is enforced."""
    replay = Replay(THREE)
    flagged = DestinationVerdict(flags=(Rule.NUMBERS,))
    for number in range(3):
        assert None is replay.sent(send(number, outright=flagged))

    assert replay.sent(send(3)) is Rule.PREFIX
    assert replay.sent(send(6, outright=DestinationVerdict(Rule.COUNTRIES))) is Rule.COUNTRIES


@pytest.mark.parametrize(("attempts", "told"), [(1, 3), (5, 6)])
def test_guesses_count_over_all_pins_of_a_destination(attempts: int, told: int) -> None:
    """A destination over the limit of wrong guesses is refused; one PIN may be guessed to its end."""
    policy = attrs.evolve(
        THREE,
        unverified=Unverified(country=OFF, prefix=OFF, ip=OFF),
        guesses=Budgeted(mode=Mode.ENFORCE, limit=Rate("3/1d")),
    )
    replay = Replay(policy)
    ours: dict[str, Any] = {"person_id": "per_1", "attempts": attempts}
    for number in range(told):
        assert None is replay.sent(send(number, **ours))
        replay.guessed_wrong(f"pin_{number}", after(number))

    assert replay.sent(send(9, at=after(60), **ours)) is Rule.GUESSES
    assert not replay.verified("pin_0", after(61))
    assert None is replay.sent(send(10, at=after(62)))


def test_a_right_code_sets_the_guesses_back_to_none() -> None:
    """After a verification the destination has all its guesses again."""
    policy = attrs.evolve(THREE, guesses=Budgeted(mode=Mode.ENFORCE, limit=Rate("3/1d")))
    replay = Replay(policy)
    replay.sent(send(1, attempts=2))
    for second in range(2):
        replay.guessed_wrong("pin_1", after(second))
    assert replay.verified("pin_1", after(3))
    replay.sent(send(2, person_id="per_1", attempts=2))
    for second in range(2):
        replay.guessed_wrong("pin_2", after(second))

    assert None is replay.sent(send(3, at=after(60), person_id="per_1", attempts=2))


def test_a_test_destination_counts_in_no_rule_but_guesses() -> None:
    """Sends to test destinations fill no prefix, and a full prefix does not refuse them."""
    replay = Replay(THREE)
    for number in range(9):
        assert None is replay.sent(send(number, test=True))

    verdicts = [replay.sent(send(number)) for number in range(10, 14)]

    assert verdicts == [None, None, None, Rule.PREFIX]
    assert None is replay.sent(send(20, test=True))


def test_a_resend_that_is_refused_revives_no_code() -> None:
    """After it the old code ends when it would have ended, and has the attempts that it had."""
    replay = Replay(THREE)
    for number in range(3):
        replay.sent(send(number))
    again = after(500)
    assert replay.sent(send(0, at=again, attempts=9, expires_at=after(1100))) is Rule.PREFIX
    assert replay.sent(send(1, at=again, attempts=9, expires_at=after(1100))) is Rule.PREFIX
    for second in range(6):
        replay.guessed_wrong("pin_1", after(501 + second))

    assert not replay.verified("pin_0", after(601))
    assert not replay.verified("pin_1", after(599))
    assert replay.verified("pin_2", after(599))


def test_a_released_subject_counts_from_none() -> None:
    """A released prefix has all its sends again, under whatever window it was counted."""
    replay = Replay(THREE)
    for number in range(3):
        replay.sent(send(number))

    replay.released(Rule.PREFIX, "acc_1", "9891234")

    assert None is replay.sent(send(4))


def test_the_recorded_baseline_limits_a_country() -> None:
    """The adaptive limit is the one on the log; before the first, a country has fifty a day."""
    country = Unverified(country=Budgeted(mode=Mode.ENFORCE), prefix=OFF, ip=OFF)
    replay = Replay(attrs.evolve(THREE, unverified=country))
    verdicts = [replay.sent(send(number)) for number in range(51)]
    replay.baseline("IR", 52)

    assert [*[None] * 50, Rule.COUNTRY] == verdicts
    assert None is replay.sent(send(60))


def test_old_sends_and_pins_are_dropped() -> None:
    """A replay of many sends keeps what a window or a code still reaches, and no more."""
    replay = Replay(THREE)
    for number in range(25_000):
        replay.sent(send(number, at=after(number * 60), prefix=str(number)))

    assert replay.size < 22_000


def test_old_sends_are_dropped_a_few_at_a_time() -> None:
    """One send never drops many, which would hold up a service; as many sends later all are gone (C-94)."""
    replay = Replay(THREE)
    for number in range(1_000):
        replay.sent(send(number, prefix=str(number)))
    # Three days later no window and no code reaches them.
    late = after(3 * 86_400)

    before = replay.size
    replay.sent(send(1_000, at=late))
    assert before - 20 <= replay.size < before
    for number in range(1_001, 2_000):
        replay.sent(send(number, at=late, prefix=str(number)))

    assert replay.size < before + 10
