"""The pages, one file per area. Here are their tables, put together."""

from __future__ import annotations

from ..page import Page
from .overview import OVERVIEW_PAGES

PAGES: tuple[Page, ...] = (*OVERVIEW_PAGES,)
# A sandbox's alone.
SANDBOX_PAGES: tuple[Page, ...] = ()
