"""Hear a call of Meta's: a challenge, or a signed post with the events of several accounts (C-70)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from attrs import frozen
from msgspec import Raw

from .....application.ports.channels import Heard, Post, Report, TemplateReview
from .....domain.errors import FieldProblem, ValidationFailedError
from ...turns import Turns
from .challenges import challenged
from .inbound import contact_in, message_in
from .parts import IGNORED, Change, Entry, Ignored, Messages, Posted, posted_in, read
from .signatures import verify
from .statuses import receipt_in
from .template_reviews import review_in

_WHATSAPP = "whatsapp_business_account"
# Meta posts a thousand updates at most (D-246).
MOST_PARTS = 10_000
# A status has a dozen. They bound the items of all lists, which are counted too late otherwise (D-300).
MOST_COMMAS = 400_000


async def heard(config: Mapping[str, Any], post: Post, now: datetime) -> Heard:
    """
    Return the reports in a call, and the answer that Meta expects.

    Parts of another shape are counted, and the others are read (D-280). Raises `UnauthorizedError` for a
    wrong signature, before anything is read, and `ValidationFailedError` for what is no post of Meta's.
    """
    if post.method == "GET":
        return challenged(config, post)
    verify(config, post)
    if post.body.count(b",") > MOST_COMMAS:
        raise ValidationFailedError([FieldProblem("body", "has more members than posts of Meta's")])
    posted = await posted_in(post.body)
    if posted is None:
        raise ValidationFailedError([FieldProblem("body", "is no post of Meta's")])
    if posted.object != _WHATSAPP:
        # The app may post about its pages to the same address.
        return Heard()
    return await _heard(_Reading(str(config.get("phoneNumberId", "")), now).parts(posted))


async def _heard(parts: Iterator[Report | Ignored | None]) -> Heard:
    reports: list[Report] = []
    # The last decision on a template counts; two in one post would be recorded side by side.
    reviews: dict[tuple[str, ...], TemplateReview] = {}
    unreadable, turns = 0, Turns()
    for number, part in enumerate(parts, 1):
        if number > MOST_PARTS:
            raise ValidationFailedError([FieldProblem("body", f"has more than {MOST_PARTS} parts")])
        if isinstance(part, TemplateReview):
            reviews[part.name, part.language or "", *part.addressed_to.values()] = part
        elif part is None:
            unreadable += 1
        elif not isinstance(part, Ignored):
            reports.append(part)
        # Other requests go on between the parts of a large post.
        await turns.pause()
    return Heard(reports=(*reports, *reviews.values()), unreadable=unreadable)


@frozen
class _Reading:
    """
    Reads the parts of a post to the account with this phone.

    Each entry, change, status and message is a part: None if it has another shape than Meta's.
    """

    phone_number_id: str
    now: datetime

    def parts(self, posted: Posted) -> Iterator[Report | Ignored | None]:
        """Generate what each part says."""
        for raw in posted.entry:
            entry = read(raw, Entry)
            if entry is None:
                yield None
                continue
            yield IGNORED
            for each in entry.changes:
                yield from self._change(str(entry.id), each)

    def _change(self, business_account_id: str, raw: Raw) -> Iterator[Report | Ignored | None]:
        change = read(raw, Change)
        if change is None:
            yield None
        elif change.field == "message_template_status_update":
            yield review_in(change.value, business_account_id)
        elif change.field == "messages":
            yield from self._messages(read(change.value, Messages))
        else:
            yield IGNORED

    def _messages(self, value: Messages | None) -> Iterator[Report | Ignored | None]:
        if value is None:
            yield None
            return
        phone = value.metadata.phone_number_id
        # One address may hear for all phones of an app (C-99).
        addressed_to = {} if phone == self.phone_number_id else {"phoneNumberId": phone}
        for each in value.statuses:
            yield receipt_in(each, addressed_to, self.now)
        contact = contact_in(value) if value.messages else None
        for each in value.messages:
            yield message_in(each, value, contact, addressed_to)
        yield IGNORED
