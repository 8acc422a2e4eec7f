"""Rules for the buttons of a WhatsApp template, as Meta documents them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import assert_never
from urllib.parse import urlsplit

from ..dialed_number import dialed_number_problem
from ..findings import Findings, check_text
from ..public_url import url_problem
from .buttons import (
    Button,
    CopyCodeButton,
    CopyCodeOtpButton,
    OneTapOtpButton,
    OtpButton,
    PhoneNumberButton,
    QuickReplyButton,
    SupportedApp,
    UrlButton,
)
from .text_rules import check_example, check_static
from .variables import positions

MAX_BUTTONS = 10
# The number of quick replies is limited by the number of buttons alone.
MAX_OF_A_KIND = {"URL": 2, "PHONE_NUMBER": 1, "COPY_CODE": 1}
MAX_BUTTON_TEXT = 25
MAX_URL = 2_000
MAX_PHONE_NUMBER = 20
MAX_COUPON_CODE = 15
MAX_APPS = 5
MAX_PACKAGE_NAME = 224
_VARIABLE = "{{1}}"
_PACKAGE_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+")
_SIGNATURE_HASH = re.compile(r"[A-Za-z0-9+/=]{11}")


def check_buttons(findings: Findings, path: str, buttons: Sequence[Button]) -> None:
    """Note the problems of each button, and of all of them together."""
    if not 1 <= len(buttons) <= MAX_BUTTONS:
        findings.note(path, f"must have 1 to {MAX_BUTTONS} buttons; there are {len(buttons)}")
    for index, button in enumerate(buttons):
        _check(findings, f"{path}[{index}]", button)
    # An unreadable button has no kind.
    known = [
        button for index, button in enumerate(buttons) if findings.read(f"{path}[{index}].type")
    ]
    numbers = Counter[str](button.type for button in known)
    for kind, most in MAX_OF_A_KIND.items():
        if numbers[kind] > most:
            findings.note(
                path, f"must have at most {most} of type {kind}; there are {numbers[kind]}"
            )
    runs = [replies for replies, _ in groupby(isinstance(each, QuickReplyButton) for each in known)]
    if runs.count(True) > 1 or runs.count(False) > 1:
        findings.note(path, "must have its quick replies side by side, before or behind the others")


def check_otp_button(findings: Findings, path: str, buttons: Sequence[OtpButton]) -> None:
    """Note the problems of an authentication template's only button."""
    if len(buttons) != 1:
        findings.note(path, f"must have one button of type OTP; there are {len(buttons)}")
    for index, button in enumerate(buttons):
        where = f"{path}[{index}]"
        _check_label(findings, f"{where}.text", button.text)
        match button:
            case CopyCodeOtpButton():
                pass
            case OneTapOtpButton():
                _check_label(findings, f"{where}.autofill_text", button.autofill_text)
                _check_apps(findings, f"{where}.supported_apps", button.supported_apps)
            case _:
                assert_never(button)


def _check(findings: Findings, path: str, button: Button) -> None:
    match button:
        case QuickReplyButton():
            _check_label(findings, f"{path}.text", button.text)
        case UrlButton():
            _check_label(findings, f"{path}.text", button.text)
            _check_url(findings, f"{path}.url", button.url)
            wanted = len(positions(button.url))
            if findings.read(f"{path}.url"):
                check_example(findings, f"{path}.example", button.example, wanted)
        case PhoneNumberButton():
            _check_label(findings, f"{path}.text", button.text)
            _check_phone_number(findings, f"{path}.phone_number", button.phone_number)
        case CopyCodeButton():
            if button.example is not None:
                check_text(findings, f"{path}.example", button.example, MAX_COUPON_CODE)
        case _:
            assert_never(button)


def _check_label(findings: Findings, path: str, text: str | None) -> None:
    if text is not None:
        check_static(findings, path, text, MAX_BUTTON_TEXT)


def _check_url(findings: Findings, path: str, url: str) -> None:
    static = url.removesuffix(_VARIABLE)
    if len(url) > MAX_URL:
        findings.note(path, f"must have at most {MAX_URL} characters; it has {len(url)}")
    elif "{{" in static or "}}" in static:
        findings.note(path, f"may have one variable, {_VARIABLE}, at its end")
    elif problem := url_problem(static):
        findings.note(path, problem)
    elif static != url and not any(urlsplit(static)[2:]):
        # A filled-in value must not become a part of the host.
        findings.note(
            path, f"must have a path before its variable, as https://example.com/{_VARIABLE}"
        )


def _check_phone_number(findings: Findings, path: str, number: str) -> None:
    if len(number) > MAX_PHONE_NUMBER:
        findings.note(path, f"must have at most {MAX_PHONE_NUMBER} characters")
    elif problem := dialed_number_problem(number):
        findings.note(path, problem)


def _check_apps(findings: Findings, path: str, apps: Sequence[SupportedApp]) -> None:
    if not 1 <= len(apps) <= MAX_APPS:
        findings.note(path, f"must have 1 to {MAX_APPS} apps; there are {len(apps)}")
    for index, app in enumerate(apps):
        name = app.package_name
        if not _PACKAGE_NAME.fullmatch(name) or len(name) > MAX_PACKAGE_NAME:
            findings.note(
                f"{path}[{index}].package_name",
                "must be the package name of an Android app, such as com.example.app",
            )
        if not _SIGNATURE_HASH.fullmatch(app.signature_hash):
            findings.note(
                f"{path}[{index}].signature_hash",
                "must be the 11 characters of the hash of the app's signing key",
            )
