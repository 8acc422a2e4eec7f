"""The record of a short link."""

from __future__ import annotations

from datetime import datetime

from attrs import field

from ...domain.event import personal
from ...domain.short_link import ShortLink, redecide, short_link_decider
from ...domain.value import value
from .read_model import FoundBy, ReadModel, Row
from .record import Record


@value(kw_only=True)
class ShortLinkRow(Row):
    """
    A short link by its id, which follows from its code, with all data that a click needs.

    Each click and each switch is one event after the first, so the two counts determine the stream's
    version, too.
    """

    id: str
    account_id: str
    person_id: str | None
    message_id: str | None
    url: str | None = personal()
    sealed_url: str | None = field(repr=False)
    created_at: datetime
    clicks: int
    clicked_at: datetime | None
    disabled_at: datetime | None
    switches: int


def _row(stream: str, link: ShortLink) -> ShortLinkRow:
    return ShortLinkRow(
        id=stream,
        account_id=link.account_id,
        person_id=link.person_id,
        message_id=link.message_id,
        url=link.url,
        sealed_url=link.sealed,
        created_at=link.created_at,
        clicks=link.clicks,
        clicked_at=link.clicked_at,
        disabled_at=link.disabled_at,
        switches=link.switches,
    )


SHORT_LINK = Record(
    decider=short_link_decider,
    prefix="lnk",
    state=ShortLink,
    redecide=redecide,
    # A click reads it by its key, which follows from the code; an erasure by its person (C-74).
    read_model=ReadModel(
        row=ShortLinkRow,
        name="short_links",
        found_by=(
            FoundBy("short_links_by_person", ("person_id", "created_at", "id"), "person_id"),
        ),
        changing=("clicks", "clicked_at", "disabled_at", "switches"),
    ),
    project=_row,
)
