"""The buttons of a WhatsApp template, one type per kind, in Meta's words; told apart by `type`."""

from __future__ import annotations

from typing import Literal

from attrs import frozen


@frozen(kw_only=True)
class QuickReplyButton:
    """Answers with its label, and with a payload from the send."""

    type: Literal["QUICK_REPLY"] = "QUICK_REPLY"
    text: str


@frozen(kw_only=True)
class UrlButton:
    """Opens an address that may end in a variable; `example` fills it for the reviewer."""

    type: Literal["URL"] = "URL"
    text: str
    url: str
    example: tuple[str, ...] | None = None


@frozen(kw_only=True)
class PhoneNumberButton:
    """Dials a number."""

    type: Literal["PHONE_NUMBER"] = "PHONE_NUMBER"
    text: str
    phone_number: str


@frozen(kw_only=True)
class CopyCodeButton:
    """Copies a coupon's code, which each send provides; Meta provides the label."""

    type: Literal["COPY_CODE"] = "COPY_CODE"
    example: str | None = None


Button = QuickReplyButton | UrlButton | PhoneNumberButton | CopyCodeButton


@frozen(kw_only=True)
class SupportedApp:
    """An Android app that may receive a code: its name, and the hash of its signing key."""

    package_name: str
    signature_hash: str


@frozen(kw_only=True)
class CopyCodeOtpButton:
    """Copies the code of an authentication message; without a `text` it has Meta's label."""

    type: Literal["OTP"] = "OTP"
    otp_type: Literal["COPY_CODE"] = "COPY_CODE"
    text: str | None = None


@frozen(kw_only=True)
class OneTapOtpButton:
    """Passes the code to an app, or copies it if that is not possible."""

    type: Literal["OTP"] = "OTP"
    otp_type: Literal["ONE_TAP"] = "ONE_TAP"
    text: str | None = None
    autofill_text: str | None = None
    supported_apps: tuple[SupportedApp, ...]


OtpButton = CopyCodeOtpButton | OneTapOtpButton
