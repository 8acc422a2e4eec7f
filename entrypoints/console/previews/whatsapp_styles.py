"""The styles that WhatsApp reads from marks in a text: bold, italic, struck through, code."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .shown import Run, Style, Text, restyled

# A mark counts at the edge of a word, and where the marked text begins and ends without a blank. No part of
# the pattern can be read in two ways, so a hostile text takes no longer than another.
_CODE = re.compile(r"```(?P<code>[^`]+)```|`(?P<short>[^`\n]+)`")
_MARKED = re.compile(
    r"(?<![\w*_~])(?P<mark>[*_~])(?P<marked>[^\s*_~](?:[^\n*_~]*[^\s*_~])?)(?P=mark)(?![\w*_~])"
)
_STYLES = {"*": Style.STRONG, "_": Style.EMPHASIS, "~": Style.STRUCK}


def styled(text: Text) -> Text:
    """Return a text with its marks replaced by styles; blanks and marks without a partner stay."""
    return restyled(restyled(text, _with_code), _with_marks)


def _with_code(text: str) -> Iterator[Run]:
    at = 0
    for found in _CODE.finditer(text):
        yield from _between(text[at : found.start()])
        yield Run(found["code"] or found["short"], Style.CODE)
        at = found.end()
    yield from _between(text[at:])


def _with_marks(text: str) -> Iterator[Run]:
    at = 0
    for found in _MARKED.finditer(text):
        yield from _between(text[at : found.start()])
        yield Run(found["marked"], _STYLES[found["mark"]])
        at = found.end()
    yield from _between(text[at:])


def _between(text: str) -> Iterator[Run]:
    if text:
        yield Run(text)
