"""The guides to languages and to autofill: whoever types their blocks in order sees what they show."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.fences import blocks_of
from tests.docs.tutorials import walking

ROOT = Path(__file__).parents[2]
HOW_TO = ROOT / "docs" / "how-to"


@pytest.mark.parametrize("page", ["languages.md", "autofill.md"])
def test_a_guide_goes_as_it_says(page: str, tmp_path: Path) -> None:
    """On a fresh sandbox, each block of shell prints the text below it."""
    lines = [
        each for each in blocks_of(HOW_TO / page, ROOT) if _is_typed(each.language, each.after)
    ]
    shown = tmp_path / page
    shown.write_text("".join(f"```{each.language}\n{each.text}```\n" for each in lines))
    folder = tmp_path / "reader"
    folder.mkdir()
    with walking(str(shown), folder) as walk:
        walk.go()


def _is_typed(language: str, after: str | None) -> bool:
    """Return whether a block is typed or comes out; programs run in tests/docs/test_snippets.py."""
    return language == "sh" or (language == "text" and after == "sh")
