"""Rules for the values in requests about PINs, as attrs validators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...domain.pin_template import position_keys

MAX_PARAMETER_LENGTH = 1000


def channel_list(_instance: object, _attribute: object, channels: Any) -> None:
    """Check that a given list of channels is not empty."""
    if channels is not None and not channels:
        raise ValueError("must have at least one entry; leave it out for the template's default")


def parameters(instance: object, attribute: object, params: Mapping[str, str]) -> None:
    """Check that parameters are keyed by positions, and short enough to send."""
    position_keys(instance, attribute, params)
    for key, value in params.items():
        if len(value) > MAX_PARAMETER_LENGTH:
            raise ValueError(f"has more than {MAX_PARAMETER_LENGTH} characters at {key}")
