"""WhatsApp templates under which something is sent, in the shape of Meta's sends (C-26, C-60)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.whatsapp_templates import stored
from watchword.domain.message import WhatsappTemplateContent
from watchword.domain.template_filling import (
    completed,
    holds_code,
    read_components,
    value_problems,
    worded,
)
from watchword.domain.whatsapp_template import (
    AuthenticationContent,
    Body,
    Button,
    Buttons,
    Category,
    CodeBody,
    CodeButtons,
    CodeFooter,
    CopyCodeButton,
    CopyCodeOtpButton,
    Footer,
    HeaderFormat,
    LocationHeader,
    MediaHeader,
    PhoneNumberButton,
    QuickReplyButton,
    TemplateContent,
    TextHeader,
    UrlButton,
    WordedComponent,
    WordedContent,
)

PATH = "wa[0].template.components"
PLACE = {"latitude": "52.5", "longitude": 13.4, "name": "Tea House"}
BUTTONS: tuple[Button, ...] = (
    QuickReplyButton(text="Stop"),
    UrlButton(text="Track", url="https://tea.example/o/{{1}}"),
    UrlButton(text="Home", url="https://tea.example"),
    PhoneNumberButton(text="Call", phone_number="+493012345"),
    CopyCodeButton(),
)
CODE = AuthenticationContent(
    components=(
        CodeBody(add_security_recommendation=True),
        CodeFooter(code_expiration_minutes=5),
        CodeButtons(buttons=(CopyCodeOtpButton(text="Copy"),)),
    )
)

Component = dict[str, Any]


def says(*components: WordedComponent) -> WordedContent:
    """Return what a template of these components says."""
    return WordedContent(category=Category.UTILITY, components=components)


def filled_with(kind: str, *values: Any) -> Component:
    """Return a component with texts, or with parameters as they are."""
    given = [{"type": "text", "text": v} if isinstance(v, str) else v for v in values]
    return {"type": kind, "parameters": given}


def pressed(sub_type: str, index: Any, *values: Any) -> Component:
    """Return the component of a button."""
    return {**filled_with("button", *values), "sub_type": sub_type, "index": index}


def medium(kind: str, **where: Any) -> Component:
    """Return a parameter that is a medium."""
    return {"type": kind, kind: where}


def sent(*components: Component) -> WhatsappTemplateContent:
    """Return what is sent with these components."""
    return WhatsappTemplateContent(name="tea", language="en", components=components)


def wrong(content: TemplateContent, *components: Component) -> list[str]:
    """Return the paths below the components at which a send does not fill a template."""
    found = value_problems(sent(*components), stored(content), PATH)
    return [each.path.removeprefix(PATH) for each in found]


def misread(*components: Any) -> list[str]:
    """Return the paths below the components that are wrong whatever the template."""
    return [each.path.removeprefix(PATH) for each in read_components(components, PATH)[1]]


TWO = says(Body(text="Hello {{1}}, your order {{2}} is on its way, {{1}}."))


def test_the_body_takes_a_value_for_each_variable() -> None:
    """One that stands there twice counts once; missing and too many ones are named by their path."""
    assert [] == wrong(TWO, filled_with("body", "Asha", "7"))
    assert [""] == wrong(TWO)
    assert ["[0].parameters"] == wrong(TWO, filled_with("body", "Asha"))
    assert ["[0].parameters"] == wrong(TWO, filled_with("body", "Asha", "7", "more"))
    assert ["[0].parameters"] == wrong(TWO, {"type": "body"})
    assert [] == wrong(says(Body(text="Hello.")), {"type": "body"})
    assert [] == wrong(says(Body(text="Hello.")))
    assert ["[0].parameters"] == wrong(says(Body(text="Hello.")), filled_with("body", "Asha"))


def test_a_component_comes_once() -> None:
    """The second one of a kind, or of a button, is named."""
    body = filled_with("body", "Asha", "7")
    link = says(Body(text="Hi."), Buttons(buttons=BUTTONS[1:2]))

    assert ["[1]"] == wrong(TWO, body, body)
    assert ["[1]"] == wrong(link, pressed("url", "0", "7"), pressed("url", 0, "8"))


def test_values_may_be_amounts_and_times() -> None:
    """They are shown as their `fallback_value`."""
    amount = {"type": "currency", "currency": {"fallback_value": "$5", "code": "USD"}}
    when = {"type": "date_time", "date_time": {"fallback_value": "Friday"}}

    assert [] == wrong(TWO, filled_with("BODY", amount, when))
    assert "Hello $5, your order Friday is on its way, $5." == worded(
        sent(filled_with("BODY", amount, when)), stored(TWO)
    )


def test_a_text_header() -> None:
    """A variable wants one text; without one, nothing is taken."""
    asked = says(TextHeader(text="Order {{1}}"), Body(text="Hi."), Footer(text="Reply STOP"))
    fixed = says(TextHeader(text="Order"), Body(text="Hi."))

    assert [] == wrong(asked, filled_with("header", "7"))
    assert "Order 7\nHi.\nReply STOP" == worded(sent(filled_with("header", "7")), stored(asked))
    assert [""] == wrong(asked)
    assert ["[0].parameters[0].type"] == wrong(
        asked, filled_with("header", medium("image", id="med_1"))
    )
    assert ["[0].parameters"] == wrong(fixed, filled_with("header", "7"))


@pytest.mark.parametrize(
    "header",
    [
        MediaHeader(format=HeaderFormat.IMAGE),
        MediaHeader(format=HeaderFormat.VIDEO),
        MediaHeader(format=HeaderFormat.DOCUMENT),
    ],
)
def test_a_media_header(header: MediaHeader) -> None:
    """One medium of the template's kind, by id or link; it stands before the text."""
    content = says(header, Body(text="Hi."))
    mine = header.format.lower()
    other = "video" if mine == "image" else "image"
    by_link = filled_with("header", medium(mine, link="https://tea.example/x"))

    assert [] == wrong(content, by_link)
    assert [] == wrong(content, filled_with("header", medium(mine, id="med_1")))
    assert "https://tea.example/x\nHi." == worded(sent(by_link), stored(content))
    assert [""] == wrong(content)
    assert ["[0].parameters[0].type"] == wrong(
        content, filled_with("header", medium(other, id="med_1"))
    )
    assert ["[0].parameters[0].type"] == wrong(content, filled_with("header", "7"))


