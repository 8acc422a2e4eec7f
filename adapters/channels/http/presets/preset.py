"""A preset: a known provider as data, which the engine reads like any other config (D-200)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from attrs import field, frozen

from .....application.ports.channels import Message, Setting

# A preset without a signature of its own has this parameter. The token in it is made when the channel
# account is created; calls of the provider must have it (D-206).
CALLBACK_TOKEN = Setting(
    name="callbackToken",
    help="The token that the provider's calls must have; it is made when it is left out.",
)


def _no_values(_message: Message, _callback_url: str) -> Mapping[str, str]:
    return {}


@frozen(kw_only=True)
class AnswerPaths:
    """
    Paths in the answers to sends that a config of C-63 does not have.

    They lead to the number of segments, the price and its currency, and to the code and the words of a
    refusal that has them elsewhere than `rejected` says.
    """

    segments: str | None = None
    price: str | None = None
    currency: str | None = None
    refusal_code: str | None = None
    refusal_message: str | None = None


NO_PATHS = AnswerPaths()


@frozen(kw_only=True)
class Preset:
    """
    A provider whose API is known.

    `settings` are its parameters. `expand` returns the config of C-63 that they stand for, in which
    `{{config.accountSid}}` is a parameter; it raises `ValidationFailedError` for parameters that do not
    fit. `values` returns what this provider alone needs of a message, such as a validity within its
    limits: `value_names` are `{{preset.validity}}` in the config, and those in `numbers` are numbers of
    JSON. `places` says which parameter a problem with a member of the config is about.
    """

    settings: Sequence[Setting]
    expand: Callable[[Mapping[str, Any]], Mapping[str, Any]]
    values: Callable[[Message, str], Mapping[str, str]] = _no_values
    value_names: Collection[str] = ()
    numbers: Collection[str] = ()
    places: Mapping[str, str] = field(factory=dict)
    answer_paths: AnswerPaths = NO_PATHS


def query_token(config: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the signature of a preset whose calls have a token; `check_config` makes it."""
    return {"kind": "query_token", "secret": config.get(CALLBACK_TOKEN.name)}
