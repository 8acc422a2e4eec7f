"""The port for sending: a provider per technology, a channel account per contract with one (C-34, C-66)."""

from .answers import Accepted, Connected, Fault, Rejected, Submitted, Unknown, Webhook
from .config_checks import checked_config
from .message import Message, ProviderTemplate, SentMessage
from .posts import (
    Heard,
    InboundMessage,
    Post,
    ProviderReport,
    Report,
    TemplateReview,
)
from .provider import ChannelProvider, Context, MediaFile, ProviderAccount
from .settings import Setting, SettingKind

__all__ = [
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
    "checked_config",
]
