"""PINs: their search, and the story of one."""

from __future__ import annotations

from typing import Any

from aiohttp import web
from attrs import evolve

from ....application.paging import Listed, nothing_listed
from ....application.pins.searching_verifications import VerificationSearch
from ....application.pins.views import VerificationView
from ....application.searches import COUNTED_TO
from ....application.stories.pin_story import PinMoment
from ....domain.accounts.token_role import TokenRole
from ....domain.channel import PIN_CHANNELS
from ....domain.errors import ValidationFailedError
from ....domain.pin import PinStatus
from ...wire.pin_records import verification_record
from ...wire.searches import verification_search
from ..live import position
from ..page import Page
from ..searching import Asked, account_of, asked
from ..stories.actors import actor_words
from ..stories.channels import channel_lines
from ..stories.facts import Fact, facts_of
from ..stories.telling import channel_words
from ..stories.timeline import chosen_step, lines, replayed, timeline
from ..visit import Visit

_PATH = "/verifications"
_STATUSES = (("", "any"), *[(str(each), str(each).lower().replace("_", " ")) for each in PinStatus])
_CHANNELS = (("", "any"), *[(str(each), channel_words(each)) for each in PIN_CHANNELS])
# What stands above the state because it never changes, or below it in a table of its own.
_ELSEWHERE = (
    "pinId",
    "accountId",
    "templateId",
    "destination",
    "referenceId",
    "createdAt",
    "updatedAt",
    "channels",
)


async def verifications(visit: Visit) -> web.StreamResponse:
    """List PINs, the newest first, or those that a search finds."""
    return await _listed(visit, asked(visit, VerificationSearch, verification_search))


async def searched(visit: Visit) -> web.StreamResponse:
    """Search PINs; a search that tells of nobody gets an address of its own."""
    wanted = asked(visit, VerificationSearch, verification_search)
    if wanted.search is not None and not wanted.about_people:
        return visit.redirect(_PATH, **wanted.given)
    return await _listed(visit, wanted)


async def _listed(visit: Visit, wanted: Asked[VerificationSearch]) -> web.StreamResponse:
    form = wanted.form
    listed: Listed[VerificationView] = nothing_listed(wanted.paging)
    if wanted.search is not None:
        try:
            listed = await _found(visit, wanted.search, wanted)
        except ValidationFailedError as refusal:
            form = wanted.refused(refusal)
    records = [visit.shown(verification_record(each)) for each in listed.data]
    named = {each[name] for each in records for name in ("accountId", "templateId")}
    return visit.show(
        "verifications/list.html",
        status=400 if form.problems else 200,
        form=form,
        asked=wanted,
        listed=listed,
        counted_to=COUNTED_TO,
        records=records,
        names=await visit.names_of(named),
        statuses=_STATUSES,
        channels=_CHANNELS,
        channel_lines=channel_lines,
    )


async def _found(
    visit: Visit, search: VerificationSearch, wanted: Asked[VerificationSearch]
) -> Listed[VerificationView]:
    account_id = await account_of(visit, search.destination, search.reference_id)
    search = evolve(search, account_id=account_id)
    return await visit.service.verifications.search(search, wanted.paging)


async def verification(visit: Visit) -> web.StreamResponse:
    """Show the story of a PIN, and its state after the chosen event."""
    after = await position(visit)
    told = await visit.service.stories.pin(visit.by, visit.request.match_info["id"])
    last = told.story.last
    step = chosen_step(visit.request.query.get("version", ""), last)
    before, now, newest = await replayed(told.moments, max(step - 1, 1), step, last)
    shown = visit.shown(verification_record(now.view))
    return visit.show(
        "verifications/one.html",
        newest=visit.shown(verification_record(newest.view)),
        names=await visit.names_of((told.account_id, now.view.template_id)),
        began_by=actor_words(told.story.events[0].actor, told.story.names),
        story=timeline(told.story, step, mask=visit.by.masked, placed=visit.by.bound_to is None),
        step_at=now.at,
        state=lines(_state(visit, now), _state(visit, before) if step > 1 else ()),
        channels=channel_lines(shown, told.story.names),
        live=visit.href("/live", stream=told.pin_id, after=after),
    )


def _state(visit: Visit, moment: PinMoment) -> tuple[Fact, ...]:
    record: dict[str, Any] = visit.shown(verification_record(moment.view))
    left = {name: value for name, value in record.items() if name not in _ELSEWHERE}
    if not moment.view.test:
        del left["test"]
    return facts_of({"codeNumber": moment.issue, **left})


VERIFICATION_PAGES = (
    Page("GET", _PATH, verifications, TokenRole.AUDITOR),
    Page("POST", _PATH, searched, TokenRole.AUDITOR),
    Page("GET", f"{_PATH}/{{id}}", verification, TokenRole.AUDITOR),
)
