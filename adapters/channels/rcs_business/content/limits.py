"""Limits of RCS Business Messaging; a content past them is refused before anything is sent (D-291)."""

from __future__ import annotations

from .....application.ports.channels import Fault
from ...http_client.failures import NotSentError

TEXT = 3_072
CARD_TITLE, CARD_DESCRIPTION = 200, 2_000
SUGGESTIONS, CARD_SUGGESTIONS = 11, 4
SUGGESTION_TEXT, POSTBACK, URL = 25, 2_048, 2_048
EVENT_TITLE, EVENT_DESCRIPTION = 100, 500
LEAST_CARDS, MOST_CARDS = 2, 10


def checked_text(text: str, most: int, part: str) -> str:
    """Return a text; raises `NotSentError`, which names the part, if it is blank or too long."""
    if not text.strip():
        raise unfit("rcs_text_missing", f"The {part} is empty.")
    if len(text) > most:
        words = f"The {part} has {len(text)} characters; RCS takes {most}."
        raise unfit("rcs_text_too_long", words)
    return text


def check_number(number: int, most: int, parts: str) -> None:
    """Raise `NotSentError` if there are too many parts."""
    if number > most:
        raise unfit("rcs_too_many_parts", f"There are {number} {parts}; RCS takes {most}.")


def unfit(code: str, words: str) -> NotSentError:
    """Return the refusal of a content that RCS cannot show."""
    return NotSentError(code.removeprefix("rcs_"), words, Fault.CONTENT)
