"""The style sheet is whole: a lost brace would put the rest of it into a query for narrow screens."""

from __future__ import annotations

import re

from watchword.entrypoints.console.rendering import static_files


def test_every_block_is_closed_before_the_next_area_begins() -> None:
    """A comment at the start of a line begins an area, outside all blocks."""
    sheet = static_files()["console.css"].read_text()
    depth = 0

    for line in sheet.splitlines():
        if line.startswith(("/*", "@media")):
            assert 0 == depth, line
        bare = re.sub(r"/\*.*?\*/", "", line)
        depth += bare.count("{") - bare.count("}")

    assert 0 == depth
