"""Cards and carousels of RCS Business Messaging (SPEC 2.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .....domain.public_url import url_problem
from .....domain.rcs_template import (
    Alignment,
    Card,
    Carousel,
    Height,
    RichCard,
    TextMessageWithMedia,
    Vertical,
    Width,
)
from . import limits
from .limits import check_number, checked_text, unfit
from .suggestions import suggestions

Part = Mapping[str, Any]
_HEIGHTS = {
    Height.SHORT_HEIGHT: "SHORT",
    Height.MEDIUM_HEIGHT: "MEDIUM",
    Height.TALL_HEIGHT: "TALL",
}
# RCS has two widths; the shortest of ours is the smaller one.
_WIDTHS = {Width.MEDIUM_WIDTH: "MEDIUM", Width.SMALL_WIDTH: "SMALL", Width.SHORT_WIDTH: "SMALL"}
_SIDES = {Alignment.LEFT: "LEFT", Alignment.RIGHT: "RIGHT"}
_NOT_PUBLIC = (
    "A file has no address from which Google can load it. Start the service with --public-url, or give"
    " the file's public URL in the template."
)


def standalone_card(content: RichCard) -> Part:
    """Return a card; its height counts in the vertical layout alone."""
    layout = content.layout
    is_vertical = isinstance(layout, Vertical)
    height = _HEIGHTS[layout.height] if isinstance(layout, Vertical) else "MEDIUM"
    card: dict[str, Any] = {
        "cardOrientation": "VERTICAL" if is_vertical else "HORIZONTAL",
        "cardContent": _card(content.stand_alone, height),
    }
    if not isinstance(layout, Vertical):
        card["thumbnailImageAlignment"] = _SIDES[layout.alignment]
    return {"standaloneCard": card}


def carousel_card(content: Carousel) -> Part:
    """Return a carousel; small cards have no tall media, so theirs are medium (D-291)."""
    cards = content.carousel_list
    check_number(len(cards), limits.MOST_CARDS, "cards")
    if len(cards) < limits.LEAST_CARDS:
        raise unfit("rcs_card_missing", f"A carousel has at least {limits.LEAST_CARDS} cards.")
    width, height = _WIDTHS[content.width], _HEIGHTS[content.height]
    if width == "SMALL" and height == "TALL":
        height = "MEDIUM"
    return {
        "carouselCard": {
            "cardWidth": width,
            "cardContents": [_card(each, height) for each in cards],
        }
    }


def card_with_text(content: TextMessageWithMedia) -> Part:
    """Return a text and its medium as a card without a title; the medium is on top (D-291)."""
    described = checked_text(
        content.text_message_content, limits.CARD_DESCRIPTION, "text beside the medium"
    )
    shown = {"description": described, "media": _media(content.document_url, None, "MEDIUM")}
    return {"standaloneCard": {"cardOrientation": "VERTICAL", "cardContent": shown}}


def _card(card: Card, height: str) -> Part:
    return {
        "title": checked_text(card.card_title, limits.CARD_TITLE, "title of a card"),
        "description": checked_text(
            card.card_description, limits.CARD_DESCRIPTION, "description of a card"
        ),
        "media": _media(card.media_url, card.thumbnail_url, height),
        **suggestions(card.suggestions, limits.CARD_SUGGESTIONS),
    }


def _media(url: str | None, thumbnail: str | None, height: str) -> Part:
    info = {"fileUrl": _file(url)}
    if thumbnail:
        info["thumbnailUrl"] = _file(thumbnail)
    return {"height": height, "contentInfo": info}


def _file(url: str | None) -> str:
    if not url or url_problem(url) is not None or len(url) > limits.URL:
        raise unfit("rcs_file_not_public", _NOT_PUBLIC)
    return url
