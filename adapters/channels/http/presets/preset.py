"""A preset: a known provider as data, which the engine reads like any other config (D-200)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from attrs import field, frozen

from .....application.ports.channels import Message, Setting
from .....domain.errors import FieldProblem, ValidationFailedError

_ADDRESS = "baseUrl"
# A preset without a signature of its own has this parameter. The token in it is made when the channel
# account is created; calls of the provider must have it (D-206).
CALLBACK_TOKEN = Setting(
    name="callbackToken",
    help="The token that the provider's calls must have; it is made when it is left out.",
)


def _no_values(_message: Message, _callback_url: str) -> Mapping[str, str]:
    return {}


@frozen(kw_only=True)
class Preset:
    """
    A provider whose API is known.

    `settings` are its parameters. `expand` returns the config of C-63 that they stand for, in which
    `{{config.accountSid}}` is a parameter; it raises `ValidationFailedError` for parameters that do not
    fit. `values` returns what this provider alone needs of a message, such as a validity within its
    limits: `value_names` are `{{preset.validity}}` in the config, and those in `numbers` are numbers of
    JSON. `places` says which parameter a problem with a member of the config is about. The paths say
    where the answer to a send has the number of segments, the price and its currency, and where a
    refusal has its code and words, if they are elsewhere than in an answer.
    """

    settings: Sequence[Setting]
    expand: Callable[[Mapping[str, Any]], Mapping[str, Any]]
    values: Callable[[Message, str], Mapping[str, str]] = _no_values
    value_names: Collection[str] = ()
    numbers: Collection[str] = ()
    places: Mapping[str, str] = field(factory=dict)
    segments_path: str | None = None
    price_path: str | None = None
    currency_path: str | None = None
    refusal_code_path: str | None = None
    refusal_message_path: str | None = None


def api_address(config: Mapping[str, Any], default: str = "") -> str:
    """Return the scheme and host of the API; raises `ValidationFailedError` if `baseUrl` has more (C-99)."""
    address = str(config.get(_ADDRESS, default))
    parts = urlsplit(address)
    has_more = parts.path.strip("/") or parts.query or parts.fragment or "@" in parts.netloc
    if has_more or "{" in address:
        wrong = "must be scheme and host, and a port if need be: https://api.example.com"
        raise ValidationFailedError([FieldProblem(f"config.{_ADDRESS}", wrong)])
    return f"{parts.scheme}://{parts.netloc}"


def query_token(config: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the signature of a preset whose calls have a token; `check_config` makes it."""
    return {"kind": "query_token", "secret": config.get(CALLBACK_TOKEN.name)}
