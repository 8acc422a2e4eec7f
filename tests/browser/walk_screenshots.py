"""The pictures of the guide to the console: each of them can be taken, and stands in the guide."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tests.browser.screenshots import FOLDER, take
from tests.browser.teahouse.opening import TeaHouse

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def test_the_pictures_of_the_guide_are_those_that_are_taken(
    browser: Browser, house: TeaHouse, tmp_path: Path
) -> None:
    """Nobody finds a picture there that `make screenshots` would not make anew, and none is missing."""
    take(browser, house, tmp_path)

    taken = {each.name for each in tmp_path.iterdir()}
    assert {each.name for each in FOLDER.iterdir()} == taken
