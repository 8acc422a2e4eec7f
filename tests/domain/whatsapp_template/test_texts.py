"""Names, languages and texts of a WhatsApp template, at the limit and one past it (C-26, D-90)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from attrs import evolve

from tests.whatsapp_templates import BODY, OTP, buttons, code, worded, wrong_with
from watchword.domain.errors import FieldProblem
from watchword.domain.whatsapp_template import (
    Body,
    Button,
    CodeBody,
    CodeFooter,
    Footer,
    HeaderFormat,
    LocationHeader,
    MediaHeader,
    PhoneNumberButton,
    QuickReplyButton,
    TemplateDefinition,
    TextHeader,
    UrlButton,
    violations,
)


@pytest.mark.parametrize("name", ["t", "tea_9", "a" * 512])
def test_a_name(name: str) -> None:
    """1 to 512 lowercase ASCII letters, digits and underscores."""
    assert [] == wrong_with(worded(BODY), name=name)


@pytest.mark.parametrize("name", ["", "a" * 513, "Tea", "a-b", "a b", "caf\u00e9", "\u0661", "a\n"])
def test_what_is_no_name(name: str) -> None:
    """Nothing else."""
    assert ["name"] == wrong_with(worded(BODY), name=name)


@pytest.mark.parametrize("language", ["en", "fil", "en_US", "pt_BR", "prs_AF"])
def test_a_language(language: str) -> None:
    """A code in Meta's form; which languages Meta has is not asked."""
    assert [] == wrong_with(worded(BODY), language=language)


@pytest.mark.parametrize("language", ["", "e", "EN", "en-US", "en_us", "en_USA", "english", "en\n"])
def test_what_is_no_language(language: str) -> None:
    """Nothing else."""
    assert ["language"] == wrong_with(worded(BODY), language=language)


@pytest.mark.parametrize("kind", [TextHeader, Footer])
def test_the_lines_around_a_body(kind: type[TextHeader] | type[Footer]) -> None:
    """A header and a footer have 60 characters, and say something."""
    fits, long, blank = (worded(BODY, kind(text=text)) for text in ("a" * 60, "a" * 61, " \n"))

    assert [] == wrong_with(fits)
    assert ["components[1].text"] == wrong_with(long)
    assert ["components[1].text"] == wrong_with(blank)


def test_a_body_has_1024_characters() -> None:
    """With its variables as they are written."""
    at_the_limit = "{{1}}" + "a" * 1019

    assert [] == wrong_with(worded(Body(text=at_the_limit)))
    assert ["components[0].text"] == wrong_with(worded(Body(text=at_the_limit + "a")))
    assert ["components[0].text"] == wrong_with(worded(Body(text="\t")))


@pytest.mark.parametrize(
    "labelled",
    [
        lambda text: QuickReplyButton(text=text),
        lambda text: UrlButton(text=text, url="https://example.com"),
        lambda text: PhoneNumberButton(text=text, phone_number="+919812345610"),
    ],
    ids=["reply", "address", "number"],
)
def test_the_label_of_a_button(labelled: Callable[[str], Button]) -> None:
    """It has 25 characters, says something, and is always the same."""
    assert [] == wrong_with(buttons(labelled("a" * 25)))
    for text in ("a" * 26, " ", "Tea {{1}}", "Tea {{x}}"):
        assert ["components[1].buttons[0].text"] == wrong_with(buttons(labelled(text)))


@pytest.mark.parametrize(
    "text",
    [
        "{{1}}",
        "a {{2}} b {{1}} c",
        "{{1}} and {{1}}",
        "{1} { }",
        "{{{1}}{",
        "100 {{1}}% {{2}}{{3}}",
    ],
)
def test_variables_of_a_body(text: str) -> None:
    """Each number from 1, in any order, as often as wanted, wherever in the text (D-90)."""
    assert [] == wrong_with(worded(Body(text=text)))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{{2}}", "must number its variables from 1 without gaps; it has no {{1}}"),
        ("{{1}} {{3}}", "must number its variables from 1 without gaps; it has no {{2}}"),
        ("{{name}}", "must write its variables {{1}}, {{2}} and so on"),
        ("{{ 1 }}", "must write its variables {{1}}, {{2}} and so on"),
        ("{{0}}", "must write its variables {{1}}, {{2}} and so on"),
        ("{{01}}", "must write its variables {{1}}, {{2}} and so on"),
        ("{{1}", "must write its variables {{1}}, {{2}} and so on"),
        ("{{1}} }}", "must write its variables {{1}}, {{2}} and so on"),
        ("{{{{1}}}}", "must write its variables {{1}}, {{2}} and so on"),
    ],
)
def test_what_are_no_variables(text: str, said: str) -> None:
    """A number too many, a name, or braces that are left over."""
    template = TemplateDefinition(name="a", language="en", content=worded(Body(text=text)))

    assert (FieldProblem("components[0].text", said),) == tuple(
        FieldProblem(each.field, each.message) for each in violations(template)
    )


