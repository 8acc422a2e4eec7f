"""Which addresses in a text are shortened, and which are others."""

from __future__ import annotations

import re
from typing import Any

import pytest

from watchword.application.messages.planning.shortening import Shortening
from watchword.domain.message import (
    Content,
    ProviderContent,
    RcsTemplateContent,
    SmsContent,
    WhatsappSessionContent,
    WhatsappTemplateContent,
)

MENU = "https://tea.example/menu"
TODAY = f"{MENU}/today?for=you"
SHORT = {MENU: "<menu>", TODAY: "<today>"}


def shortened(content: Content) -> Any:
    """Shorten both addresses."""
    return Shortening(SHORT).applied(content, SHORT.__getitem__)


def text(said: str) -> str:
    """Shorten an SMS."""
    found = shortened(SmsContent(type="SI", text=said)).text
    assert isinstance(found, str)
    return found


@pytest.mark.parametrize(
    ("said", "becomes"),
    [
        (MENU, "<menu>"),
        (f"See {MENU}.", "See <menu>."),
        (f"{MENU} and {MENU}, ({MENU})!", "<menu> and <menu>, (<menu>)!"),
        (f"Seen {MENU}? Or {TODAY}?", "Seen <menu>? Or <today>?"),
        (f"*{MENU}* _{MENU}_ ~{MENU}~", "*<menu>* _<menu>_ ~<menu>~"),
        (f"茶{MENU}茶", "茶<menu>茶"),
        (f"{MENU}: today\n{MENU}\n", "<menu>: today\n<menu>\n"),
        ("<menu>", "<menu>"),
    ],
)
def test_an_address_is_replaced_wherever_it_stands(said: str, becomes: str) -> None:
    """The longest one first, and never inside an inserted link."""
    assert becomes == text(said)


@pytest.mark.parametrize(
    "said",
    [
        f"{MENU}s",
        f"{MENU}/",
        f"{MENU}/tomorrow",
        f"{MENU}.html",
        f"{MENU}?table=7",
        f"{MENU}#tea",
        f"{MENU}-old",
        f"x{MENU}",
        f"https://other.example/?to={MENU}",
        MENU.upper(),
        "tea.example/menu",
    ],
)
def test_another_address_stays(said: str) -> None:
    """One that goes on, or of which this is a part, would lead nowhere when it is cut."""
    assert said == text(said)


def test_an_address_within_one_that_is_replaced_goes_with_it() -> None:
    """The short link of the whole address also replaces the part."""
    outer = f"{MENU}?next=;{MENU}"
    found = Shortening((MENU, outer)).applied(
        SmsContent(type="SI", text=f"{outer} {MENU}"),
        {MENU: "<menu>", outer: "<outer>"}.__getitem__,
    )

    assert SmsContent(type="SI", text="<outer> <menu>") == found


def test_no_pattern_is_kept_of_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    """To compile a hundred long ones would hold up everybody, and they may carry codes (D-76)."""
    compiled: list[object] = []
    compile_pattern = re.compile

    def compiling(pattern: str, flags: int = 0) -> re.Pattern[str]:
        compiled.append(pattern)
        return compile_pattern(pattern, flags)

    with monkeypatch.context() as patch:
        patch.setattr(re, "compile", compiling)
        said = text(f"{MENU} and {MENU}s")

    assert f"<menu> and {MENU}s" == said
    assert [] == compiled


def test_values_of_placeholders_are_read() -> None:
    """In RCS, and in the text parameters of a WhatsApp template (D-78)."""
    rcs = RcsTemplateContent(message_type="template", template_code="t", params={"menu": MENU})
    link = {"type": "image", "image": {"link": MENU}}
    body = {"type": "body", "parameters": [{"type": "text", "text": MENU}, link]}
    wa = WhatsappTemplateContent(name="t", language="en", components=(body,))

    assert {"menu": "<menu>"} == shortened(rcs).params
    assert (
        {"type": "body", "parameters": [{"type": "text", "text": "<menu>"}, link]},
    ) == shortened(wa).components


@pytest.mark.parametrize(
    ("kind", "body", "becomes"),
    [
        ("text", {"body": MENU, "preview_url": True}, {"body": "<menu>", "preview_url": True}),
        ("image", {"link": MENU, "caption": MENU}, {"link": MENU, "caption": "<menu>"}),
        (
            "interactive",
            {"type": "cta_url", "body": {"text": MENU}, "action": {"parameters": {"url": TODAY}}},
            {
                "type": "cta_url",
                "body": {"text": "<menu>"},
                "action": {"parameters": {"url": "<today>"}},
            },
        ),
        ("interactive", {"action": {"id": MENU}}, {"action": {"id": MENU}}),
    ],
)
def test_in_a_session_what_people_read_is_shortened(
    kind: str, body: dict[str, Any], becomes: dict[str, Any]
) -> None:
    """Texts, captions and buttons; a medium's address is its provider's business."""
    assert becomes == shortened(WhatsappSessionContent(type=kind, body=body)).body


def test_a_third_partys_object_stays_as_it_is() -> None:
    """It goes to its adapter untouched (C-52)."""
    content = ProviderContent(payload={"text": MENU})

    assert content == shortened(content)
