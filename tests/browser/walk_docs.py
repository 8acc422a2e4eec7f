"""The documentation page in a browser. Its findings by axe are those of Swagger UI, and are not checked."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.mark.parametrize("width", [360, 1280])
def test_the_page_draws_the_interface_under_its_policy(
    new_page: Callable[..., Page], width: int
) -> None:
    """Its operations stand there, without a report of the policy or an error of a script."""
    page = new_page(viewport={"width": width, "height": 800})
    page.goto("/docs")

    page.get_by_text("Verify what the user typed").wait_for()
