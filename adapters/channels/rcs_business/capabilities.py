"""The answer to the question which RCS features a number has, in words for operators (C-67)."""

from __future__ import annotations

import re

from ..http_client.exchanges import Answer
from ..http_client.reading_answers import json_of

_FEATURE = re.compile("[A-Z_]{1,60}")
_MOST_FEATURES = 30


def capability_words(answer: Answer) -> str:
    """Return whether the number takes RCS messages of the agent."""
    if answer.status == 404:
        return "the number takes no RCS messages of this agent"
    document = json_of(answer)
    if answer.status != 200 or not isinstance(document, dict):
        return f"whether the number takes RCS is not known: the answer was {answer.status}"
    given = document.get("features", [])
    features = [
        each
        for each in (given if isinstance(given, list) else [])
        if isinstance(each, str) and _FEATURE.fullmatch(each)
    ]
    shown = ", ".join(features[:_MOST_FEATURES])
    return f"the number takes RCS: {shown}" if shown else "the number takes RCS"
