"""The text of a WhatsApp session message, for readers (C-26)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .content import WhatsappSessionContent
from .whatsapp_media import MEDIA
from .wording import button, lines


def session_wording(content: WhatsappSessionContent) -> str:
    """Return a message as a person reads it: media by their URLs, buttons in brackets."""
    said = content.body
    if content.type == "text":
        return _text(said, "body")
    if content.type == "interactive":
        return lines(
            _header(said),
            _text(said, "body", "text"),
            _text(said, "footer", "text"),
            *_action(said),
        )
    return lines(_medium(said), _text(said, "caption"))


def _header(said: Any) -> str:
    header = _at(said, "header")
    medium = next((_at(header, kind) for kind in MEDIA if _at(header, kind)), None)
    return _medium(medium) if medium else _text(header, "text")


def _action(said: Any) -> Iterator[str]:
    action = _at(said, "action")
    for each in _list(action, "buttons"):
        yield button(_text(each, "reply", "title"))
    if _text(action, "button"):
        yield button(_text(action, "button"))
    for section in _list(action, "sections"):
        yield _text(section, "title")
        for row in _list(section, "rows"):
            yield " - ".join(filter(None, (_text(row, "title"), _text(row, "description"))))
    if _text(action, "parameters", "url"):
        yield button(
            _text(action, "parameters", "display_text"), _text(action, "parameters", "url")
        )


def _medium(medium: Any) -> str:
    return _text(medium, "link") or _text(medium, "id")


def _at(value: Any, *names: str) -> Any:
    for name in names:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def _text(value: Any, *names: str) -> str:
    text = _at(value, *names)
    return text if isinstance(text, str) else ""


def _list(value: Any, name: str) -> list[Any]:
    listed = _at(value, name)
    return [*listed] if isinstance(listed, list | tuple) else []