def test_a_location_header() -> None:
    """A place with its coordinates and its name."""
    content = says(LocationHeader(), Body(text="Hi."))
    here = filled_with("header", {"type": "location", "location": PLACE})

    assert [] == wrong(content, here)
    assert "Tea House, 52.5, 13.4\nHi." == worded(sent(here), stored(content))
    assert [""] == wrong(content)


FIVE = says(Body(text="Hi."), Buttons(buttons=BUTTONS))
TAKEN = (
    pressed("url", "1", "7"),
    pressed("copy_code", "4", {"type": "coupon_code", "coupon_code": "TEA5"}),
)


def test_buttons_take_what_is_theirs() -> None:
    """The end of an address and a coupon's code are wanted; a payload may come, nothing else."""
    payload = pressed("quick_reply", "0", {"type": "payload", "payload": "stop"})

    assert [] == wrong(FIVE, *TAKEN)
    assert [] == wrong(FIVE, payload, *TAKEN)
    assert (
        "Hi.\n[Stop]\n[Track] https://tea.example/o/7\n[Home] https://tea.example"
        "\n[Call] +493012345\n[Copy code] TEA5"
    ) == worded(sent(*TAKEN), stored(FIVE))
    assert ["", ""] == wrong(FIVE)


@pytest.mark.parametrize(
    ("more", "path"),
    [
        (pressed("quick_reply", "0"), "[2].parameters"),
        (pressed("quick_reply", "0", "7"), "[2].parameters[0].type"),
        (pressed("url", "0", {"type": "payload", "payload": "x"}), "[2].sub_type"),
        (pressed("url", "2", "7"), "[2].parameters"),
        (pressed("url", "3", "7"), "[2].parameters"),
        (pressed("url", "5", "7"), "[2].index"),
        (filled_with("header", "7"), "[2].parameters"),
    ],
)
def test_a_value_too_many_is_named(more: Component, path: str) -> None:
    """For a button that takes nothing or another thing, and for one that is not there."""
    assert [path] == wrong(FIVE, *TAKEN, more)


def test_a_code_goes_into_the_body_and_the_button() -> None:
    """With one in the body alone, the provider gets it in both (C-26); two must be the same."""
    body, button = filled_with("body", "4711"), pressed("url", "0", "4711")

    assert [] == wrong(CODE, body) == wrong(CODE, body, button)
    assert sent(body, button) == completed(sent(body), stored(CODE))
    assert sent(body, button) == completed(sent(body, button), stored(CODE))
    assert (
        "4711 is your verification code. For your security, do not share this code."
        "\nThis code expires in 5 minutes.\n[Copy] 4711"
    ) == worded(completed(sent(body), stored(CODE)), stored(CODE))
    assert ["[1].parameters[0].text"] == wrong(CODE, body, pressed("url", "0", "4712"))
    assert [""] == wrong(CODE, button)
    assert ["[0].parameters"] == wrong(CODE, filled_with("body", "4711", "x"))
    amount = {"type": "currency", "currency": {"fallback_value": "4711"}}
    assert ["[0].parameters[0].type"] == wrong(CODE, filled_with("body", amount))


