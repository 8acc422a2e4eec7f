"""Interactive WhatsApp messages in the shape of Meta's Cloud API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from .wa_parts import WaDocument, WaImage, WaVideo
from .wire import Wire


class WaTextHeader(Wire, frozen=True, kw_only=True, tag="text"):
    """A header that is text."""

    text: str


WaHeader = WaTextHeader | WaImage | WaVideo | WaDocument


class WaBody(Wire, frozen=True, kw_only=True):
    """The text of an interactive message."""

    text: str


class WaFooter(Wire, frozen=True, kw_only=True):
    """The small text at the end of an interactive message."""

    text: str


class WaReply(Wire, frozen=True, kw_only=True):
    """A reply that a person can choose; `id` comes back with it."""

    id: str
    title: str


class WaReplyButton(Wire, frozen=True, kw_only=True, tag="reply"):
    """A button that replies."""

    reply: WaReply


class WaButtonsAction(Wire, frozen=True, kw_only=True):
    """Up to three buttons."""

    buttons: Sequence[WaReplyButton]


class WaInteractiveButtons(Wire, frozen=True, kw_only=True, tag="button"):
    """A message with buttons that reply."""

    body: WaBody
    action: WaButtonsAction
    header: WaHeader | None = None
    footer: WaFooter | None = None


class WaListRow(Wire, frozen=True, kw_only=True):
    """An entry of a list; `id` comes back with the choice."""

    id: str
    title: str
    description: str | None = None


class WaListSection(Wire, frozen=True, kw_only=True):
    """Some entries of a list; several sections need titles."""

    rows: Sequence[WaListRow]
    title: str | None = None


class WaListAction(Wire, frozen=True, kw_only=True):
    """The button that opens a list, and the list."""

    button: str
    sections: Sequence[WaListSection]


class WaInteractiveList(Wire, frozen=True, kw_only=True, tag="list"):
    """A message with a list to choose from."""

    body: WaBody
    action: WaListAction
    header: WaTextHeader | None = None
    footer: WaFooter | None = None


class WaLink(Wire, frozen=True, kw_only=True):
    """A button's text and address."""

    display_text: str
    url: str


class WaLinkAction(Wire, frozen=True, kw_only=True):
    """A button that opens an address."""

    parameters: WaLink
    name: Literal["cta_url"] = "cta_url"


class WaInteractiveLink(Wire, frozen=True, kw_only=True, tag="cta_url"):
    """A message with a button that opens an address."""

    body: WaBody
    action: WaLinkAction
    header: WaHeader | None = None
    footer: WaFooter | None = None


class WaLocationAction(Wire, frozen=True, kw_only=True):
    """A button that sends the person's location."""

    name: Literal["send_location"] = "send_location"


class WaInteractiveLocation(Wire, frozen=True, kw_only=True, tag="location_request_message"):
    """A message that asks for a location."""

    body: WaBody
    action: WaLocationAction = WaLocationAction()
    header: WaHeader | None = None
    footer: WaFooter | None = None


class WaInteractiveProductList(Wire, frozen=True, kw_only=True, tag="product_list"):
    """A message with several products; `action` is Meta's."""

    body: WaBody
    action: Mapping[str, object]
    header: WaTextHeader | None = None
    footer: WaFooter | None = None


class WaInteractiveProduct(Wire, frozen=True, kw_only=True, tag="product"):
    """A message with one product; `action` is Meta's."""

    action: Mapping[str, object]
    body: WaBody | None = None
    header: WaHeader | None = None
    footer: WaFooter | None = None


class WaInteractiveFlow(Wire, frozen=True, kw_only=True, tag="flow"):
    """A message that opens a form; `action` is Meta's."""

    body: WaBody
    action: Mapping[str, object]
    header: WaHeader | None = None
    footer: WaFooter | None = None


class WaInteractiveCatalog(Wire, frozen=True, kw_only=True, tag="catalog_message"):
    """A message that opens the catalogue; `action` is Meta's."""

    body: WaBody
    action: Mapping[str, object]
    header: WaHeader | None = None
    footer: WaFooter | None = None


WaInteractive = (
    WaInteractiveButtons
    | WaInteractiveList
    | WaInteractiveLink
    | WaInteractiveLocation
    | WaInteractiveProductList
    | WaInteractiveProduct
    | WaInteractiveFlow
    | WaInteractiveCatalog
)
