"""The buttons of a WhatsApp template, one type per kind, in Meta's words; `type` tells them apart."""

from __future__ import annotations

from typing import Literal

from attrs import frozen


@frozen(kw_only=True)
class QuickReplyButton:
    """Answers with what stands on it, and with a payload of the send's."""

    type: Literal["QUICK_REPLY"] = "QUICK_REPLY"
    text: str


@frozen(kw_only=True)
class UrlButton:
    """Opens an address, at whose end a variable may stand; `example` fills it for the reviewer."""

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
    """Copies a coupon's code, which each send gives; Meta decides what stands on it."""

    type: Literal["COPY_CODE"] = "COPY_CODE"
    example: str | None = None


Button = QuickReplyButton | UrlButton | PhoneNumberButton | CopyCodeButton


@frozen(kw_only=True)
class SupportedApp:
    """An Android app that a code may be handed to, by its name and the hash of its signing key."""

    package_name: str
    signature_hash: str


@frozen(kw_only=True)
class CopyCodeOtpButton:
    """Copies the code of an authentication message; without a `text` Meta's stands on it."""

    type: Literal["OTP"] = "OTP"
    otp_type: Literal["COPY_CODE"] = "COPY_CODE"
    text: str | None = None


@frozen(kw_only=True)
class OneTapOtpButton:
    """Hands the code to an app, or copies it where that cannot be done."""

    type: Literal["OTP"] = "OTP"
    otp_type: Literal["ONE_TAP"] = "ONE_TAP"
    text: str | None = None
    autofill_text: str | None = None
    supported_apps: tuple[SupportedApp, ...]


OtpButton = CopyCodeOtpButton | OneTapOtpButton
