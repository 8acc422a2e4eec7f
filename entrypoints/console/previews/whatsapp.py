"""The preview of a WhatsApp message: of a template in Meta's shape, and of a session message (C-26)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from ....domain.message import WhatsappSessionContent
from ....domain.template_filling.whatsapp_components import GivenComponent, read_components
from ....domain.template_filling.whatsapp_filling import code_text, expiry_text, values_of
from ....domain.whatsapp_template import CodeBody
from ....domain.whatsapp_template.variables import filled
from .reading import at, list_at, text_at, texts_at
from .shown import (
    OPENS,
    REPLIES,
    Bubble,
    Button,
    Medium,
    Preview,
    Text,
    numbered_blanks,
    plain,
)
from .whatsapp_styles import styled

MEDIA = ("image", "video", "document", "audio", "sticker")
_COPY_CODE = "Copy code"


def template_preview(
    template: Mapping[str, Any],
    values: Sequence[Mapping[str, Any]] | None = None,
    *,
    sender: str = "",
) -> Preview:
    """
    Return the preview of a template in Meta's shape.

    `values` are the components of a send. Without them the author's examples stand in the variables, and a
    variable without an example is a blank.
    """
    given = None if values is None else read_components(tuple(values), "")[0]
    on_cards = {card.index: card.components for each in given or () for card in each.cards}
    authenticates = text_at(template, "category").upper() == "AUTHENTICATION"
    cards = next((list_at(each, "cards") for each in _of_type(template, "CAROUSEL")), [])
    return Preview(
        channel="whatsapp",
        sender=sender,
        bubbles=(_bubble(template, given, authenticates=authenticates),),
        cards=tuple(
            _bubble(card, None if given is None else on_cards.get(index, ()))
            for index, card in enumerate(cards)
        ),
    )


def session_preview(content: WhatsappSessionContent, *, sender: str = "") -> Preview:
    """Return the preview of a session message, whose body is Meta's object for its type."""
    body = content.body
    match content.type:
        case "text":
            bubble = Bubble(text=styled(plain(text_at(body, "body"))))
        case "interactive":
            bubble = _interactive(body)
        case kind:
            bubble = Bubble(
                medium=_medium(kind, body), text=styled(plain(text_at(body, "caption")))
            )
    return Preview(channel="whatsapp", sender=sender, bubbles=(bubble,))


def _bubble(
    part: Any, given: Sequence[GivenComponent] | None, *, authenticates: bool = False
) -> Bubble:
    """Return the bubble of a template or the card of a carousel; its components come in any order."""
    header = next(iter(_of_type(part, "HEADER")), None)
    body = next(iter(_of_type(part, "BODY")), None)
    footer = next(iter(_of_type(part, "FOOTER")), None)
    kind = text_at(header, "format").upper()
    return Bubble(
        medium=_header_medium(header, kind, given) if kind and kind != "TEXT" else None,
        title=_filled(
            text_at(header, "text") if kind in ("", "TEXT") else "",
            texts_at(header, "example", "header_text"),
            _given(given, "header"),
        ),
        text=styled(
            _filled(
                _body_text(body, authenticates=authenticates),
                _body_example(body),
                _given(given, "body"),
            )
        ),
        footer=_footer_text(footer),
        buttons=_buttons(part, given),
    )


def _of_type(part: Any, kind: str) -> list[Any]:
    return [each for each in list_at(part, "components") if text_at(each, "type").upper() == kind]


def _body_text(body: Any, *, authenticates: bool) -> str:
    if not authenticates or body is None:
        return text_at(body, "text")
    said = CodeBody(
        text=text_at(body, "text") or None,
        add_security_recommendation=at(body, "add_security_recommendation") is True,
    )
    return code_text(said)


def _body_example(body: Any) -> list[str]:
    rows = list_at(body, "example", "body_text")
    # Meta's shape has a list in a list.
    return [
        each for row in rows[:1] if isinstance(row, list) for each in row if isinstance(each, str)
    ]


