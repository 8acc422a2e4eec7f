"""A PIN template: the limits of its PINs, and its text for each channel (SPEC 2.8)."""

from .channel_content import (
    DEFAULT_PLACEHOLDER,
    MAX_BUTTON_INDEX,
    MAX_ENTRIES,
    MAX_PLACEHOLDER_LENGTH,
    MAX_TEXT_LENGTH,
    RenderedPin,
    TemplateChannel,
    check_params,
    position_keys,
    render,
    unfilled_text,
)
from .commands import CreatePinTemplate, RevisePinTemplate, TemplateMark
from .decide import (
    archive,
    channels_for,
    create,
    default_texts,
    disable,
    enable,
    require_usable,
    revise,
)
from .errors import ChannelNotConfiguredError, TemplateDisabledError, TemplateNotFoundError
from .events import (
    PinTemplateArchived,
    PinTemplateCreated,
    PinTemplateDisabled,
    PinTemplateEnabled,
    PinTemplateRevised,
)
from .states import PinTemplate, TemplateStatus, pin_template_decider

__all__ = [
    "DEFAULT_PLACEHOLDER",
    "MAX_BUTTON_INDEX",
    "MAX_ENTRIES",
    "MAX_PLACEHOLDER_LENGTH",
    "MAX_TEXT_LENGTH",
    "ChannelNotConfiguredError",
    "CreatePinTemplate",
    "PinTemplate",
    "PinTemplateArchived",
    "PinTemplateCreated",
    "PinTemplateDisabled",
    "PinTemplateEnabled",
    "PinTemplateRevised",
    "RenderedPin",
    "RevisePinTemplate",
    "TemplateChannel",
    "TemplateDisabledError",
    "TemplateMark",
    "TemplateNotFoundError",
    "TemplateStatus",
    "archive",
    "channels_for",
    "check_params",
    "create",
    "default_texts",
    "disable",
    "enable",
    "pin_template_decider",
    "position_keys",
    "render",
    "require_usable",
    "revise",
    "unfilled_text",
]
