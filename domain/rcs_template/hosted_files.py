"""Replace the files that came with an RCS template by their addresses (SPEC 2.2, C-25)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import assert_never

import attrs

from .content import (
    Card,
    Carousel,
    HostedFile,
    RichCard,
    TemplateContent,
    TextMessage,
    TextMessageWithMedia,
)


def with_files(
    content: TemplateContent, files: Iterable[HostedFile], address_of: Callable[[str], str]
) -> TemplateContent:
    """Fill in the addresses of media for file names without a URL."""
    links = {each.name: address_of(each.media_id) for each in files}
    match content:
        case TextMessage():
            return content
        case TextMessageWithMedia():
            link = links.get(content.document_file_name or "")
            return attrs.evolve(content, document_url=content.document_url or link)
        case RichCard():
            return attrs.evolve(content, stand_alone=_hosted(content.stand_alone, links))
        case Carousel():
            cards = tuple(_hosted(each, links) for each in content.carousel_list)
            return attrs.evolve(content, carousel_list=cards)
        case _:
            assert_never(content)


def _hosted(card: Card, links: Mapping[str, str]) -> Card:
    medium = links.get(card.file_name or card.document_file_name or "")
    return attrs.evolve(
        card,
        media_url=card.media_url or medium,
        thumbnail_url=card.thumbnail_url or links.get(card.thumbnail_file_name or ""),
    )
