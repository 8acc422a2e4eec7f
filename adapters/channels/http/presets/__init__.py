"""Known providers, by the name that a config gives as its `preset` (C-63)."""

from __future__ import annotations

from collections.abc import Mapping

from .infobip import INFOBIP
from .kannel import KANNEL
from .preset import CALLBACK_TOKEN, NO_PATHS, AnswerPaths, Preset
from .twilio import TWILIO
from .vonage import VONAGE

PRESETS: Mapping[str, Preset] = {
    "twilio": TWILIO,
    "infobip": INFOBIP,
    "vonage": VONAGE,
    "kannel": KANNEL,
}

__all__ = ["CALLBACK_TOKEN", "NO_PATHS", "PRESETS", "AnswerPaths", "Preset"]
