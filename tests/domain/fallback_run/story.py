"""The cast of the fallback tests: the tea is ready, by WhatsApp, else by SMS, else by RCS."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from watchword.domain.channel import PROVIDER_TIMEOUT, Channel, ChannelOutcome, OutcomeStatus
from watchword.domain.channel import interrupted as interrupted_outcome
from watchword.domain.event import Event
from watchword.domain.fallback_run import (
    ArmFallback,
    AttemptEnded,
    FallbackArmed,
    FallbackDispatched,
    FallbackFired,
    FallbackRejected,
    FallbackStep,
    FallbackStoodDown,
    FallbackTriggered,
    FireStep,
    RecordStepDispatch,
    RejectStep,
    RevokeOutcome,
    TakeAttemptReceipt,
    TakeEnding,
    TakePrimaryOutcome,
    Tick,
    TriggerReason,
)
from watchword.domain.message import RcsTemplateContent, SmsContent
from watchword.domain.receipt import ReceiptStatus

PRIMARY, FIRST, SECOND = "msg_whatsapp", "msg_sms", "msg_rcs"
PERSON = "per_guest"
MESSAGES = (PRIMARY, FIRST, SECOND)
WAIT = 60
SENT, DELIVERED, READ, FAILED = ReceiptStatus
BY_FAILURE, BY_REJECTION, BY_DEADLINE = TriggerReason
REVOKED, ARRIVED, NOT_REVOKED = RevokeOutcome

SMS = FallbackStep(
    person_id=PERSON,
    channel=Channel.SMS,
    sender="TEAHSE",
    recipient="+919812345610",
    content=SmsContent(type="SI", text="Your tea is ready."),
)
RCS = FallbackStep(
    person_id=PERSON,
    channel=Channel.RCS,
    sender="tea-house",
    recipient="+919812345610",
    content=RcsTemplateContent(message_type="template", template_code="tea"),
)


def second(number: float) -> datetime:
    """Return the time that many seconds after noon; runs are armed at second 0."""
    return datetime(2031, 5, 4, 12, tzinfo=UTC) + timedelta(seconds=number)


def order(*steps: FallbackStep, wait: int = WAIT) -> ArmFallback:
    """Order a run at noon."""
    return ArmFallback(
        at=second(0),
        account_id="account-orchid",
        person_id=PERSON,
        message_id=PRIMARY,
        fallback_id="tea-first",
        waittime_seconds=wait,
        steps=steps,
    )


def armed(*steps: FallbackStep) -> FallbackArmed:
    """Return the event that the run was armed at noon; by SMS unless steps are given."""
    return FallbackArmed(
        at=second(0),
        account_id="account-orchid",
        person_id=PERSON,
        message_id=PRIMARY,
        fallback_id="tea-first",
        waittime_seconds=WAIT,
        deadline=second(WAIT),
        steps=steps or (SMS,),
    )


def took() -> ChannelOutcome:
    """Report that the provider took the message."""
    return ChannelOutcome(
        channel=Channel.SMS, status=OutcomeStatus.ACCEPTED, provider_message_id="provider-42"
    )


def refused() -> ChannelOutcome:
    """Report that the provider said no."""
    return ChannelOutcome(
        channel=Channel.SMS, status=OutcomeStatus.REJECTED, error_code="no_such_table"
    )


def stayed_silent() -> ChannelOutcome:
    """Report that the provider gave no answer within the provider time-out."""
    return ChannelOutcome(
        channel=Channel.SMS, status=OutcomeStatus.UNKNOWN, error_code=PROVIDER_TIMEOUT
    )


def interrupted() -> ChannelOutcome:
    """Report a recovery's finding about a dispatch whose process died."""
    return interrupted_outcome(Channel.SMS)


def primary_was(at: float, outcome: ChannelOutcome) -> TakePrimaryOutcome:
    """Hear how the primary's dispatch went."""
    return TakePrimaryOutcome(at=second(at), outcome=outcome)


