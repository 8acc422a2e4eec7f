"""The guide to the console: it shows every area of the menu, each with a picture that is there."""

from __future__ import annotations

import re
from pathlib import Path

from watchword.entrypoints.console.navigation import sections

_GUIDE = Path(__file__).parents[2] / "docs/how-to/console.md"
_PICTURE = re.compile(r"!\[[^]]+\]\(([\w/]+\.png)\)")


def test_every_area_is_described_with_a_picture() -> None:
    """The areas stand in the order of the menu; each picture is in the folder, and none is left over."""
    _, *parts = re.split(r"^### (.+)$", _GUIDE.read_text(), flags=re.MULTILINE)
    pictures = {
        title: _PICTURE.findall(text) for title, text in zip(parts[::2], parts[1::2], strict=True)
    }
    used = {_GUIDE.parent / each for found in pictures.values() for each in found}

    areas = sections(lambda _, __: True, sandbox=True)
    assert [each.title for each in areas] == list(pictures)
    assert [] == [title for title, found in pictures.items() if not found]
    assert {*_GUIDE.parent.glob("console/*")} == used
