"""The overview: what became of the codes of today and of thirty days (C-80, D-517)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from aiohttp import web

from ....application.guard.listing_refused_sends import RefusedSearch
from ....application.paging import Paging
from ....application.statistics.views import FiguresView, Group
from ....domain.accounts.token_role import TokenRole
from ....domain.errors import ValidationFailedError
from ....domain.pin_template import TemplateNotFoundError
from ..figures.breakdowns import Breakdown, breakdown, largest_members
from ..figures.costs import cost_series
from ..figures.funnels import Funnel, funnel
from ..figures.spans import MONTH, PRESETS, TODAY, Span, preset, span_asked
from ..figures.texts import amount_text
from ..forms import Form
from ..page import Page
from ..visit import Visit

# Of what the guard refuses, the newest.
_NEWEST = Paging(page_size=5)
_CHANNEL_ACCOUNTS = Paging(page_size=100)
_GROUPS = (Group.CHANNEL, Group.COUNTRY, Group.TEMPLATE)
_FIELDS = ("from", "to")


async def overview(visit: Visit) -> web.Response:
    """Show the funnels of today and of thirty days, and one span hour by hour or day by day."""
    now, query = visit.service.clock.now(), visit.request.query
    form = Form({name: [query[name]] for name in _FIELDS if name in query})
    try:
        return await _show(visit, span_asked(query, now), form)
    except ValidationFailedError as refusal:
        # One that is too long for the statistics, too.
        return await _show(visit, preset(TODAY, now), form.with_problems(refusal))


async def _show(visit: Visit, span: Span, form: Form) -> web.Response:
    service, account_id = visit.service, visit.account_id
    # All at once: the store has several readers.
    today, (over_time, whole), breakdowns, refused, channels = await asyncio.gather(
        _funnel(visit, preset(TODAY, service.clock.now())),
        service.statistics.ask_over_time(span.question(account_id)),
        asyncio.gather(*(_breakdown(visit, span, group) for group in _GROUPS)),
        service.refused_sends.list(RefusedSearch(account_id=account_id), _NEWEST),
        service.channel_accounts.list(account_id, _CHANNEL_ACCOUNTS),
    )
    points = span.points(over_time.data)
    return visit.show(
        "overview/overview.html",
        status=400 if form.problems else 200,
        form=form,
        presets=PRESETS,
        span=span,
        funnels=[today, *([(span, funnel(whole.data))] if span.preset != TODAY else ())],
        points=points,
        breakdowns=[each for each in breakdowns if each.shares],
        costs=cost_series(points),
        refused=[visit.shown(each) for each in refused.data],
        channel_accounts=channels,
        names=await visit.names_of(each.account_id for each in channels.data),
        position=over_time.position,
        amount=amount_text,
    )


async def month(visit: Visit) -> web.StreamResponse:
    """
    Return the funnel of thirty days, which the page asks for after it has shown today's.

    Of a million codes it may take a third of a second (D-517).
    """
    if not visit.moves_a_part:
        return visit.redirect("", range=MONTH)
    span = preset(MONTH, visit.service.clock.now())
    _, found = await _funnel(visit, span)
    return visit.show("overview/month.html", span=span, funnel=found)


async def _funnel(visit: Visit, span: Span) -> tuple[Span, Funnel]:
    whole = await visit.service.statistics.ask_whole(span.question(visit.account_id))
    return span, funnel(whole.data)


async def _breakdown(visit: Visit, span: Span, group: Group) -> Breakdown:
    question = span.question(visit.account_id, group)
    data = (await visit.service.statistics.ask_whole(question, seconds=False)).data
    names = await _template_names(visit, data) if group is Group.TEMPLATE else {}
    return breakdown(group, data, names)


async def _template_names(visit: Visit, data: Sequence[FiguresView]) -> Mapping[str, str]:
    """Return the names of the templates that have rows; one that is gone keeps its id."""
    names: dict[str, str] = {}
    for template_id in largest_members(data):
        try:
            template = await visit.service.pin_templates.get(visit.by, template_id)
        except TemplateNotFoundError:
            continue
        names[template_id] = template.name
    return names


OVERVIEW_PAGES = (
    Page("GET", "", overview, TokenRole.AUDITOR),
    Page("GET", "/overview/month", month, TokenRole.AUDITOR),
)
