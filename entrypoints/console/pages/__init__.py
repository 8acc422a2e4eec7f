"""The pages, one file per area. Here are their tables, put together."""

from __future__ import annotations

from ..page import Page
from .access import ACCESS_PAGES
from .overview import OVERVIEW_PAGES

PAGES: tuple[Page, ...] = (*OVERVIEW_PAGES, *ACCESS_PAGES)
# A sandbox's alone.
SANDBOX_PAGES: tuple[Page, ...] = ()
