"""Buttons of a WhatsApp template, at the limit and one past it (C-26, D-90)."""

from __future__ import annotations

import pytest

from tests.whatsapp_templates import buttons, code, otp, wrong_with
from watchword.domain.whatsapp_template import (
    Button,
    CodeBody,
    CopyCodeButton,
    CopyCodeOtpButton,
    OneTapOtpButton,
    PhoneNumberButton,
    QuickReplyButton,
    SupportedApp,
    UrlButton,
)

REPLY = QuickReplyButton(text="Yes")
LINK = UrlButton(text="Look", url="https://example.com/tea")
CALL = PhoneNumberButton(text="Call", phone_number="+919812345610")
COUPON = CopyCodeButton(example="TEA25")
APP = SupportedApp(package_name="com.example.tea", signature_hash="K8a/AINcDTA")


def url(address: str, example: tuple[str, ...] | None = None) -> list[str]:
    """Return what is wrong with a button that opens this address."""
    return wrong_with(buttons(UrlButton(text="Look", url=address, example=example)))


@pytest.mark.parametrize(
    ("given", "fits"),
    [
        ([], False),
        ([REPLY] * 10, True),
        ([REPLY] * 11, False),
        ([LINK] * 2, True),
        ([LINK] * 3, False),
        ([CALL], True),
        ([CALL] * 2, False),
        ([COUPON], True),
        ([COUPON] * 2, False),
        ([LINK, CALL, LINK, COUPON, *[REPLY] * 6], True),
        ([*[REPLY] * 6, LINK, CALL, LINK, COUPON], True),
        ([REPLY, LINK, REPLY], False),
        ([LINK, REPLY, CALL], False),
    ],
)
def test_how_many_buttons_and_in_which_order(given: list[Button], fits: bool) -> None:
    """10 in all, 2 addresses, 1 number, 1 coupon; quick replies stand together."""
    assert ([] if fits else ["components[1].buttons"]) == wrong_with(buttons(*given))


@pytest.mark.parametrize(
    "address",
    [
        "http://example.com",
        "https://example.com/tea?cup=1",
        "https://example.com/{{1}}",
        "https://example.com?cup={{1}}",
        "https://example.com/#{{1}}",
        "https://example.com/" + "a" * 1_980,
    ],
)
def test_an_address(address: str) -> None:
    """It is public, has at most 2,000 characters, and one variable at most, at its end."""
    assert [] == url(address)


@pytest.mark.parametrize(
    "address",
    [
        "",
        "example.com",
        "tel:+919812345610",
        "javascript:alert(1)//example.com",
        "https://localhost/{{1}}",
        "https://127.0.0.1/",
        "https://mei@example.com/",
        "https://example.com/" + "a" * 1_981,
        "{{1}}",
        "https://{{1}}",
        "https://{{1}}.example.com/",
        "https://example.com{{1}}",
        "https://example.com:80{{1}}",
        "https://example.com/{{1}}/cup",
        "https://example.com/{{2}}",
        "https://example.com/{{1}}{{1}}",
        "https://example.com/{{cup}}",
    ],
)
def test_what_is_no_address(address: str) -> None:
    """A filled-in value can neither choose the host nor be inside the address."""
    assert ["components[1].buttons[0].url"] == url(address)


def test_the_example_of_an_address() -> None:
    """It is one, if it is given, and only of a variable."""
    assert [] == url("https://example.com/{{1}}", ("oolong",))
    for address, example in (
        ("https://example.com/{{1}}", ()),
        ("https://example.com/{{1}}", ("a", "b")),
        ("https://example.com/", ("a",)),
    ):
        assert ["components[1].buttons[0].example"] == url(address, example)


@pytest.mark.parametrize(
    ("number", "fits"),
    [
        ("+919812345610", True),
        ("+1 (555) 010-99 99", True),
        ("+1 555 0 1 0 9 9 9 9", True),
        ("+12 555 0 1 0 9 9 9 9", False),
        ("123456", False),
        ("+0123456789", False),
        ("call me", False),
    ],
)
def test_a_number(number: str, fits: bool) -> None:
    """7 to 15 digits in 20 characters."""
    given = buttons(PhoneNumberButton(text="Call", phone_number=number))

    assert ([] if fits else ["components[1].buttons[0].phone_number"]) == wrong_with(given)


@pytest.mark.parametrize(("example", "fits"), [("a" * 15, True), ("a" * 16, False), (" ", False)])
def test_a_coupon(example: str, fits: bool) -> None:
    """15 characters, if an example is given."""
    path = "components[1].buttons[0].example"

    assert ([] if fits else [path]) == wrong_with(buttons(CopyCodeButton(example=example)))
    assert [] == wrong_with(buttons(CopyCodeButton()))


def test_a_template_of_codes_has_one_button() -> None:
    """The button copies or autofills the code."""
    one = CopyCodeOtpButton(text="a" * 25)

    assert [] == wrong_with(otp(one))
    assert ["components[1].buttons"] == wrong_with(otp())
    assert ["components[1].buttons"] == wrong_with(otp(one, one))
    assert ["components"] == wrong_with(code(CodeBody()))
    assert ["components[1].buttons[0].text"] == wrong_with(otp(CopyCodeOtpButton(text="a" * 26)))


def test_a_button_for_apps() -> None:
    """1 to 5 of them, by package name and the 11 characters of their key's hash."""
    path = "components[1].buttons[0]"

    def wrong(*apps: SupportedApp, autofill_text: str | None = None) -> list[str]:
        return wrong_with(otp(OneTapOtpButton(autofill_text=autofill_text, supported_apps=apps)))

    assert [] == wrong(*[APP] * 5, autofill_text="a" * 25)
    assert [f"{path}.autofill_text"] == wrong(APP, autofill_text="a" * 26)
    assert [f"{path}.supported_apps"] == wrong()
    assert [f"{path}.supported_apps"] == wrong(*[APP] * 6)
    assert [
        f"{path}.supported_apps[0].package_name",
        f"{path}.supported_apps[1].signature_hash",
    ] == wrong(
        SupportedApp(package_name="tea", signature_hash=APP.signature_hash),
        SupportedApp(package_name="a." + "b" * 222, signature_hash="K8a/AINcDT"),
    )
    assert [f"{path}.supported_apps[0].package_name"] == wrong(
        SupportedApp(package_name="a." + "b" * 223, signature_hash=APP.signature_hash)
    )
