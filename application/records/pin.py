"""The record of a PIN: its row in searches, its live code, and its providers' ids."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from attrs import field

from ...domain.channel import Channel, ChannelName, ChannelOutcome, TriedAccount
from ...domain.event import PERSONAL
from ...domain.pin import Expired, Pending, Pin, Superseded, live_code, pin_decider
from ...domain.pin.code import key_version
from ...domain.pin.redeciding import redecide
from ...domain.receipt import Receipt
from ...domain.value import value
from .read_model import FINDABLE, FoundBy, ReadModel, Row, personal_within
from .record import Record


@value
class VerificationRow(Row):
    """
    A PIN in the search of verifications.

    `status` is the recorded one: a pending PIN past `expires_at` is shown as expired (C-15).
    `destination` is as the caller wrote it; searches find it by the person (C-28).
    `test` says that its newest code was made for a test destination (C-79).
    `key_version` is the version of the code key that this code needs (C-3).
    """

    pin_id: str
    account_id: str
    template_id: str
    person_id: str
    destination: str = field(repr=False, metadata=PERSONAL)
    reference_id: str | None = field(repr=False, metadata=FINDABLE)
    test: bool
    key_version: int
    created_at: datetime
    status: str
    attempts_remaining: int
    expires_at: datetime
    updated_at: datetime
    superseded_by: str | None
    channels: tuple[Mapping[str, Any], ...] = field(
        metadata=personal_within("provider_message_id", "error_message")
    )
    channel_names: tuple[str, ...]


def _row(stream: str, pin: Pin) -> VerificationRow:
    names: tuple[ChannelName, ...] = pin.undispatched.get(pin.issue, ())
    outcomes: tuple[Mapping[str, Any], ...] = ()
    if pin.outcomes:
        names = tuple([outcome.channel for outcome in pin.outcomes])
        outcomes = tuple([_outcome(each, pin.receipts.get(each.channel)) for each in pin.outcomes])
    # Positional, because every step of a PIN makes one: with names, Python takes half as long again (D-121).
    return VerificationRow(
        stream,
        pin.account_id,
        pin.template_id,
        pin.person_id,
        pin.destination,
        pin.reference_id,
        pin.test,
        key_version(pin.code_hash),
        pin.created_at,
        str(pin.life.status),
        pin.attempts_remaining,
        pin.expires_at,
        pin.updated_at,
        pin.life.by if isinstance(pin.life, Superseded) else None,
        outcomes,
        names,
    )


def _outcome(outcome: ChannelOutcome, receipt: Receipt | None) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "channel": str(outcome.channel),
        "channel_account_id": outcome.channel_account_id,
        "status": str(outcome.status),
        "provider_message_id": outcome.provider_message_id,
        "error_code": outcome.error_code,
        "error_message": outcome.error_message,
    }
    if outcome.tried:
        shown["tried"] = [_tried(each) for each in outcome.tried]
    return shown if receipt is None else {**shown, "receipt": _receipt(receipt)}


def _tried(attempt: TriedAccount) -> dict[str, Any]:
    return {
        "channel_account_id": attempt.channel_account_id,
        "status": str(attempt.status),
        "code": attempt.code,
    }


def _receipt(receipt: Receipt) -> dict[str, Any]:
    # The time is text, as it is read back from a column.
    return {
        "status": str(receipt.status),
        "at": receipt.reported_at.isoformat(),
        "error_code": receipt.error_code,
    }


def _holds(pin: Pin) -> frozenset[str]:
    # A PIN in any other stage has released its live code (C-15).
    if isinstance(pin.life, Pending | Expired):
        return frozenset({live_code(pin.template_id, pin.person_id), *pin.sends})
    return frozenset(pin.sends)


PIN = Record(
    decider=pin_decider,
    prefix="pin",
    state=Pin,
    redecide=redecide,
    read_model=ReadModel(
        row=VerificationRow,
        name="verifications",
        found_by=(
            FoundBy("verifications_by_reference", ("reference_id", "created_at")),
            FoundBy("verifications_by_person", ("person_id", "created_at")),
            # Live codes are few compared to expired ones.
            FoundBy("verifications_by_expiry", ("expires_at",)),
            *(
                FoundBy(
                    f"verifications_by_{channel}",
                    ("created_at", "account_id"),
                    lists=("channel_names", channel),
                )
                for channel in Channel
            ),
            FoundBy("verifications_by_status", ("status", "created_at")),
            FoundBy("verifications_by_template", ("template_id", "created_at", "account_id")),
            FoundBy("verifications_by_account", ("account_id", "created_at")),
            FoundBy("verifications_by_time", ("created_at",)),
        ),
        changing=(
            "test",
            "key_version",
            "status",
            "attempts_remaining",
            "expires_at",
            "updated_at",
            "superseded_by",
            "channels",
            "channel_names",
        ),
    ),
    project=_row,
    holds=_holds,
)
