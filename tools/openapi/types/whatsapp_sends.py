"""The contents of WhatsApp messages in Meta's shape: values of templates, and session messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tools.openapi.patterns import any_case
from tools.openapi.schemas import an_object, or_null, reference
from tools.openapi.types.shapes import (
    a_list,
    any_of,
    members,
    one_of,
    tagged,
    text,
    url,
    whole,
)
from watchword.domain.message import whatsapp_interactive_fields as interactive
from watchword.domain.message import whatsapp_session_fields as session
from watchword.domain.message.whatsapp_media import MAX_MEDIA_ID
from watchword.domain.template_filling import whatsapp_components as filling

_DIGITS = {"type": ["number", "string"]}
_SHOWN = whole(fallback_value=text(filling.MAX_TEXT))
_INDEX = {
    "anyOf": [
        {"type": "string", "pattern": "^[0-9]$"},
        {"type": "integer", "minimum": 0, "maximum": 9},
    ]
}


def _word(*words: str) -> dict[str, Any]:
    return {"type": "string", "pattern": any_case(words)}


def _parameters(*names: str) -> dict[str, Any]:
    return a_list(one_of(*names), 0, filling.MAX_PARAMETERS, required=False)


def _medium(name: str, **more: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a medium, which is named by either an id or a link."""
    null = {"type": "null"}
    return {
        f"{name}ById": members(["id"], id=text(MAX_MEDIA_ID), link=null, **more),
        f"{name}ByLink": members(["link"], id=null, link=url(), **more),
        name: one_of(f"{name}ById", f"{name}ByLink"),
    }


_CAPTION = text(session.MAX_CAPTION, required=False)
_IN_WORDS = ("WaText", "WaCurrency", "WaDateTime")
_MEDIA = ("WaImage", "WaVideo", "WaDocument")

_PARAMETERS: Mapping[str, Any] = {
    "WaPlace": members(
        ["latitude", "longitude"],
        latitude=_DIGITS,
        longitude=_DIGITS,
        name=text(filling.MAX_PLACE, required=False),
        address=text(filling.MAX_PLACE, required=False),
    ),
    **_medium("WaMedia"),
    "WaShown": _SHOWN,
    "WaText": tagged("text", text(filling.MAX_TEXT)),
    "WaCurrency": tagged("currency", reference("WaShown")),
    "WaDateTime": tagged("date_time", reference("WaShown")),
    "WaImage": tagged("image", reference("WaMedia")),
    "WaVideo": tagged("video", reference("WaMedia")),
    "WaDocument": tagged("document", reference("WaMedia")),
    "WaLocation": tagged("location", reference("WaPlace")),
    "WaPayload": tagged("payload", text(filling.MAX_PAYLOAD)),
    "WaCouponCode": tagged("coupon_code", text(filling.MAX_COUPON)),
}

_COMPONENTS: Mapping[str, Any] = {
    "WaHeaderComponent": members(
        ["type"], type=_word("header"), parameters=_parameters(*_IN_WORDS, *_MEDIA, "WaLocation")
    ),
    "WaBodyComponent": members(["type"], type=_word("body"), parameters=_parameters(*_IN_WORDS)),
    "WaButtonComponent": members(
        ["type", "sub_type", "index"],
        type=_word("button"),
        sub_type=_word(*filling.SUB_TYPES),
        index=_INDEX,
        parameters=_parameters("WaText", "WaPayload", "WaCouponCode"),
    ),
    "WaCarouselComponent": whole(
        type=_word("carousel"), cards=a_list(reference("WaCard"), 1, filling.MAX_CARDS)
    ),
    "WaCard": whole(
        card_index={"type": "integer", "minimum": 0, "maximum": filling.MAX_CARDS - 1},
        components=a_list(reference("WaComponent"), 0, filling.MAX_COMPONENTS),
    ),
    "WaComponent": any_of(
        "WaHeaderComponent", "WaBodyComponent", "WaButtonComponent", "WaCarouselComponent"
    ),
    "WaComponents": a_list(reference("WaComponent"), 0, filling.MAX_COMPONENTS),
}