def test_a_header_has_one_variable() -> None:
    """It occurs once, and its number is 1."""
    assert [] == wrong_with(worded(BODY, TextHeader(text="Tea {{1}}")))
    for text in ("{{1}} {{2}}", "{{1}} {{1}}", "{{2}}", "{{name}}"):
        assert ["components[1].text"] == wrong_with(worded(BODY, TextHeader(text=text)))


@pytest.mark.parametrize("text", ["{{1}}", "Tea {{x}}", "Tea }}"])
def test_a_footer_has_no_variables(text: str) -> None:
    """It is always the same."""
    assert ["components[1].text"] == wrong_with(worded(BODY, Footer(text=text)))


def test_examples() -> None:
    """They may be left out; one that is given has a value for each variable, which says something."""
    body, header = Body(text="{{1}} {{2}}"), TextHeader(text="{{1}}")

    assert [] == wrong_with(worded(header, body))
    assert [] == wrong_with(
        worded(evolve(header, example=("a",)), evolve(body, example=("a", "b")))
    )
    assert [
        "components[0].example.header_text",
        "components[1].example.body_text[0]",
    ] == wrong_with(worded(evolve(header, example=()), evolve(body, example=("a", "b", "c"))))
    assert [
        "components[0].example.header_text[0]",
        "components[1].example.body_text[0][1]",
    ] == wrong_with(
        worded(evolve(header, example=("a" * 2_049,)), evolve(body, example=("a" * 2_048, " ")))
    )
    assert ["components[0].example.body_text[0]"] == wrong_with(
        worded(evolve(BODY, example=("a",)))
    )


@pytest.mark.parametrize("kind", [HeaderFormat.IMAGE, HeaderFormat.VIDEO, HeaderFormat.DOCUMENT])
def test_a_header_of_a_medium(kind: HeaderFormat) -> None:
    """It may have one example, the id or handle of an uploaded medium."""
    header = MediaHeader(format=kind)  # type: ignore[arg-type]  # those that are media

    assert [] == wrong_with(worded(BODY, header))
    assert [] == wrong_with(worded(BODY, evolve(header, example=("4::aW",))))
    for example in ((), ("a", "b")):
        assert ["components[1].example.header_handle"] == wrong_with(
            worded(BODY, evolve(header, example=example))
        )


def test_components_are_there_once() -> None:
    """One of each type at most, in any order, and always a body."""
    assert [] == wrong_with(worded(Footer(text="Tea"), BODY, LocationHeader()))
    assert ["components[1].type"] == wrong_with(worded(BODY, BODY))
    assert ["components[2].type"] == wrong_with(
        worded(LocationHeader(), BODY, TextHeader(text="Tea"))
    )
    assert ["components"] == wrong_with(worded())
    assert ["components"] == wrong_with(worded(Footer(text="Tea")))


@pytest.mark.parametrize(("minutes", "fits"), [(0, False), (1, True), (90, True), (91, False)])
def test_how_long_a_code_holds(minutes: int, fits: bool) -> None:
    """1 to 90 minutes, if it is said."""
    wrong = [] if fits else ["components[2].code_expiration_minutes"]

    assert wrong == wrong_with(code(CodeBody(), OTP, CodeFooter(code_expiration_minutes=minutes)))
    assert [] == wrong_with(code(CodeBody(), OTP, CodeFooter()))


def test_the_body_of_a_code() -> None:
    """It needs no text; one that is given has a place for the code, and for nothing else (D-91)."""
    assert [] == wrong_with(code(CodeBody(), OTP))
    assert [] == wrong_with(code(CodeBody(text="{{1}} opens the tea room."), OTP))
    for text in ("Tea", "{{1}} {{2}}", "{{2}}"):
        assert ["components[0].text"] == wrong_with(code(CodeBody(text=text), OTP))
    assert ["components[0].example.body_text[0]"] == wrong_with(
        code(CodeBody(example=("1", "2")), OTP)
    )


def test_what_was_unreadable_is_not_judged() -> None:
    """Nothing is found at a path that only something else stands at, and no part is missed."""
    content = worded(Footer(text=""))

    assert ["components[0].text"] == wrong_with(content, unread=("components[0].type",))
    assert ["components"] == wrong_with(content, unread=("components[0].text",))
    assert [] == wrong_with(content, unread=("components",))
