"""The documentation page in a browser. Its findings by axe are those of Swagger UI, and are not checked."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Browsing


@pytest.mark.parametrize("width", [360, 1280])
def test_the_page_draws_the_interface_under_its_policy(browsing: Browsing, width: int) -> None:
    """Its operations stand there, without a report of the policy or an error of a script."""
    page = browsing.context(viewport={"width": width, "height": 800}).new_page()
    page.goto("/docs")

    # A large interface is drawn at once: on a busy machine that takes longer than any page of ours.
    page.get_by_text("Verify what the user typed").wait_for(timeout=60_000)