def hear(at: float, status: ReceiptStatus, message_id: str = PRIMARY) -> TakeAttemptReceipt:
    """Return the command that records a receipt, for the primary unless another message is named."""
    return TakeAttemptReceipt(at=second(at), message_id=message_id, status=status)


def look_at_clock(at: float) -> Tick:
    """Look at the clock."""
    return Tick(at=second(at))


def end_was(at: float, outcome: RevokeOutcome, step: int = 1) -> TakeEnding:
    """Hear how the attempt before the step was ended."""
    return TakeEnding(at=second(at), step=step, outcome=outcome)


def send(at: float, step: int = 1) -> FireStep:
    """Ask to send a step."""
    return FireStep(at=second(at), step=step, message_id=MESSAGES[step])


def step_was(at: float, outcome: ChannelOutcome, step: int = 1) -> RecordStepDispatch:
    """Return the command that records the outcome of a step's dispatch."""
    return RecordStepDispatch(at=second(at), step=step, outcome=outcome)


def give_up(at: float, step: int = 1) -> RejectStep:
    """Find that the step's SMS type is none."""
    return RejectStep(at=second(at), step=step, error_code="invalid_type")


def unwanted(at: float, step: int = 1) -> RejectStep:
    """Find that the recipient has opted out of the step's channel."""
    code = "recipient_opted_out"
    return RejectStep(at=second(at), step=step, error_code=code, passing_over=True)


def triggered(at: float, reason: TriggerReason = BY_DEADLINE, step: int = 1) -> FallbackTriggered:
    """Return the event that a step became due."""
    return FallbackTriggered(at=second(at), step=step, reason=reason)


def revoked(at: float, outcome: RevokeOutcome = NOT_REVOKED, step: int = 1) -> AttemptEnded:
    """Return the event that the attempt before a step was ended."""
    return AttemptEnded(at=second(at), step=step, outcome=outcome)


def fired(at: float, step: int = 1) -> FallbackFired:
    """Return the event that a step is about to be sent."""
    return FallbackFired(at=second(at), step=step, message_id=MESSAGES[step])


def dispatched(
    at: float, outcome: ChannelOutcome | None = None, step: int = 1
) -> FallbackDispatched:
    """Return the event of a step's dispatch; accepted unless an outcome is given."""
    return FallbackDispatched(at=second(at), step=step, outcome=outcome or took())


def rejected(at: float, step: int = 1) -> FallbackRejected:
    """Return the event that a step could not be sent."""
    return FallbackRejected(at=second(at), step=step, error_code="invalid_type")


def stood_down(at: float, step: int = 1) -> FallbackStoodDown:
    """Return the event that a step is not needed."""
    return FallbackStoodDown(at=second(at), step=step)


def up_to_the_first_fire(*steps: FallbackStep) -> tuple[Event, ...]:
    """Return the events of a silent primary and of its first step, fired at second 60."""
    return armed(*steps), triggered(60), revoked(60), fired(60)


# The places at which a run can stand, as the events that lead there; two steps unless it says one.
PLACES: dict[str, tuple[Event, ...]] = {
    "waiting": (armed(SMS, RCS),),
    "triggered by deadline": (armed(SMS, RCS), triggered(60)),
    "triggered by failure": (armed(SMS, RCS), triggered(5, BY_FAILURE)),
    "ended": (armed(SMS, RCS), triggered(60), revoked(60)),
    "fired": up_to_the_first_fire(SMS, RCS),
    "waiting again": (*up_to_the_first_fire(SMS, RCS), dispatched(61)),
    "triggered again": (
        *up_to_the_first_fire(SMS, RCS),
        dispatched(61, refused()),
        triggered(61, BY_REJECTION, step=2),
    ),
    "stood down": (armed(SMS, RCS), stood_down(5)),
    "rejected": (armed(SMS, RCS), triggered(60), rejected(60)),
    "fired for good": (*up_to_the_first_fire(SMS), dispatched(61)),
}


def everywhere_but(*places: str) -> list[tuple[Event, ...]]:
    """Return all other places that a run can stand at."""
    assert PLACES.keys() >= set(places)
    return [past for place, past in PLACES.items() if place not in places]
