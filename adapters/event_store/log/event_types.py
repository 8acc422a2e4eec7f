"""
The closed registry of stored events.

A topic is a promise: what is stored under it must be readable for ever. It names the event and the
version of its form, never a module, so classes may move; nothing outside this list is ever loaded.
A change of form gets a new version here, an upcaster from the old one, and a golden file.
"""

from __future__ import annotations

from ....domain.account import AccountCreated, AccountLimitsSet, AccountResumed, AccountSuspended
from ....domain.api_key import ApiKeyCreated, ApiKeyRevoked, ApiKeyUsed
from ....domain.callback_endpoint import CallbackEndpointCreated, CallbackEndpointRemoved
from ....domain.channel_account import ChannelAccountCreated
from ....domain.chat_rating import ChatRated
from ....domain.consent import RecipientOptedIn, RecipientOptedOut, RecipientUnlisted
from ....domain.dlt_template import DltTemplateRegistered, DltTemplateRemoved
from ....domain.event import Event
from ....domain.fallback_configuration import FallbackConfigurationCreated
from ....domain.fallback_run import (
    AttemptEnded,
    FallbackArmed,
    FallbackDispatched,
    FallbackFired,
    FallbackRejected,
    FallbackStoodDown,
    FallbackTriggered,
    StepPassedOver,
)
from ....domain.legacy_user import LegacyTokensRevoked, LegacyUserCreated, LegacyUserRemoved
from ....domain.media import MediaRemoved, MediaStored
from ....domain.message import (
    MessageDispatched,
    MessageEnded,
    MessageReceived,
    MessageReported,
    MessageSubmitted,
)
from ....domain.parked_receipt import (
    ReceiptDropped,
    ReceiptMatched,
    ReceiptParked,
)
from ....domain.pin import (
    PinBlocked,
    PinDispatched,
    PinExpired,
    PinIssued,
    PinReported,
    PinResent,
    PinSuperseded,
    PinVerified,
    VerifyFailed,
)
from ....domain.pin_template import (
    PinTemplateArchived,
    PinTemplateCreated,
    PinTemplateDisabled,
    PinTemplateEnabled,
    PinTemplateRevised,
)
from ....domain.rcs_template import (
    RcsTemplateApproved,
    RcsTemplateCreated,
    RcsTemplateRejected,
    RcsTemplateSubmitted,
)
from ....domain.shared_content import ContentSubmitted
from ....domain.short_link import (
    ShortLinkClicked,
    ShortLinkCreated,
    ShortLinkDisabled,
    ShortLinkEnabled,
)
from ....domain.whatsapp_template import (
    WhatsappTemplateApproved,
    WhatsappTemplateCreated,
    WhatsappTemplateRejected,
)

EVENT_TYPES: dict[tuple[str, int], type[Event]] = {
    ("AccountCreated", 1): AccountCreated,
    ("AccountSuspended", 1): AccountSuspended,
    ("AccountResumed", 1): AccountResumed,
    ("AccountLimitsSet", 1): AccountLimitsSet,
    ("ApiKeyCreated", 1): ApiKeyCreated,
    ("ApiKeyUsed", 1): ApiKeyUsed,
    ("ApiKeyRevoked", 1): ApiKeyRevoked,
    ("CallbackEndpointCreated", 1): CallbackEndpointCreated,
    ("CallbackEndpointRemoved", 1): CallbackEndpointRemoved,
    ("ChannelAccountCreated", 1): ChannelAccountCreated,
    ("FallbackConfigurationCreated", 1): FallbackConfigurationCreated,
    ("PinTemplateCreated", 1): PinTemplateCreated,
    ("PinTemplateRevised", 1): PinTemplateRevised,
    ("PinTemplateEnabled", 1): PinTemplateEnabled,
    ("PinTemplateDisabled", 1): PinTemplateDisabled,
    ("PinTemplateArchived", 1): PinTemplateArchived,
    ("PinIssued", 1): PinIssued,
    ("PinResent", 1): PinResent,
    ("PinDispatched", 1): PinDispatched,
    ("PinReported", 1): PinReported,
    ("VerifyFailed", 1): VerifyFailed,
    ("PinVerified", 1): PinVerified,
    ("PinBlocked", 1): PinBlocked,
    ("PinExpired", 1): PinExpired,
    ("PinSuperseded", 1): PinSuperseded,
    ("ContentSubmitted", 1): ContentSubmitted,
    ("MessageSubmitted", 3): MessageSubmitted,
    ("MessageDispatched", 1): MessageDispatched,
    ("MessageReported", 1): MessageReported,
    ("MessageEnded", 1): MessageEnded,
    ("MessageReceived", 1): MessageReceived,
    ("ReceiptParked", 1): ReceiptParked,
    ("ReceiptMatched", 1): ReceiptMatched,
    ("ReceiptDropped", 1): ReceiptDropped,
    ("FallbackArmed", 2): FallbackArmed,
    ("FallbackTriggered", 1): FallbackTriggered,
    ("AttemptEnded", 1): AttemptEnded,
    ("FallbackFired", 1): FallbackFired,
    ("FallbackDispatched", 1): FallbackDispatched,
    ("FallbackRejected", 1): FallbackRejected,
    ("StepPassedOver", 1): StepPassedOver,
    ("FallbackStoodDown", 1): FallbackStoodDown,
    ("ShortLinkCreated", 1): ShortLinkCreated,
    ("ShortLinkClicked", 1): ShortLinkClicked,
    ("ShortLinkDisabled", 1): ShortLinkDisabled,
    ("ShortLinkEnabled", 1): ShortLinkEnabled,
    ("MediaStored", 1): MediaStored,
    ("MediaRemoved", 1): MediaRemoved,
    ("RecipientOptedIn", 1): RecipientOptedIn,
    ("RecipientOptedOut", 1): RecipientOptedOut,
    ("RecipientUnlisted", 1): RecipientUnlisted,
    ("DltTemplateRegistered", 1): DltTemplateRegistered,
    ("DltTemplateRemoved", 1): DltTemplateRemoved,
    ("RcsTemplateCreated", 1): RcsTemplateCreated,
    ("RcsTemplateSubmitted", 1): RcsTemplateSubmitted,
    ("RcsTemplateApproved", 1): RcsTemplateApproved,
    ("RcsTemplateRejected", 1): RcsTemplateRejected,
    ("WhatsappTemplateCreated", 1): WhatsappTemplateCreated,
    ("WhatsappTemplateApproved", 1): WhatsappTemplateApproved,
    ("WhatsappTemplateRejected", 1): WhatsappTemplateRejected,
    ("LegacyUserCreated", 1): LegacyUserCreated,
    ("LegacyTokensRevoked", 1): LegacyTokensRevoked,
    ("LegacyUserRemoved", 1): LegacyUserRemoved,
    ("ChatRated", 1): ChatRated,
}
