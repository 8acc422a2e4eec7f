"""The record of a number's consent on a channel of an account."""

from __future__ import annotations

from datetime import datetime

from ...domain.consent import Consent, consent_decider, redecide
from ...domain.event import personal
from ...domain.value import value
from .read_model import FoundBy, ReadModel, Row
from .record import Record


@value(kw_only=True)
class ConsentRow(Row):
    """
    A person's number on an opt list, or on none after it was taken off (C-27).

    `recipient` is spelled as in the latest request that put it on a list.
    """

    id: str
    account_id: str
    person_id: str
    channel: str
    recipient: str = personal()
    opt_list: str | None
    since: datetime


def _row(stream: str, consent: Consent) -> ConsentRow:
    return ConsentRow(
        id=stream,
        account_id=consent.account_id,
        person_id=consent.person_id,
        channel=str(consent.channel),
        recipient=consent.recipient,
        opt_list=consent.opt_list and str(consent.opt_list),
        since=consent.since,
    )


CONSENT = Record(
    decider=consent_decider,
    prefix="opt",
    state=Consent,
    redecide=redecide,
    read_model=ReadModel(
        row=ConsentRow,
        name="consents",
        found_by=(
            FoundBy("consents_by_list", ("account_id", "channel", "opt_list", "since", "id")),
            FoundBy("consents_by_person", ("person_id", "since", "id")),
        ),
        changing=("person_id", "recipient", "opt_list", "since"),
    ),
    project=_row,
)
