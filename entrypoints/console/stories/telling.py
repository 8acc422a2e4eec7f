"""One event in words: a sentence, and whether it is good or bad news (D-503)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum

from attrs import frozen

from ....domain.channel import Channel
from ....domain.price import Price


class Tone(StrEnum):
    """Whether what happened is good news, bad news, a warning or none of them."""

    PLAIN = "plain"
    GOOD = "good"
    WARN = "warn"
    BAD = "bad"


@frozen
class Told:
    """
    An event in words.

    The sentence has no personal and no secret member of the event: what a reader may see of those stands
    in the facts beside it.
    """

    sentence: str
    tone: Tone = Tone.PLAIN


def good(sentence: str) -> Told:
    """Tell good news."""
    return Told(sentence, Tone.GOOD)


def warn(sentence: str) -> Told:
    """Tell what somebody should look at."""
    return Told(sentence, Tone.WARN)


def bad(sentence: str) -> Told:
    """Tell bad news."""
    return Told(sentence, Tone.BAD)


_CHANNELS: Mapping[str, str] = {
    Channel.SMS: "SMS",
    Channel.WHATSAPP: "WhatsApp",
    Channel.RCS: "RCS",
    Channel.EMAIL: "e-mail",
}


def channel_words(channel: str) -> str:
    """Return the name of a channel as people write it; a third party's is as it was registered."""
    return _CHANNELS.get(channel, channel)


def listed(words: Iterable[str], last: str = "and") -> str:
    """Join words: `a`, `a and b`, `a, b and c`."""
    *ahead, end = [*words] or ["nothing"]
    return f"{', '.join(ahead)} {last} {end}" if ahead else end


def counted(number: int, word: str, words: str | None = None) -> str:
    """Return a number with its noun in the singular or plural."""
    return f"{number:,} {word if number == 1 else words or f'{word}s'}"


def because(code: str | None) -> str:
    """Return an error code as the end of a sentence; nothing without a code."""
    return "" if code is None else f", with the code {code}"


def priced(segments: int | None, price: Price | None) -> str:
    """Return what a provider counted, as a sentence of its own; nothing if it said nothing."""
    said = [] if segments is None else [counted(segments, "segment")]
    said += [] if price is None else [f"{price.amount} {price.currency}"]
    return f" The provider counts {listed(said)}." if said else ""
