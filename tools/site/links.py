"""Links of the repository's pages, as links of the site's pages."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

# A link or a picture, but not the target of one in code.
_TARGET = re.compile(r"(?<=\]\()(?!\w+:)([^)\s#]+)(#[^)\s]*)?(?=\))")
_FENCE = re.compile(r"^ *(```+|~~~+)")


def relinked(text: str, source: Path, place: str, place_of: Callable[[Path], str]) -> str:
    """
    Return a page with its links moved from the repository to the site.

    `source` is the page's file, `place` its path in the site. `place_of` returns the place in the site of a
    file or folder that a link leads to; it raises `FileNotFoundError` if there is none.
    """

    def moved(found: re.Match[str]) -> str:
        target = Path(os.path.normpath(source.parent / found[1]))
        return os.path.relpath(place_of(target), Path(place).parent) + (found[2] or "")

    lines, fence = [], None
    for line in text.splitlines(keepends=True):
        mark = _FENCE.match(line)
        if mark and fence is None:
            fence = mark[1]
        elif mark and fence is not None and mark[1].startswith(fence):
            fence = None
        elif fence is None:
            line = _TARGET.sub(moved, line)  # noqa: PLW2901  the line as the site has it
        lines.append(line)
    return "".join(lines)