def test_other_templates_get_no_button_of_ours() -> None:
    """A send under them passes unchanged."""
    assert sent(*TAKEN) == completed(sent(*TAKEN), stored(FIVE))
    assert sent() == completed(sent(), None)
    bare = AuthenticationContent(components=(CodeBody(),))
    assert sent(filled_with("body", "1")) == completed(sent(filled_with("body", "1")), stored(bare))


def test_a_template_for_codes() -> None:
    """Only category AUTHENTICATION means that its values are a code (C-23)."""
    assert holds_code(stored(CODE))
    assert not holds_code(stored(TWO))


TEXT = {"type": "text", "text": "x"}


@pytest.mark.parametrize(
    ("component", "paths"),
    [
        ({}, ["[0].type"]),
        ({"type": "footer"}, ["[0].type"]),
        ({"type": ["body"]}, ["[0].type"]),
        ("body", ["[0]"]),
        ({"type": "body", "parameters": {}}, ["[0].parameters"]),
        ({"type": "body", "parameters": ["x"]}, ["[0].parameters[0]"]),
        ({"type": "body", "parameters": [{}]}, ["[0].parameters[0].type"]),
        ({"type": "body", "parameters": [TEXT] * 100}, []),
        ({"type": "body", "parameters": [TEXT] * 101}, ["[0].parameters"]),
        ({"type": "button", "parameters": [TEXT]}, ["[0].sub_type", "[0].index"]),
        (pressed("flow", "0"), ["[0].sub_type"]),
        (pressed("URL", 9), []),
        (pressed("url", "10"), ["[0].index"]),
        (pressed("url", -1), ["[0].index"]),
        (pressed("url", True), ["[0].index"]),
        (pressed("url", "0", {"type": "image", "image": {}}), ["[0].parameters[0].type"]),
    ],
)
def test_the_form_of_components(component: Any, paths: list[str]) -> None:
    """Components that are wrong for every template are named, each by its path."""
    assert paths == misread(component)


@pytest.mark.parametrize(
    ("parameter", "path"),
    [
        ({"type": "text", "text": "x" * 1024}, None),
        ({"type": "text", "text": "x" * 1025}, ".text"),
        ({"type": "text", "text": ""}, ".text"),
        ({"type": "text"}, ".text"),
        ({"type": "text", "text": 7}, ".text"),
        ({"type": "currency", "currency": {"amount_1000": 5000}}, ".currency.fallback_value"),
        ({"type": "date_time"}, ".date_time"),
        (medium("image", id="med_1", link="https://tea.example/x"), ".image"),
        (medium("image"), ".image"),
        (medium("image", link="http://127.0.0.1/x"), ".image.link"),
        (medium("image", link="ftp://tea.example/x"), ".image.link"),
        (medium("video", id="x" * 200), None),
        (medium("video", id="x" * 201), ".video.id"),
        ({"type": "document"}, ".document"),
        ({"type": "location", "location": PLACE}, None),
        ({"type": "location", "location": {**PLACE, "latitude": None}}, ".location.latitude"),
        ({"type": "location", "location": {**PLACE, "longitude": []}}, ".location.longitude"),
        ({"type": "location", "location": {**PLACE, "name": 7}}, ".location.name"),
        ({"type": "payload", "payload": "x"}, ".type"),
    ],
)
def test_the_form_of_a_headers_parameters(parameter: Component, path: str | None) -> None:
    """Each in the shape of its type."""
    expected = [] if path is None else [f"[0].parameters[0]{path}"]

    assert expected == misread(filled_with("header", parameter))


@pytest.mark.parametrize(("kind", "most"), [("payload", 128), ("coupon_code", 15), ("text", 1024)])
def test_the_form_of_a_buttons_parameters(kind: str, most: int) -> None:
    """At the limit, and one past it."""
    for length, paths in ((most, []), (most + 1, [f"[0].parameters[0].{kind}"])):
        parameter = {"type": kind, kind: "x" * length}

        assert paths == misread(pressed("url", "0", parameter))


def test_twenty_problems_are_named() -> None:
    """In components of any size (D-19)."""
    assert 20 == len(misread(*[{"type": "body", "parameters": [{}] * 100}] * 20))


def test_twenty_components_are_read() -> None:
    """One more is refused as a whole."""
    many = [pressed("url", "0", "7")] * 20

    assert [] == misread(*many)
    assert [""] == misread(*many, many[0])