def _footer_text(footer: Any) -> str:
    minutes = at(footer, "code_expiration_minutes")
    return expiry_text(minutes) if isinstance(minutes, int) else text_at(footer, "text")


def _header_medium(header: Any, kind: str, given: Sequence[GivenComponent] | None) -> Medium:
    values = _given(given, "header")
    if values is None:
        values = texts_at(header, "example", "header_handle")
    return Medium(kind.lower(), next(iter(values), ""))


def _given(given: Sequence[GivenComponent] | None, kind: str) -> list[str] | None:
    """Return the values of a send for a part; None in the preview of a template."""
    return None if given is None else values_of(given, kind)


def _filled(text: str, examples: Sequence[str], values: Sequence[str] | None) -> Text:
    return numbered_blanks(filled(text, examples if values is None else values))


def _buttons(part: Any, given: Sequence[GivenComponent] | None) -> tuple[Button, ...]:
    listed = chain.from_iterable(list_at(each, "buttons") for each in _of_type(part, "BUTTONS"))
    pressed = {each.index: each.parameters for each in given or () if each.type == "button"}
    return tuple(
        _button(each, None if given is None else [value.shown for value in pressed.get(index, ())])
        for index, each in enumerate(listed)
    )


def _button(button: Any, values: Sequence[str] | None) -> Button:
    label = text_at(button, "text")
    match text_at(button, "type").upper():
        case "QUICK_REPLY":
            return Button(label, REPLIES)
        case "URL":
            examples = texts_at(button, "example") if values is None else values
            # An example of Meta's may be the whole address.
            whole = next((each for each in examples if "://" in each), None)
            return Button(label, f"{OPENS}{whole or filled(text_at(button, 'url'), examples)}")
        case "PHONE_NUMBER":
            return Button(label, f"Calls {text_at(button, 'phone_number')}")
        case "COPY_CODE":
            examples = [text_at(button, "example")] if values is None else values
            return Button(label or _COPY_CODE, _copies(examples))
        case "OTP":
            one_tap = text_at(button, "otp_type").upper() == "ONE_TAP"
            does = "Passes the code to the app" if one_tap else _copies(values or ())
            autofill = text_at(button, "autofill_text") if one_tap else ""
            return Button(autofill or label or _COPY_CODE, does)
        case other:
            return Button(label, other)


def _copies(values: Sequence[str]) -> str:
    code = next((each for each in values if each), "")
    return f"Copies {code}" if code else "Copies the code"


def _interactive(body: Any) -> Bubble:
    header, action = at(body, "header"), at(body, "action")
    kind = next((each for each in MEDIA if at(header, each) is not None), "")
    replies = [
        Button(text_at(each, "reply", "title"), REPLIES) for each in list_at(action, "buttons")
    ]
    rows = tuple(_rows(action))
    shows = f"Shows a list: {', '.join(rows)}"
    opened = [Button(text_at(action, "button"), shows, rows)] if text_at(action, "button") else []
    linked = []
    if text_at(action, "parameters", "url"):
        label = text_at(action, "parameters", "display_text")
        linked = [Button(label, f"{OPENS}{text_at(action, 'parameters', 'url')}")]
    asked = [Button("Send location", "Asks for the location")]
    return Bubble(
        medium=_medium(kind, at(header, kind)) if kind else None,
        title=plain(text_at(header, "text")),
        text=styled(plain(text_at(body, "body", "text"))),
        footer=text_at(body, "footer", "text"),
        buttons=(*replies, *opened, *linked, *(asked if _asks(action) else ())),
    )


def _asks(action: Any) -> bool:
    return text_at(action, "name") == "send_location"


def _rows(action: Any) -> Iterator[str]:
    for section in list_at(action, "sections"):
        for row in list_at(section, "rows"):
            yield text_at(row, "title")


def _medium(kind: str, medium: Any) -> Medium:
    where = text_at(medium, "link") or text_at(medium, "filename") or text_at(medium, "id")
    return Medium(kind, where)
