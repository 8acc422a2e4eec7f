"""A preset: a known provider as data, which the engine reads like any other config (D-200)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import frozen

from .....application.ports.channels import Setting


@frozen(kw_only=True)
class Preset:
    """
    A provider whose API is known.

    `settings` are its parameters. `expand` returns the config of C-63 that they stand for, in which
    `{{config.accountSid}}` is a parameter; it raises `ValidationFailedError` for parameters that do not
    fit. The paths say where the answer to a send has the number of segments, the price and its currency.
    """

    settings: Sequence[Setting]
    expand: Callable[[Mapping[str, Any]], Mapping[str, Any]]
    segments_path: str | None = None
    price_path: str | None = None
    currency_path: str | None = None
