"""WhatsApp templates to judge: one of each kind, and generators of valid ones in Meta's shape."""

from __future__ import annotations

import string
from datetime import UTC, datetime
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from tests.strategies import texts
from watchword.domain.whatsapp_template import (
    AuthenticationContent,
    Body,
    Button,
    Buttons,
    Category,
    CodeBody,
    CodeButtons,
    CodeComponent,
    CopyCodeOtpButton,
    OtpButton,
    TemplateContent,
    TemplateDefinition,
    WhatsappTemplate,
    WhatsappTemplateCreated,
    WordedComponent,
    WordedContent,
    violations,
    whatsapp_template_decider,
)

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
BODY = Body(text="Your tea is on its way.")
OTP = CodeButtons(buttons=(CopyCodeOtpButton(),))


def worded(*components: WordedComponent) -> WordedContent:
    """Return a template that its author words."""
    return WordedContent(category=Category.UTILITY, components=components)


def buttons(*given: Button) -> WordedContent:
    """Return a template with a body and these buttons, in this order."""
    return worded(BODY, Buttons(buttons=given))


def code(*components: CodeComponent) -> AuthenticationContent:
    """Return a template of these parts that carries a code."""
    return AuthenticationContent(components=components)


def otp(*given: OtpButton) -> AuthenticationContent:
    """Return a template that carries a code, with these buttons."""
    return code(CodeBody(), CodeButtons(buttons=given))


def stored(content: TemplateContent) -> WhatsappTemplate:
    """Return a template as it is once it was created."""
    created = WhatsappTemplateCreated(
        at=NOON, account_id="acc_tea", name="tea", language="en", content=content
    )
    return whatsapp_template_decider.begin(created)


def wrong_with(
    content: TemplateContent,
    *,
    name: str = "tea_sent",
    language: str = "en",
    unread: tuple[str, ...] = (),
) -> list[str]:
    """Return the paths at which a template breaks a rule."""
    definition = TemplateDefinition(name=name, language=language, content=content)
    return [problem.path for problem in violations(definition, unread=unread)]


def _plain(most: int) -> SearchStrategy[str]:
    """Return texts that say something, without anything that reads like a variable."""
    return texts.map(lambda text: text[:most]).filter(
        lambda text: bool(text.strip()) and not {*"{}"} & {*text}
    )


_languages = st.sampled_from(["en", "en_US", "pt_BR", "zh_HK", "fil", "prs_AF"])
_names = st.text(string.ascii_lowercase + string.digits + "_", min_size=1, max_size=30)
_words = st.text(string.ascii_letters + string.digits, min_size=1, max_size=10)
_urls = st.builds("https://example.com/{}".format, _words)


@st.composite
def _with_variables(draw: DrawFn, member: str, most: int) -> dict[str, Any]:
    """A text with variables from 1 to `most`, in any order, and perhaps their example."""
    number = draw(st.integers(0, most))
    order = draw(st.permutations([f"{{{{{position}}}}}" for position in range(1, number + 1)]))
    part: dict[str, Any] = {"text": draw(_plain(20)) + "".join(f" {each}," for each in order)}
    if draw(st.booleans()):
        values = draw(st.lists(_plain(10), min_size=number, max_size=number))
        part["example"] = {member: [values] if member == "body_text" else values}
    return part


@st.composite
def _headers(draw: DrawFn) -> dict[str, Any]:
    kind = draw(st.sampled_from(["TEXT", "IMAGE", "VIDEO", "DOCUMENT", "LOCATION"]))
    header = {"type": "HEADER", "format": kind}
    if kind == "TEXT":
        return header | draw(_with_variables("header_text", 1))
    if kind != "LOCATION" and draw(st.booleans()):
        return header | {"example": {"header_handle": [draw(_words)]}}
    return header


@st.composite
def _url_buttons(draw: DrawFn) -> dict[str, Any]:
    button = {"type": "URL", "text": draw(_plain(25)), "url": draw(_urls)}
    if not draw(st.booleans()):
        return button
    button["url"] += "{{1}}"
    return button | ({"example": [draw(_words)]} if draw(st.booleans()) else {})


@st.composite
def _buttons(draw: DrawFn) -> dict[str, Any]:
    label = st.fixed_dictionaries({"text": _plain(25)})
    others = draw(st.lists(_url_buttons(), max_size=2))
    if draw(st.booleans()):
        number = draw(st.from_regex(r"\+[1-9][0-9]{6,14}", fullmatch=True))
        others.append({"type": "PHONE_NUMBER", "phone_number": number, **draw(label)})
    if draw(st.booleans()):
        others.append({"type": "COPY_CODE", "example": draw(_plain(15))})
    least = 0 if others else 1
    replies = [
        {"type": "QUICK_REPLY", **each}
        for each in draw(st.lists(label, min_size=least, max_size=3))
    ]
    together = [*replies, *others] if draw(st.booleans()) else [*others, *replies]
    return {"type": "BUTTONS", "buttons": together}


@st.composite
def _worded_templates(draw: DrawFn) -> dict[str, Any]:
    components = [{"type": "BODY", **draw(_with_variables("body_text", 4))}]
    for more in (_headers(), _buttons(), st.builds(_footer, _plain(60))):
        if draw(st.booleans()):
            components.append(draw(more))
    return {
        "name": draw(_names),
        "language": draw(_languages),
        "category": draw(st.sampled_from(["UTILITY", "MARKETING"])),
        "components": draw(st.permutations(components)),
    }


def _footer(text: str) -> dict[str, Any]:
    return {"type": "FOOTER", "text": text}


_apps = st.fixed_dictionaries(
    {
        "package_name": st.just("com.example.tea_house"),
        "signature_hash": st.from_regex("[A-Za-z0-9+/=]{11}", fullmatch=True),
    }
)
_otp_buttons = st.fixed_dictionaries(
    {"type": st.just("OTP"), "otp_type": st.just("COPY_CODE")}, optional={"text": _plain(25)}
) | st.fixed_dictionaries(
    {
        "type": st.just("OTP"),
        "otp_type": st.just("ONE_TAP"),
        "supported_apps": st.lists(_apps, min_size=1, max_size=5),
    },
    optional={"text": _plain(25), "autofill_text": _plain(25)},
)
_code_bodies = st.fixed_dictionaries(
    {"type": st.just("BODY")},
    optional={
        "add_security_recommendation": st.booleans(),
        "text": _plain(20).map("{} {{{{1}}}}".format),
        "example": st.just({"body_text": [["123456"]]}),
    },
)
_code_footers = st.fixed_dictionaries(
    {"type": st.just("FOOTER")}, optional={"code_expiration_minutes": st.integers(1, 90)}
)


@st.composite
def _code_templates(draw: DrawFn) -> dict[str, Any]:
    components = [draw(_code_bodies), {"type": "BUTTONS", "buttons": [draw(_otp_buttons)]}]
    if draw(st.booleans()):
        components.append(draw(_code_footers))
    return {
        "name": draw(_names),
        "language": draw(_languages),
        "category": "AUTHENTICATION",
        "components": draw(st.permutations(components)),
    }


templates: SearchStrategy[dict[str, Any]] = _worded_templates() | _code_templates()
