"""Arm a run: C-19, C-20, C-23."""

import attrs
import pytest

from tests.domain.fallback_run.story import RCS, SMS, WAIT, armed, order, second
from tests.specs import given, state_after
from watchword.domain.event import personal_fields, secret_fields
from watchword.domain.fallback_run import (
    FallbackArmed,
    FallbackStep,
    RunStatus,
    StepStatus,
    Waiting,
    arm,
)
from watchword.domain.message import SmsContent


def test_a_run_waits_for_its_primary_until_the_deadline() -> None:
    """The deadline is a waittime from now; message, configuration and steps stand in the event."""
    given().when(arm, order(SMS, RCS)).then(armed(SMS, RCS)).on_condition()
    run = state_after(armed(SMS, RCS))

    assert Waiting(1, second(WAIT)) == run.life
    assert second(WAIT) == run.deadline
    assert RunStatus.ARMED == run.status
    assert [StepStatus.ARMED] * 2 == [step.status for step in run.steps]
    assert "msg_whatsapp" == run.live_message_id


@pytest.mark.parametrize("wait", [1, 172_800])
def test_the_longest_and_the_shortest_waittime(wait: int) -> None:
    """`waittime` is 1 to 172800 seconds (C-20)."""
    given().when(arm, order(SMS, wait=wait)).leaving(deadline=second(wait))


@pytest.mark.parametrize("wait", [0, -1, 172_801])
def test_no_other_waittime_is_taken(wait: int) -> None:
    """The order itself refuses any other value."""
    with pytest.raises(ValueError, match="from 1 to 172800"):
        order(SMS, wait=wait)


@pytest.mark.parametrize(
    ("ttl", "kept", "live"),
    [(None, None, WAIT), (30, 30, 30), (WAIT, None, WAIT), (WAIT + 1, None, WAIT)],
)
def test_a_run_knows_when_its_primary_ends(ttl: int | None, kept: int | None, live: int) -> None:
    """Its own time to live is kept if it is shorter; a longer one is capped at the waittime (C-20)."""
    (event,) = arm(attrs.evolve(order(SMS), ttl_seconds=ttl)).events
    assert isinstance(event, FallbackArmed)
    run = state_after(event)

    assert (kept, live) == (event.ttl_seconds, run.live_seconds)


def test_a_run_has_a_step() -> None:
    """A run that sends nothing would end silently."""
    with pytest.raises(ValueError, match="at least one"):
        order()


def test_a_step_never_holds_a_code_in_clear() -> None:
    """Content that carries a code is sealed, or refused: security fails closed (C-23)."""
    with pytest.raises(ValueError, match="seal it"):
        order(attrs.evolve(SMS, content=SmsContent(type="OTP", text="4711")))
    sealed = attrs.evolve(SMS, content=None, sealed="gAAAAABo")

    assert sealed == state_after(*arm(order(sealed)).events).steps[0].planned
    assert "gAAAAABo" not in repr(sealed)


def test_a_step_marks_what_is_personal_and_what_is_secret() -> None:
    """Histories veil it inside the event, too (C-31, C-38)."""
    assert ["recipient", "link_codes", "cust_refs"] == list(personal_fields(FallbackStep))
    assert ["sealed"] == list(secret_fields(FallbackStep))
    assert "+919812345610" not in repr(armed(SMS))
