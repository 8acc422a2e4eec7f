"""Find what a provider's words and ids quote of a message (D-243)."""

from __future__ import annotations

import re
from collections.abc import Iterable

_WORD = re.compile(r"\w+")
# Three words in a row are a quotation; a single one may be anybody's, unless it is long and has a digit.
_RUN, _TELLING = 3, 3
_LEAST_QUOTED = 4


def quotes(found: str, text: str) -> bool:
    """Return whether an id is a text, or a part of it, such as its code; ids are stored (D-243)."""
    return min(len(found), len(text)) >= _LEAST_QUOTED and (found in text or text in found)


def without_quotations(shown: str, texts: Iterable[str], destination: str) -> str:
    """Replace the recipient's address, runs of words from the texts, and their words with a digit."""
    local = destination.partition("@")[0]
    for own in (destination, local):
        shown = re.sub(rf"(?<!\w){re.escape(own)}(?!\w)", "…", shown, flags=re.IGNORECASE)
    mine = [each.casefold() for each in _WORD.findall(" ".join(texts))]
    found = list(_WORD.finditer(shown))
    theirs = [each[0].casefold() for each in found]
    runs = {tuple(mine[at : at + _RUN]) for at in range(len(mine) - _RUN + 1)}
    telling = {each for each in mine if len(each) >= _TELLING and not each.isalpha()}
    hidden = {at for at, word in enumerate(theirs) if word in telling}
    for at in range(len(theirs) - _RUN + 1):
        if tuple(theirs[at : at + _RUN]) in runs:
            hidden.update(range(at, at + _RUN))
    kept, end = [], 0
    for at in sorted(hidden):
        kept.append(shown[end : found[at].start()] + "…")
        end = found[at].end()
    return re.sub("…(?: …)+", "…", "".join(kept) + shown[end:])
