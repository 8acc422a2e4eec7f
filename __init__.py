"""
Watchword: PIN verification over SMS, WhatsApp and e-mail, with every step on record.

`watchword.open(...)` opens the whole service without HTTP. `watchword.domain` has the pure rules alone.
Importing this package loads neither: a name is loaded when it is first used (C-44). These names are public;
docs/how-to/embedding.md shows them and says what else is. Everything below may change.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import domain as domain
    from .adapters.clock import SystemClock as SystemClock
    from .adapters.keyring import KeyringError as KeyringError
    from .application.audit.reading_log import Replay as Replay
    from .application.callbacks.deliveries import DeliveryNotFoundError as DeliveryNotFoundError
    from .application.channel_tests.views import ChannelTestStep as ChannelTestStep
    from .application.channel_tests.views import ChannelTestView as ChannelTestView
    from .application.channel_tests.views import StepResult as StepResult
    from .application.channel_tests.views import StepStatus as StepStatus
    from .application.channel_webhooks.views import WebhookStatus as WebhookStatus
    from .application.channel_webhooks.views import WebhookView as WebhookView
    from .application.errors import IdempotencyInProgressError as IdempotencyInProgressError
    from .application.errors import IdempotencyKeyReuseError as IdempotencyKeyReuseError
    from .application.errors import StreamNotFoundError as StreamNotFoundError
    from .application.errors import UnavailableError as UnavailableError
    from .application.errors import UnexpectedError as UnexpectedError
    from .application.evidence.checking_proofs import ProofRefusedError as ProofRefusedError
    from .application.evidence.declaring_restores import LastHeadWantedError as LastHeadWantedError
    from .application.evidence.declaring_restores import NoHeadError as NoHeadError
    from .application.evidence.errors import HeadsOutOfReachError as HeadsOutOfReachError
    from .application.evidence.errors import LogDamagedError as LogDamagedError
    from .application.evidence.errors import LogForkedError as LogForkedError
    from .application.evidence.errors import LogKeyMissingError as LogKeyMissingError
    from .application.evidence.errors import NotSealedError as NotSealedError
    from .application.evidence.proving import Consistency as Consistency
    from .application.evidence.proving import EventProof as EventProof
    from .application.evidence.proving import Evidence as Evidence
    from .application.evidence.reading_heads import HeadNotFoundError as HeadNotFoundError
    from .application.evidence.reading_heads import TileNotFoundError as TileNotFoundError
    from .application.legacy.logging_in import BadLoginError as BadLoginError
    from .application.legacy.tokens import TokenInvalidError as TokenInvalidError
    from .application.media.hosted_media import TooManyDownloadsError as TooManyDownloadsError
    from .application.media.receiving_media import TooManyUploadsError as TooManyUploadsError
    from .application.media.storing_media import MediaUrlFailedError as MediaUrlFailedError
    from .application.message_templates.submitting.requesting_submissions import (
        TemplateNotSubmittableError as TemplateNotSubmittableError,
    )
    from .application.messages.looking_up.views import FollowedMessage as FollowedMessage
    from .application.messages.looking_up.views import ReportedMessage as ReportedMessage
    from .application.messages.looking_up.views import UnknownMessage as UnknownMessage
    from .application.messages.sending_messages import SentMessages as SentMessages
    from .application.messages.tracking.receiving_provider_webhooks import (
        UnsignedError as UnsignedError,
    )
    from .application.paging import Listed as Listed
    from .application.pins.sending_pins import SentPin as SentPin
    from .application.pins.template_channels import ChannelEntry as ChannelEntry
    from .application.pins.verifying_pins import VerifiedPin as VerifiedPin
    from .application.pins.views import VerificationView as VerificationView
    from .application.ports.channels import Accepted as Accepted
    from .application.ports.channels import ChannelProvider as ChannelProvider
    from .application.ports.channels import Connected as Connected
    from .application.ports.channels import Context as Context
    from .application.ports.channels import Fault as Fault
    from .application.ports.channels import Heard as Heard
    from .application.ports.channels import InboundMessage as InboundMessage
    from .application.ports.channels import MediaFile as MediaFile
    from .application.ports.channels import Message as Message
    from .application.ports.channels import Post as Post
    from .application.ports.channels import ProviderAccount as ProviderAccount
    from .application.ports.channels import ProviderReport as ProviderReport
    from .application.ports.channels import ProviderTemplate as ProviderTemplate
    from .application.ports.channels import Rejected as Rejected
    from .application.ports.channels import Report as Report
    from .application.ports.channels import SentMessage as SentMessage
    from .application.ports.channels import Setting as Setting
    from .application.ports.channels import SettingKind as SettingKind
    from .application.ports.channels import Submitted as Submitted
    from .application.ports.channels import TemplateReview as TemplateReview
    from .application.ports.channels import Unknown as Unknown
    from .application.ports.channels import Webhook as Webhook
    from .application.ports.clock import Clock as Clock
    from .application.ports.code_hasher import CodeHasher as CodeHasher
    from .application.ports.code_hasher import CodeKeyMissingError as CodeKeyMissingError
    from .application.ports.event_store import Recorded as Recorded
    from .application.ports.event_store import StoreUnavailable as StoreUnavailable
    from .application.ports.sealed_log import Head as Head
    from .domain.accounts.account import AccountNotFoundError as AccountNotFoundError
    from .domain.accounts.account import AccountSuspendedError as AccountSuspendedError
    from .domain.accounts.api_key import ApiKeyNotFoundError as ApiKeyNotFoundError
    from .domain.accounts.api_key import ForbiddenError as ForbiddenError
    from .domain.accounts.api_key import UnauthorizedError as UnauthorizedError
    from .domain.accounts.channel_account import (
        ChannelAccountNotFoundError as ChannelAccountNotFoundError,
    )
    from .domain.accounts.channel_account import ChannelLimits as ChannelLimits
    from .domain.accounts.channel_account import PrefixPrice as PrefixPrice
    from .domain.accounts.fallback_configuration import (
        FallbackConfigurationNotFoundError as FallbackConfigurationNotFoundError,
    )
    from .domain.accounts.operator_token import (
        OperatorTokenNotFoundError as OperatorTokenNotFoundError,
    )
    from .domain.callback_endpoint import CallbackNotFoundError as CallbackNotFoundError
    from .domain.callback_endpoint import CallbackRemovedError as CallbackRemovedError
    from .domain.channel import Channel as Channel
    from .domain.channel import ChannelName as ChannelName
    from .domain.channel import ChannelOutcome as ChannelOutcome
    from .domain.channel import OutcomeStatus as OutcomeStatus
    from .domain.channel import TriedAccount as TriedAccount
    from .domain.dlt.template import DltTemplateNotFoundError as DltTemplateNotFoundError
    from .domain.errors import DomainError as DomainError
    from .domain.errors import DuplicateNameError as DuplicateNameError
    from .domain.errors import FieldProblem as FieldProblem
    from .domain.errors import NotFoundError as NotFoundError
    from .domain.errors import RateLimitedError as RateLimitedError
    from .domain.errors import RetryLaterError as RetryLaterError
    from .domain.errors import UnknownIdError as UnknownIdError
    from .domain.errors import ValidationFailedError as ValidationFailedError
    from .domain.event import Event as Event
    from .domain.fallback_run import RevokeOutcome as RevokeOutcome
    from .domain.guard import DestinationNotAllowedError as DestinationNotAllowedError
    from .domain.legacy.legacy_user import LegacyUserNotFoundError as LegacyUserNotFoundError
    from .domain.media import EmptyFileError as EmptyFileError
    from .domain.media import FileTooLargeError as FileTooLargeError
    from .domain.media import MediaNotFoundError as MediaNotFoundError
    from .domain.media import MediaRemovedError as MediaRemovedError
    from .domain.message import MessageNotFoundError as MessageNotFoundError
    from .domain.person import PersonNotFoundError as PersonNotFoundError
    from .domain.pin import DispatchFailedError as DispatchFailedError
    from .domain.pin import PinAlreadyVerifiedError as PinAlreadyVerifiedError
    from .domain.pin import PinBlockedError as PinBlockedError
    from .domain.pin import PinExpiredError as PinExpiredError
    from .domain.pin import PinIncorrectError as PinIncorrectError
    from .domain.pin import PinNotFoundError as PinNotFoundError
    from .domain.pin import PinStatus as PinStatus
    from .domain.pin import ResendCooldownError as ResendCooldownError
    from .domain.pin_template import ChannelNotConfiguredError as ChannelNotConfiguredError
    from .domain.pin_template import TemplateDisabledError as TemplateDisabledError
    from .domain.pin_template import TemplateNotFoundError as TemplateNotFoundError
    from .domain.price import Price as Price
    from .domain.rcs_template import TemplateNotSubmittedError as TemplateNotSubmittedError
    from .domain.receipt import Receipt as Receipt
    from .domain.receipt import ReceiptStatus as ReceiptStatus
    from .domain.short_link import ShortLinkNotFoundError as ShortLinkNotFoundError
    from .domain.template_filling import (
        MessageTemplateNotFoundError as MessageTemplateNotFoundError,
    )
    from .domain.template_filling import TemplateNotApprovedError as TemplateNotApprovedError
    from .domain.test_destination import DestinationInUseError as DestinationInUseError
    from .domain.test_destination import (
        TestDestinationNotFoundError as TestDestinationNotFoundError,
    )
    from .entrypoints.blocking.service import BlockingSandbox as BlockingSandbox
    from .entrypoints.blocking.service import BlockingService as BlockingService
    from .entrypoints.blocking.service import open_blocking as open_blocking
    from .entrypoints.embedding.events import PositionAheadError as PositionAheadError
    from .entrypoints.embedding.leasing import ServiceClosedError as ServiceClosedError
    from .entrypoints.embedding.plain_data import to_json as to_json
    from .entrypoints.embedding.service import Service as Service
    from .entrypoints.embedding.service import http_routes as http_routes
    from .entrypoints.embedding.service import open as open  # noqa: A004  the documented name
    from .entrypoints.sandbox.controls import Sandbox as Sandbox
    from .entrypoints.settings import SettingsError as SettingsError
    from .entrypoints.starters.starter_texts import starter_channels as starter_channels

    __version__: str

# The public names, by the module that defines them.
_HOMES = {
    name: home
    for home, names in {
        ".adapters.clock": ("SystemClock",),
        ".adapters.keyring": ("KeyringError",),
        ".application.audit.reading_log": ("Replay",),
        ".application.callbacks.deliveries": ("DeliveryNotFoundError",),
        ".application.errors": (
            "IdempotencyInProgressError",
            "IdempotencyKeyReuseError",
            "StreamNotFoundError",
            "UnavailableError",
            "UnexpectedError",
        ),
        ".application.evidence.checking_proofs": ("ProofRefusedError",),
        ".application.evidence.declaring_restores": ("LastHeadWantedError", "NoHeadError"),
        ".application.evidence.errors": (
            "HeadsOutOfReachError",
            "LogDamagedError",
            "LogForkedError",
            "LogKeyMissingError",
            "NotSealedError",
        ),
        ".application.evidence.reading_heads": ("HeadNotFoundError", "TileNotFoundError"),
        ".application.evidence.proving": (
            "Consistency",
            "EventProof",
            "Evidence",
        ),
        ".application.channel_webhooks.views": ("WebhookStatus", "WebhookView"),
        ".application.channel_tests.views": (
            "ChannelTestStep",
            "ChannelTestView",
            "StepResult",
            "StepStatus",
        ),
        ".application.legacy.logging_in": ("BadLoginError",),
        ".application.legacy.tokens": ("TokenInvalidError",),
        ".application.media.hosted_media": ("TooManyDownloadsError",),
        ".application.media.receiving_media": ("TooManyUploadsError",),
        ".application.media.storing_media": ("MediaUrlFailedError",),
        ".application.message_templates.submitting.requesting_submissions": (
            "TemplateNotSubmittableError",
        ),
        ".application.messages.looking_up.views": (
            "FollowedMessage",
            "ReportedMessage",
            "UnknownMessage",
        ),
        ".application.messages.sending_messages": ("SentMessages",),
        ".application.messages.tracking.receiving_provider_webhooks": ("UnsignedError",),
        ".application.paging": ("Listed",),
        ".application.pins.sending_pins": ("SentPin",),
        ".application.pins.template_channels": ("ChannelEntry",),
        ".application.pins.verifying_pins": ("VerifiedPin",),
        ".application.ports.channels": (
            "Accepted",
            "ChannelProvider",
            "Connected",
            "Context",
            "Fault",
            "Heard",
            "InboundMessage",
            "MediaFile",
            "Message",
            "Post",
            "ProviderAccount",
            "ProviderReport",
            "ProviderTemplate",
            "Rejected",
            "Report",
            "SentMessage",
            "Setting",
            "SettingKind",
            "Submitted",
            "TemplateReview",
            "Unknown",
            "Webhook",
        ),
        ".application.ports.clock": ("Clock",),
        ".application.ports.code_hasher": ("CodeHasher", "CodeKeyMissingError"),
        ".application.ports.event_store": ("Recorded", "StoreUnavailable"),
        ".application.pins.views": ("VerificationView",),
        ".domain.accounts.account": ("AccountNotFoundError", "AccountSuspendedError"),
        ".domain.accounts.api_key": ("ApiKeyNotFoundError", "ForbiddenError", "UnauthorizedError"),
        ".domain.accounts.operator_token": ("OperatorTokenNotFoundError",),
        ".domain.callback_endpoint": ("CallbackNotFoundError", "CallbackRemovedError"),
        ".domain.channel": (
            "Channel",
            "ChannelName",
            "ChannelOutcome",
            "OutcomeStatus",
            "TriedAccount",
        ),
        ".domain.accounts.channel_account": (
            "ChannelAccountNotFoundError",
            "ChannelLimits",
            "PrefixPrice",
        ),
        ".domain.dlt.template": ("DltTemplateNotFoundError",),
        ".domain.errors": (
            "DomainError",
            "DuplicateNameError",
            "FieldProblem",
            "NotFoundError",
            "RateLimitedError",
            "RetryLaterError",
            "UnknownIdError",
            "ValidationFailedError",
        ),
        ".domain.event": ("Event",),
        ".domain.accounts.fallback_configuration": ("FallbackConfigurationNotFoundError",),
        ".domain.fallback_run": ("RevokeOutcome",),
        ".domain.guard": ("DestinationNotAllowedError",),
        ".domain.legacy.legacy_user": ("LegacyUserNotFoundError",),
        ".domain.media": (
            "EmptyFileError",
            "FileTooLargeError",
            "MediaNotFoundError",
            "MediaRemovedError",
        ),
        ".domain.message": ("MessageNotFoundError",),
        ".domain.template_filling": ("MessageTemplateNotFoundError", "TemplateNotApprovedError"),
        ".domain.person": ("PersonNotFoundError",),
        ".application.ports.sealed_log": ("Head",),
        ".domain.pin": (
            "DispatchFailedError",
            "PinAlreadyVerifiedError",
            "PinBlockedError",
            "PinExpiredError",
            "PinIncorrectError",
            "PinNotFoundError",
            "PinStatus",
            "ResendCooldownError",
        ),
        ".domain.pin_template": (
            "ChannelNotConfiguredError",
            "TemplateDisabledError",
            "TemplateNotFoundError",
        ),
        ".domain.rcs_template": ("TemplateNotSubmittedError",),
        ".domain.price": ("Price",),
        ".domain.receipt": ("Receipt", "ReceiptStatus"),
        ".domain.short_link": ("ShortLinkNotFoundError",),
        ".domain.test_destination": ("DestinationInUseError", "TestDestinationNotFoundError"),
        ".entrypoints.blocking.service": ("BlockingSandbox", "BlockingService", "open_blocking"),
        ".entrypoints.embedding.events": ("PositionAheadError",),
        ".entrypoints.embedding.leasing": ("ServiceClosedError",),
        ".entrypoints.embedding.plain_data": ("to_json",),
        ".entrypoints.embedding.service": ("Service", "http_routes", "open"),
        ".entrypoints.sandbox.controls": ("Sandbox",),
        ".entrypoints.settings": ("SettingsError",),
        ".entrypoints.starters.starter_texts": ("starter_channels",),
    }.items()
    for name in names
}

__all__ = sorted([*_HOMES, "domain"])  # noqa: PLE0605  a list, made from the one table


# Type checkers do not see it, because they would take any misspelt name for one of ours.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """Import a public name when it is first used."""
        if name == "domain":
            return importlib.import_module(".domain", __name__)
        if name == "__version__":
            return importlib.import_module(".entrypoints.release", __name__).release()
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(importlib.import_module(_HOMES[name], __name__), name)


def __dir__() -> list[str]:
    """List the public names, which are not there before they are used."""
    own = (name for name in globals() if name.startswith("__"))
    return sorted({*own, *__all__, "__version__"})
