"""Parts of WhatsApp messages in the shape of Meta's Cloud API."""

from __future__ import annotations

from collections.abc import Sequence

from .wire import Wire


class WaMedia(Wire, frozen=True, kw_only=True):
    """A file: the `id` of an upload, or a public `link`; exactly one of them."""

    id: str | None = None
    link: str | None = None


class WaShown(Wire, frozen=True, kw_only=True):
    """A value as it is shown."""

    fallback_value: str


class WaPlace(Wire, frozen=True, kw_only=True):
    """A place on the map."""

    latitude: float | str
    longitude: float | str
    name: str | None = None
    address: str | None = None


class WaText(Wire, frozen=True, kw_only=True, tag="text"):
    """A parameter that is text."""

    text: str


class WaCurrency(Wire, frozen=True, kw_only=True, tag="currency"):
    """A parameter that is an amount of money."""

    currency: WaShown


class WaDateTime(Wire, frozen=True, kw_only=True, tag="date_time"):
    """A parameter that is a time."""

    date_time: WaShown


class WaImage(Wire, frozen=True, kw_only=True, tag="image"):
    """A parameter, or a header, that is an image."""

    image: WaMedia


class WaVideo(Wire, frozen=True, kw_only=True, tag="video"):
    """A parameter, or a header, that is a video."""

    video: WaMedia


class WaDocument(Wire, frozen=True, kw_only=True, tag="document"):
    """A parameter, or a header, that is a document."""

    document: WaMedia


class WaLocation(Wire, frozen=True, kw_only=True, tag="location"):
    """A parameter that is a place."""

    location: WaPlace


class WaPayload(Wire, frozen=True, kw_only=True, tag="payload"):
    """The text that a quick reply reports back."""

    payload: str


class WaCouponCode(Wire, frozen=True, kw_only=True, tag="coupon_code"):
    """The code that a button copies."""

    coupon_code: str


class WaHeaderComponent(Wire, frozen=True, kw_only=True, tag="header"):
    """The values of a template's header."""

    parameters: (
        Sequence[WaText | WaCurrency | WaDateTime | WaImage | WaVideo | WaDocument | WaLocation]
        | None
    ) = None


class WaBodyComponent(Wire, frozen=True, kw_only=True, tag="body"):
    """The values of a template's body, in the order of its positions."""

    parameters: Sequence[WaText | WaCurrency | WaDateTime] | None = None


class WaButtonComponent(Wire, frozen=True, kw_only=True, tag="button"):
    """The values of one button; `sub_type` is `url`, `quick_reply` or `copy_code`."""

    sub_type: str
    index: int | str
    parameters: Sequence[WaText | WaPayload | WaCouponCode] | None = None


class WaCard(Wire, frozen=True, kw_only=True):
    """The values of one card of a carousel."""

    card_index: int
    components: Sequence[WaComponent]


class WaCarouselComponent(Wire, frozen=True, kw_only=True, tag="carousel"):
    """The values of a template's cards."""

    cards: Sequence[WaCard]


WaComponent = WaHeaderComponent | WaBodyComponent | WaButtonComponent | WaCarouselComponent


class WaLanguage(Wire, frozen=True, kw_only=True):
    """The language of a template, such as `en_US`."""

    code: str


class WaTemplate(Wire, frozen=True, kw_only=True):
    """An approved template, and the values of its parameters."""

    name: str
    language: WaLanguage
    components: Sequence[WaComponent] | None = None
