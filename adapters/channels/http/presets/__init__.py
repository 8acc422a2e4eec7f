"""Known providers, by the name that a config gives as its `preset` (C-63)."""

from __future__ import annotations

from collections.abc import Mapping

from .preset import Preset

PRESETS: Mapping[str, Preset] = {}

__all__ = ["PRESETS", "Preset"]
