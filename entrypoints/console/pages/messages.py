"""Messages: their search, and the story of one with its content and its fallback run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from aiohttp import web
from attrs import evolve

from ....application.messages.looking_up.searching_messages import MessageSearch
from ....application.messages.looking_up.views import ReportedMessage
from ....application.paging import Listed, nothing_listed
from ....application.searches import COUNTED_TO
from ....application.stories.message_story import MessageMoment, MessageStory, RunLine
from ....domain.accounts.token_role import TokenRole
from ....domain.channel import MESSAGE_CHANNELS, with_adapters
from ....domain.errors import ValidationFailedError
from ....domain.message import Direction, MessageStatus, ResourceType
from ...messaging.message_questions import report_question, require_account
from ...messaging.shown_messages import reported_message
from ..live import position
from ..page import Page
from ..previews.messages import inbound_preview, message_preview
from ..previews.shown import Preview
from ..searching import Asked, account_of, asked
from ..stories.actors import actor_words
from ..stories.channels import attempts
from ..stories.facts import Fact, facts_of
from ..stories.run_lines import line_of
from ..stories.telling import channel_words
from ..stories.timeline import chosen_step, lines, replayed, timeline
from ..visit import Visit

_PATH = "/messages"
_ANY = ("", "any")
_STATUSES = (_ANY, *[(str(each), str(each)) for each in MessageStatus])
_DIRECTIONS = (_ANY, (str(Direction.OUTBOUND), "sent"), (str(Direction.INBOUND), "received"))
_RESOURCES = (_ANY, *[(str(each), str(each)) for each in ResourceType])
# What stands above the state because it never changes, or beside it in a part of its own.
_ELSEWHERE = (
    "messageId",
    "accountId",
    "channelType",
    "sender",
    "recipient",
    "direction",
    "events",
    "fallbackRunId",
    "sentByRunId",
    "actor",
    "apiKeyName",
    "createdAt",
    "updatedAt",
)


async def messages(visit: Visit) -> web.StreamResponse:
    """List messages, the newest first, or those that a search finds."""
    return await _listed(visit, _asked(visit))


async def searched(visit: Visit) -> web.StreamResponse:
    """Search messages; a search that tells of nobody gets an address of its own."""
    wanted = _asked(visit)
    if wanted.search is not None and not wanted.about_people:
        return visit.redirect(_PATH, **wanted.given)
    return await _listed(visit, wanted)


def _asked(visit: Visit) -> Asked[MessageSearch]:
    read = partial(report_question, third_parties=visit.service.third_parties)
    return asked(visit, MessageSearch, read)


async def _listed(visit: Visit, wanted: Asked[MessageSearch]) -> web.StreamResponse:
    form = wanted.form
    listed: Listed[ReportedMessage] = nothing_listed(wanted.paging)
    if wanted.search is not None:
        try:
            listed = await _found(visit, wanted.search, wanted)
        except ValidationFailedError as refusal:
            form = wanted.refused(refusal)
    records = [visit.shown(reported_message(each)) for each in listed.data]
    known = with_adapters(MESSAGE_CHANNELS, visit.service.third_parties)
    return visit.show(
        "messages/list.html",
        status=400 if form.problems else 200,
        form=form,
        asked=wanted,
        listed=listed,
        counted_to=COUNTED_TO,
        records=records,
        names=await visit.names_of({each["accountId"] for each in records}),
        statuses=_STATUSES,
        directions=_DIRECTIONS,
        resources=_RESOURCES,
        channels=(_ANY, *[(each, channel_words(each)) for each in known]),
        channel_words=channel_words,
    )


async def _found(
    visit: Visit, search: MessageSearch, wanted: Asked[MessageSearch]
) -> Listed[ReportedMessage]:
    service = visit.service
    search = evolve(search, account_id=await account_of(visit, *search.personal))
    require_account(search, small=service.sandbox is not None)
    return await service.searching_messages.search(search, wanted.paging)


async def message(visit: Visit) -> web.StreamResponse:
    """Show the story of a message: what happened, what the phone showed, and its fallback run."""
    after = await position(visit)
    told = await visit.service.stories.message(visit.by, visit.request.match_info["id"])
    story = told.story
    step = chosen_step(visit.request.query.get("version", ""), story.last)
    before, now, newest = await replayed(told.moments, max(step - 1, 1), step, story.last)
    view = told.view
    shown = visit.shown(reported_message(view))
    return visit.show(
        "messages/one.html",
        message=shown,
        then=None if now.view is None else visit.shown(reported_message(now.view)),
        names=await visit.names_of([view.account_id]),
        channel_words=channel_words,
        began_by=actor_words(view.actor or "", story.names),
        story=timeline(
            story,
            step,
            mask=visit.by.masked,
            placed=visit.by.bound_to is None,
            about=_about(told.message_id, newest.run),
        ),
        step_at=now.at,
        state=lines(_state(visit, now), _state(visit, before) if step > 1 else ()),
        line=None if now.run is None else line_of(now.run, told.message_id, mask=visit.by.masked),
        dispatch=attempts(_tried(shown), story.names),
        preview=None if visit.by.masked else _preview(told),
        live=visit.href(
            "/live", stream=sorted({each.stream for each in story.events}), after=after
        ),
    )


def _about(message_id: str, run: RunLine | None) -> Mapping[str, str]:
    """Name the streams of a story that has several: the run, its primary, and the messages of its steps."""
    if run is None:
        return {}
    about = {run.run_id: "Fallback run"}
    for each in run.attempts:
        if each.message_id is not None:
            words = f"Step {each.number}" if each.number else "First message"
            mine = ", this message" if each.message_id == message_id else ""
            about[each.message_id] = f"{words}{mine}"
    return about


def _tried(record: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """Return the attempts of a message's dispatch; receipts have none."""
    return next((each["tried"] for each in record["events"] if "tried" in each), ())


def _state(visit: Visit, moment: MessageMoment) -> tuple[Fact, ...]:
    if moment.view is None:
        return ()
    record = visit.shown(reported_message(moment.view))
    return facts_of({name: value for name, value in record.items() if name not in _ELSEWHERE})


def _preview(told: MessageStory) -> Preview:
    message, content = told.message, told.content
    if message.direction is Direction.INBOUND:
        return inbound_preview(message.channel, content.text, sender=message.sender)
    return message_preview(
        message.channel, content.content, content.template, sender=message.sender
    )


MESSAGE_PAGES = (
    Page("GET", _PATH, messages, TokenRole.AUDITOR),
    Page("POST", _PATH, searched, TokenRole.AUDITOR),
    Page("GET", f"{_PATH}/{{id}}", message, TokenRole.AUDITOR),
)
