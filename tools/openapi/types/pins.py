"""PINs and their templates."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal, NotRequired, TypedDict

from tools.openapi import patterns
from tools.openapi.schemas import Count, Joined, answered, narrowed, words
from tools.openapi.types.shapes import any_of
from watchword.application.pins.caller_context import CallerContext
from watchword.application.pins.issuing_pins import IssueRequest
from watchword.application.pins.resending_pins import ResendRequest
from watchword.application.pins.template_channels import ChannelEntry
from watchword.application.pins.views import PinTemplateView
from watchword.domain.channel import Channel, OutcomeStatus, PinChannel
from watchword.domain.destination import MAX_LENGTH
from watchword.domain.pin import PinStatus
from watchword.domain.pin.code import MAX_TYPED_LENGTH
from watchword.domain.pin_template import (
    DEFAULT_PLACEHOLDER,
    MAX_PLACEHOLDER_LENGTH,
    TemplateChannel,
    TemplateStatus,
)
from watchword.domain.pin_template.guessing import Finding
from watchword.domain.pin_template.pin_type import PinType
from watchword.domain.pin_template.policy import PinPolicy
from watchword.domain.rate_limit import Duration, Rate
from watchword.domain.receipt import ReceiptStatus
from watchword.entrypoints.wire.typed_requests import (
    NewPinTemplate,
    PinTemplatePatch,
    VerifyRequest,
)

StandingStatus = Literal[
    PinStatus.PENDING, PinStatus.VERIFIED, PinStatus.EXPIRED, PinStatus.BLOCKED
]


class AcceptedChannel(TypedDict):
    """A channel that accepted a code."""

    channel: PinChannel
    status: Literal["accepted"]
    providerMessageId: str


class RejectedChannel(TypedDict):
    """A channel that did not accept a code."""

    channel: PinChannel
    status: Literal["rejected"]
    errorCode: str
    errorMessage: str


ChannelResult = AcceptedChannel | RejectedChannel


class Pin(TypedDict):
    """A PIN after a create or a resend."""

    pinId: str
    status: StandingStatus
    expiresAt: datetime
    attemptsRemaining: Count
    channels: list[ChannelResult]


class VerifiedPin(TypedDict):
    """A PIN after its right code."""

    pinId: str
    status: Literal["VERIFIED"]
    attemptsRemaining: Count
    receipt: NotRequired[str]


class ReceiptKey(TypedDict):
    """The public half of a key that signs verification receipts."""

    crv: Literal["Ed25519"]
    kty: Literal["OKP"]
    x: str
    kid: str
    alg: Literal["EdDSA"]
    use: Literal["sig"]


class ReceiptKeys(TypedDict):
    """The public keys of verification receipts, as a JWK Set."""

    keys: list[ReceiptKey]


class CodeReceipt(TypedDict):
    """A provider's receipt for a code."""

    status: ReceiptStatus
    at: datetime
    errorCode: NotRequired[str]


class Attempt(TypedDict):
    """One attempt to send, through a channel account; `code` says why it was not accepted."""

    channelAccountId: str
    status: OutcomeStatus
    code: NotRequired[str]


class StandingChannel(TypedDict):
    """The outcome of a code on a channel, for callers; after failover, with what was tried."""

    channel: PinChannel
    status: Literal["accepted", "rejected"]
    errorCode: NotRequired[str]
    tried: NotRequired[list[Attempt]]
    receipt: NotRequired[CodeReceipt]


class StandingPin(TypedDict):
    """The present status of a PIN."""

    pinId: str
    status: StandingStatus
    expiresAt: datetime
    attemptsRemaining: Count
    referenceId: str | None
    channels: list[StandingChannel]
    createdAt: datetime
    updatedAt: datetime


NAMED: Mapping[str, Any] = {
    "Channel": Channel,
    "ChannelFilter": words([Channel.SMS, Channel.WHATSAPP, "wa", Channel.RCS, Channel.EMAIL]),
    "PinChannel": PinChannel,
    "PinStatus": StandingStatus,
    "Duration": Duration,
    "Rate": Rate,
    "PhoneNumber": {
        "type": "string",
        "minLength": 1,
        "maxLength": MAX_LENGTH,
        "pattern": patterns.PHONE_NUMBER,
    },
    "EmailAddress": {
        "type": "string",
        "minLength": 1,
        "maxLength": MAX_LENGTH,
        "pattern": patterns.EMAIL_ADDRESS,
    },
    "CreatePin": narrowed(
        IssueRequest,
        destination=any_of("PhoneNumber", "EmailAddress"),
    ),
    "CallerContext": CallerContext,
    "ResendPin": ResendRequest,
    # White space around a code is ignored, and does not count towards its length.
    "VerifyPin": narrowed(
        VerifyRequest,
        pin={
            "type": "string",
            "pattern": rf"^\s*\S([\s\S]{{0,{MAX_TYPED_LENGTH - 2}}}\S)?\s*$",
        },
    ),
    "AcceptedChannel": AcceptedChannel,
    "RejectedChannel": RejectedChannel,
    "ChannelResult": ChannelResult,
    "Pin": Pin,
    "VerifiedPin": VerifiedPin,
    "ReceiptKey": ReceiptKey,
    "ReceiptKeys": ReceiptKeys,
    "Attempt": Attempt,
    "CodeReceipt": CodeReceipt,
    "ReceiptStatus": ReceiptStatus,
    "StandingChannel": StandingChannel,
    "StandingPin": StandingPin,
    "PinType": PinType,
    "TemplateStatus": TemplateStatus,
    "NewTemplateChannel": narrowed(
        ChannelEntry,
        without=("id",),
        subjectText={"type": ["string", "null"], "pattern": patterns.ONE_LINE},
        pinPlaceholder={
            "type": ["string", "null"],
            "minLength": 1,
            "maxLength": MAX_PLACEHOLDER_LENGTH,
            "default": DEFAULT_PLACEHOLDER,
        },
    ),
    "NewPinTemplate": Joined(PinPolicy, NewPinTemplate),
    "PinTemplatePatch": Joined(PinPolicy, PinTemplatePatch),
    "TemplateChannel": answered(TemplateChannel, channelType=PinChannel),
    "Finding": Finding,
    "PinTemplate": PinTemplateView,
}
