"""The tutorials: whoever types their blocks in order sees what they show."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs import test_login_form
from tests.docs.tutorials import PAGES, walking

ALONE = ["callbacks.md", "fallback.md", "first-code.md"]


@pytest.mark.parametrize("page", ALONE)
def test_a_tutorial_goes_as_it_says(page: str, tmp_path: Path) -> None:
    """On a fresh sandbox, each block of shell prints the text below it."""
    with walking(page, tmp_path) as walk:
        walk.go()


def test_every_tutorial_is_walked_through() -> None:
    """Also the one whose reader needs a browser."""
    assert {*ALONE, test_login_form.PAGE} == {each.name for each in PAGES.glob("*.md")}


def test_a_wrong_block_is_noticed(tmp_path: Path) -> None:
    """A text that does not come out, and a line that fails."""
    page = tmp_path / "page.md"
    folder = tmp_path / "folder"
    for number, (block, text) in enumerate([("echo tea", "cof..."), ("echo tea; false", "tea")]):
        page.write_text(f"```sh\n{block}\n```\n\n```text\n{text}\n```\n")
        with walking(str(page), folder / str(number)) as walk, pytest.raises(AssertionError):
            walk.go()
