"""Rules for interactive WhatsApp messages in Meta's shape: buttons, lists, links and more (C-26)."""

from __future__ import annotations

from ..meta_object import MetaObject, require_distinct
from .whatsapp_media import check_medium

MAX_BODY = 1_024
MAX_LIST_BODY = 4_096
MAX_HEADER = 60
MAX_FOOTER = 60
MAX_LABEL = 20
MAX_BUTTONS = 3
MAX_REPLY_ID = 256
MAX_SECTIONS = 10
MAX_ROWS = 10
MAX_ROW_ID = 200
MAX_ROW_TITLE = 24
MAX_ROW_DESCRIPTION = 72
MAX_NAME = 64
_HEADERS = ("text", "image", "video", "document")
# Meta alone checks these: their actions are passed on unchanged (D-93).
OPEN_ACTIONS = ("flow", "product", "product_list", "catalog_message")
KINDS = ("button", "list", "cta_url", "location_request_message", *OPEN_ACTIONS)


def check_interactive(message: MetaObject) -> None:
    """Note the problems of an object of type `interactive`."""
    kind = message.word("type", KINDS)
    if kind is None:
        return
    _check_header(message, ("text",) if kind in ("list", "product_list") else _HEADERS)
    body = message.part("body", required=kind != "product")
    if body is not None:
        body.text("text", MAX_LIST_BODY if kind == "list" else MAX_BODY)
    footer = message.part("footer", required=False)
    if footer is not None:
        footer.text("text", MAX_FOOTER)
    action = message.part("action")
    if action is None:
        return
    match kind:
        case "button":
            _check_buttons(action)
        case "list":
            _check_list(action)
        case "cta_url":
            _check_link(action)
        case "location_request_message":
            action.word("name", ("send_location",))


def _check_header(message: MetaObject, kinds: tuple[str, ...]) -> None:
    header = message.part("header", required=False)
    kind = header.word("type", kinds) if header is not None else None
    if header is None or kind is None:
        return
    if kind == "text":
        header.text("text", MAX_HEADER)
        return
    medium = header.part(kind)
    if medium is not None:
        check_medium(medium)


def _check_buttons(action: MetaObject) -> None:
    replies = []
    for button in action.parts("buttons", 1, MAX_BUTTONS):
        button.word("type", ("reply",))
        reply = button.part("reply")
        if reply is not None:
            reply.text("id", MAX_REPLY_ID)
            reply.text("title", MAX_LABEL)
            replies.append(reply)
    require_distinct(replies, "id")
    require_distinct(replies, "title")


def _check_list(action: MetaObject) -> None:
    action.text("button", MAX_LABEL)
    sections = action.parts("sections", 1, MAX_SECTIONS)
    rows: list[MetaObject] = []
    for section in sections:
        section.text("title", MAX_ROW_TITLE, required=len(sections) > 1)
        rows += section.parts("rows", 1, MAX_ROWS)
    if len(rows) > MAX_ROWS:
        action.note(f"must have at most {MAX_ROWS} rows in all", "sections")
        return
    for row in rows:
        row.text("id", MAX_ROW_ID)
        row.text("title", MAX_ROW_TITLE)
        row.text("description", MAX_ROW_DESCRIPTION, required=False)
    require_distinct(rows, "id")


def _check_link(action: MetaObject) -> None:
    action.word("name", ("cta_url",))
    parameters = action.part("parameters")
    if parameters is not None:
        parameters.text("display_text", MAX_LABEL)
        parameters.url("url")
