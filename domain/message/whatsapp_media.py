"""Media in WhatsApp messages, by the id of an upload or by a link (C-26)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from ..meta_object import MetaObject
from .content import Content, WhatsappSessionContent, WhatsappTemplateContent

MAX_MEDIA_ID = 200
# The media objects of Meta's API.
MEDIA = ("image", "video", "document", "audio")


def check_medium(medium: MetaObject) -> None:
    """Note a medium without exactly one of an id and a link, or with a link that is not public."""
    if medium.has("id") == medium.has("link"):
        medium.note("must have either an id or a link")
    medium.text("id", MAX_MEDIA_ID, required=False)
    medium.url("link", required=False)


def media_ids(content: Content, path: str) -> Iterator[tuple[str, str]]:
    """Yield the path and the id of each upload in a content."""
    match content:
        case WhatsappSessionContent(type=kind, body=body):
            yield from _ids(body, kind, path)
        case WhatsappTemplateContent(components=components):
            yield from _ids(components, "", path)


def with_links(content: Content, links: Mapping[str, str]) -> Content:
    """Return a content in which the links of uploads replace their ids."""
    match content:
        case WhatsappSessionContent(type=kind, body=body):
            return attrs.evolve(content, body=_linked(body, kind, links))
        case WhatsappTemplateContent(components=components):
            linked = tuple(_linked(each, "", links) for each in components)
            return attrs.evolve(content, components=linked)
        case _:
            return content


def _ids(value: Any, name: str, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        media_id = value.get("id")
        if name in MEDIA and isinstance(media_id, str):
            yield f"{path}.id", media_id
        for inner, each in value.items():
            yield from _ids(each, inner, f"{path}.{inner}")
    elif isinstance(value, list | tuple):
        for index, each in enumerate(value):
            yield from _ids(each, name, f"{path}[{index}]")


def _linked(value: Any, name: str, links: Mapping[str, str]) -> Any:
    if isinstance(value, Mapping):
        linked = {inner: _linked(each, inner, links) for inner, each in value.items()}
        link = links.get(value.get("id", "")) if name in MEDIA else None
        if link is not None:
            del linked["id"]
            linked["link"] = link
        return linked
    if isinstance(value, list | tuple):
        return [_linked(each, name, links) for each in value]
    return value
