"""The first page."""

from __future__ import annotations

from aiohttp import web

from ....domain.accounts.token_role import TokenRole
from ..page import Page
from ..visit import Visit


async def overview(visit: Visit) -> web.StreamResponse:
    """Show where the pages are."""
    return visit.show("overview/overview.html")


OVERVIEW_PAGES = (Page("GET", "", overview, TokenRole.AUDITOR),)
