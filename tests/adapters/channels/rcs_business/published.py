"""
The published shape of an AgentMessage, written down from Google's reference of phones.agentMessages.

Each entry names a member: its type or shape, and for texts the most characters. `!` marks required ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")
_TTL = re.compile(r"([0-9]+)(\.[0-9]{1,9})?s")
Shape = Callable[[Any], Iterator[str]]


def text(most: int) -> Shape:
    """Return the shape of a text."""

    def check(value: Any) -> Iterator[str]:
        if not isinstance(value, str) or not 1 <= len(value) <= most:
            yield f"is no text of 1 to {most}"

    return check


def matching(pattern: re.Pattern[str]) -> Shape:
    """Return the shape of a text of one form."""

    def check(value: Any) -> Iterator[str]:
        if not isinstance(value, str) or not pattern.fullmatch(value):
            yield "has the wrong form"

    return check


def one_of(*words: str) -> Shape:
    """Return the shape of an enumeration."""

    def check(value: Any) -> Iterator[str]:
        if value not in words:
            yield f"is none of {words}"

    return check


def number(most: int) -> Shape:
    """Return the shape of degrees."""

    def check(value: Any) -> Iterator[str]:
        if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > most:
            yield "is no degree"

    return check


def listed(shape: Shape, least: int, most: int) -> Shape:
    """Return the shape of a list."""

    def check(value: Any) -> Iterator[str]:
        if not isinstance(value, list) or not least <= len(value) <= most:
            yield f"is no list of {least} to {most}"
            return
        for index, each in enumerate(value):
            yield from (f"[{index}]{problem}" for problem in shape(each))

    return check


def members(shapes: Mapping[str, Shape], *, one: tuple[str, ...] = ()) -> Shape:
    """Return the shape of an object; of the members in `one`, it has exactly one."""
    by_name = {name.rstrip("!"): shape for name, shape in shapes.items()}
    required = {name.rstrip("!") for name in shapes if name.endswith("!")}

    def check(value: Any) -> Iterator[str]:
        if not isinstance(value, dict):
            yield " is no object"
            return
        for name, each in value.items():
            if name not in by_name:
                yield f".{name} is unknown"
            else:
                yield from (f".{name}{problem}" for problem in by_name[name](each))
        yield from (f".{name} is missing" for name in required - value.keys())
        if one and len(value.keys() & {*one}) != 1:
            yield f" has not exactly one of {one}"

    return check


_ADDRESS = text(2_048)
_ACTIONS: Mapping[str, Shape] = {
    "dialAction": members({"phoneNumber!": matching(re.compile(r"[0-9+*#]+"))}),
    "viewLocationAction": members(
        {
            "latLong": members({"latitude!": number(90), "longitude!": number(180)}),
            "label": text(2_000),
            "query": text(2_000),
        },
        one=("latLong", "query"),
    ),
    "createCalendarEventAction": members(
        {
            "startTime!": matching(_TIME),
            "endTime!": matching(_TIME),
            "title!": text(100),
            "description": text(500),
        }
    ),
    "openUrlAction": members(
        {
            "url!": _ADDRESS,
            "application": one_of("BROWSER", "WEBVIEW"),
            "webviewViewMode": one_of("FULL", "HALF", "TALL"),
        }
    ),
    "shareLocationAction": members({}),
}
_SUGGESTION = members(
    {
        "reply": members({"text!": text(25), "postbackData!": text(2_048)}),
        "action": members(
            {"text!": text(25), "postbackData!": text(2_048), "fallbackUrl": _ADDRESS, **_ACTIONS},
            one=tuple(_ACTIONS),
        ),
    },
    one=("reply", "action"),
)
_CONTENT_INFO = members({"fileUrl!": _ADDRESS, "thumbnailUrl": _ADDRESS})
_CARD = members(
    {
        "title": text(200),
        "description": text(2_000),
        "media": members(
            {"height!": one_of("SHORT", "MEDIUM", "TALL"), "contentInfo!": _CONTENT_INFO}
        ),
        "suggestions": listed(_SUGGESTION, 1, 4),
    }
)
_RICH_CARD = members(
    {
        "standaloneCard": members(
            {
                "cardOrientation!": one_of("HORIZONTAL", "VERTICAL"),
                "thumbnailImageAlignment": one_of("LEFT", "RIGHT"),
                "cardContent!": _CARD,
            }
        ),
        "carouselCard": members(
            {"cardWidth!": one_of("SMALL", "MEDIUM"), "cardContents!": listed(_CARD, 2, 10)}
        ),
    },
    one=("standaloneCard", "carouselCard"),
)
_AGENT_MESSAGE = members(
    {
        "contentMessage!": members(
            {
                "text": text(3_072),
                "richCard": _RICH_CARD,
                "contentInfo": _CONTENT_INFO,
                "suggestions": listed(_SUGGESTION, 1, 11),
            },
            one=("text", "richCard", "contentInfo"),
        ),
        "messageTrafficType!": one_of(
            "AUTHENTICATION", "TRANSACTION", "PROMOTION", "SERVICEREQUEST", "ACKNOWLEDGEMENT"
        ),
        "ttl": matching(_TTL),
        "expireTime": matching(_TIME),
    }
)


def agent_message_problems(document: Any) -> list[str]:
    """Return why Google would refuse a message; empty if it would take it."""
    problems = [f"message{each}" for each in _AGENT_MESSAGE(document)]
    if problems:
        return problems
    ttl = _TTL.fullmatch(document.get("ttl", "1s"))
    if ttl is None or not 1 <= int(ttl[1]) <= 15 * 86_400:
        problems.append("message.ttl is not from 1 s to 15 days")
    card = document["contentMessage"].get("richCard", {})
    alone, row = card.get("standaloneCard", {}), card.get("carouselCard", {})
    if (alone.get("cardOrientation") == "HORIZONTAL") != ("thumbnailImageAlignment" in alone):
        problems.append("a horizontal card has a side, and no other")
    heights = {each["media"]["height"] for each in row.get("cardContents", ())}
    if len(heights) > 1 or (row.get("cardWidth") == "SMALL" and "TALL" in heights):
        problems.append("the cards of a row have one height, and small ones are not tall")
    return problems
