"""The three appends of a PIN that is created, sent and verified."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta

from attrs import frozen
from msgspec.structs import replace

from watchword.application.journal import beginning, change
from watchword.application.people.people import People
from watchword.application.ports.event_store import Append, Change, Due, DueKind, Loaded
from watchword.application.records import row_of
from watchword.domain import message as messages
from watchword.domain import pin as pins
from watchword.domain.channel import Channel, ChannelOutcome, OutcomeStatus
from watchword.domain.conditions import Unchanged
from watchword.domain.decider import Decision
from watchword.domain.message import message_decider
from watchword.domain.pin import Pin, pin_decider
from watchword.domain.pin_template.policy import PinPolicy
from watchword.domain.rate_limit import Rate
from watchword.entrypoints.demo.seeding import TEMPLATE_ID

POLICY = PinPolicy(send_pin_per_template_limit=Rate("100000000/1d"))


@frozen
class LifeOfAPin:
    """A PIN for a person, and its appends in order."""

    pin_id: str
    person_id: str
    issued: Append
    dispatched: Append
    verified: Append


def life_of_a_pin(
    people: People, account_id: str, destination: str, at: datetime, pin_id: str | None = None
) -> LifeOfAPin:
    """Decide a PIN's whole life in advance, so that only the writes are measured."""
    person = people.recall_or_create(account_id, destination)
    pin_id = pin_id or _new_id("pin")
    due = Due(DueKind.ORPHANED_DISPATCH, pin_id, 1, at + timedelta(seconds=30))
    issue = pins.issue(
        pins.IssuePin(
            at=at,
            pin_id=pin_id,
            account_id=account_id,
            template_id=TEMPLATE_ID,
            person_id=person.person_id,
            destination=destination,
            reference_id=f"ref-{pin_id}",
            channels=(Channel.SMS,),
            code_hash=f"1$pbkdf2-sha256$1$${secrets.token_urlsafe(32)}",
            policy=POLICY,
        )
    )
    issued, sent = _append(pin_id, None, issue, at)
    outcome = ChannelOutcome(
        channel=Channel.SMS,
        channel_account_id=_new_id("cha"),
        status=OutcomeStatus.ACCEPTED,
        provider_message_id=f"sandbox_{pin_id}",
    )
    dispatch = pins.record_dispatch(
        sent.state, pins.RecordDispatch(at=at, pin_id=pin_id, issue=1, outcomes=(outcome,))
    )
    dispatched, live = _append(pin_id, sent, dispatch, at)
    verdict = pins.verify(live.state, pins.VerifyPin(at=at, pin_id=pin_id, matched=True))
    verified, _ = _append(pin_id, live, verdict, at)
    return LifeOfAPin(
        pin_id,
        person.person_id,
        replace(
            issued,
            conditions=(*issued.conditions, Unchanged(TEMPLATE_ID, 1)),
            due=(due,),
            new_people=person.new_people,
        ),
        replace(dispatched, done=(due,)),
        verified,
    )


def sent_message(
    account_id: str, person_id: str, recipient: str, at: datetime, message_id: str
) -> Append:
    """Decide a message to a person who is known, which its provider accepted."""
    channel_account_id = _new_id("cha")
    submitted = messages.submit(
        messages.SubmitMessage(
            at=at,
            account_id=account_id,
            person_id=person_id,
            channel=Channel.SMS,
            channel_account_id=channel_account_id,
            sender="Watchword",
            recipient=recipient,
            content=messages.SmsContent(type="SI", text="Your tea is ready."),
        )
    )
    taken_in = message_decider.fold(submitted.events)
    outcome = ChannelOutcome(
        channel=Channel.SMS,
        channel_account_id=channel_account_id,
        status=OutcomeStatus.ACCEPTED,
        provider_message_id=f"sandbox_{message_id}",
    )
    dispatched = messages.record_dispatch(
        taken_in, messages.RecordDispatch(at=at, message_id=message_id, outcome=outcome)
    )
    decision = submitted.followed_by(dispatched)
    made = beginning(message_decider, message_id, decision)
    return _appending(made, at)


def _append(
    pin_id: str, loaded: Loaded[Pin] | None, decision: Decision, at: datetime
) -> tuple[Append, Loaded[Pin]]:
    made = change(pin_decider, pin_id, loaded, decision)
    append = _appending(made, at)
    return append, Loaded(made.state, made.expected_version + len(made.events))


def _appending(made: Change, at: datetime) -> Append:
    row = row_of(made.stream, made.state)
    return Append(
        at=at,
        actor=_new_id("key"),
        request_id=_new_id("req"),
        changes=(made,),
        conditions=made.conditions,
        rows=() if row is None else (row,),
    )


def _new_id(prefix: str) -> str:
    return f"{prefix}_{secrets.token_hex(16)}"