_SESSION: Mapping[str, Any] = {
    "WaSessionText": members(
        ["body"], body=text(session.MAX_TEXT), preview_url={"type": ["boolean", "null"]}
    ),
    **_medium("WaSessionMedia", caption=_CAPTION),
    **_medium(
        "WaSessionDocument",
        caption=_CAPTION,
        filename=text(session.MAX_FILE_NAME, required=False),
    ),
}

_HEADERS = ("WaInteractiveTextHeader", *_MEDIA)


def _interactive(
    kinds: tuple[str, ...], body: str, action: dict[str, Any], headers: tuple[str, ...] = _HEADERS
) -> dict[str, Any]:
    """Return the schema of an interactive message: its texts and its action."""
    kind = {"const": kinds[0]} if len(kinds) == 1 else {"type": "string", "enum": [*kinds]}
    # Only a product message needs no body.
    said = or_null(reference(body)) if kinds == ("product",) else reference(body)
    return an_object(
        {
            "type": kind,
            "header": or_null(one_of(*headers) if len(headers) > 1 else reference(headers[0])),
            "body": said,
            "footer": or_null(reference("WaInteractiveFooter")),
            "action": action,
        },
        ["type", "action"] if kinds == ("product",) else ["type", "body", "action"],
    )


_TEXT_ONLY = ("WaInteractiveTextHeader",)
_ANYTHING: dict[str, Any] = {"type": "object"}

_INTERACTIVE: Mapping[str, Any] = {
    "WaInteractiveTextHeader": tagged("text", text(interactive.MAX_HEADER)),
    "WaInteractiveBody": whole(text=text(interactive.MAX_BODY)),
    "WaInteractiveListBody": whole(text=text(interactive.MAX_LIST_BODY)),
    "WaInteractiveFooter": whole(text=text(interactive.MAX_FOOTER)),
    "WaReply": whole(id=text(interactive.MAX_REPLY_ID), title=text(interactive.MAX_LABEL)),
    "WaReplyButton": tagged("reply", reference("WaReply")),
    "WaButtonsAction": whole(
        buttons=a_list(reference("WaReplyButton"), 1, interactive.MAX_BUTTONS)
    ),
    "WaListRow": members(
        ["id", "title"],
        id=text(interactive.MAX_ROW_ID),
        title=text(interactive.MAX_ROW_TITLE),
        description=text(interactive.MAX_ROW_DESCRIPTION, required=False),
    ),
    "WaListSection": members(
        ["rows"],
        title=text(interactive.MAX_ROW_TITLE, required=False),
        rows=a_list(reference("WaListRow"), 1, interactive.MAX_ROWS),
    ),
    "WaListAction": whole(
        button=text(interactive.MAX_LABEL),
        sections=a_list(reference("WaListSection"), 1, interactive.MAX_SECTIONS),
    ),
    "WaLink": whole(display_text=text(interactive.MAX_LABEL), url=url()),
    "WaLinkAction": whole(name={"const": "cta_url"}, parameters=reference("WaLink")),
    "WaLocationAction": whole(name={"const": "send_location"}),
    "WaInteractiveButtons": _interactive(
        ("button",), "WaInteractiveBody", reference("WaButtonsAction")
    ),
    "WaInteractiveList": _interactive(
        ("list",), "WaInteractiveListBody", reference("WaListAction"), _TEXT_ONLY
    ),
    "WaInteractiveLink": _interactive(("cta_url",), "WaInteractiveBody", reference("WaLinkAction")),
    "WaInteractiveLocation": _interactive(
        ("location_request_message",), "WaInteractiveBody", reference("WaLocationAction")
    ),
    "WaInteractiveProductList": _interactive(
        ("product_list",), "WaInteractiveBody", _ANYTHING, _TEXT_ONLY
    ),
    "WaInteractiveProduct": _interactive(("product",), "WaInteractiveBody", _ANYTHING),
    "WaInteractiveOther": _interactive(("flow", "catalog_message"), "WaInteractiveBody", _ANYTHING),
    "WaInteractive": one_of(
        "WaInteractiveButtons",
        "WaInteractiveList",
        "WaInteractiveLink",
        "WaInteractiveLocation",
        "WaInteractiveProductList",
        "WaInteractiveProduct",
        "WaInteractiveOther",
    ),
}

NAMED: Mapping[str, Any] = {**_PARAMETERS, **_COMPONENTS, **_SESSION, **_INTERACTIVE}
