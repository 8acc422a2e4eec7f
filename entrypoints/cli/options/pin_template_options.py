"""Options for the channels and limits of a PIN template (SPEC 2.8)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import click
from attrs import Attribute, fields

from ....domain.channel import PIN_CHANNELS
from ....domain.errors import ValidationFailedError, camel
from ....domain.pin_template.pin_type import PinType
from ....domain.pin_template.policy import PinPolicy, VerificationReceipt
from ...starters.starter_texts import STARTER_CHANNELS, starter_channels
from ...wire.strict_json import parse_json
from .shared import together

F = TypeVar("F", bound=Callable[..., Any])

_LIMITS: Mapping[str, str] = {
    "pin_length": "Characters of a code",
    "pin_type": "What codes are made of",
    "pin_attempts": "Wrong guesses before the one that blocks",
    "pin_time_to_live": "How long a code can be verified",
    "verify_pin_limit": "How often one PIN may be guessed",
    "send_pin_per_template_limit": "How often codes are sent under the template",
    "send_pin_per_phone_number_limit": "How often codes are sent to one destination",
    "resend_cooldown": "How long after a send the next one may follow",
}


_NONE = "none"


def _limit(limit: Attribute[Any]) -> Callable[[F], F]:
    kinds: dict[type, Any] = {
        int: click.INT,
        PinType: click.Choice([str(each) for each in PinType]),
    }
    return click.option(
        f"--{limit.name.replace('_', '-')}",
        type=kinds.get(type(limit.default), click.STRING),
        metavar=None if type(limit.default) in kinds else type(limit.default).__name__.upper(),
        help=f"{_LIMITS[limit.name]}, such as {limit.default}.",
    )


def _channels(
    context: click.Context, parameter: click.Parameter, values: Sequence[str]
) -> list[Any]:
    return [_channel(context, parameter, value) for value in values]


def _channel(context: click.Context, parameter: click.Parameter, value: str) -> Any:
    if value in tuple(PIN_CHANNELS):
        return {"channelType": value}
    try:
        read = parse_json(value.encode())
    except (ValidationFailedError, UnicodeEncodeError):
        read = None
    if not isinstance(read, dict):
        known = ", ".join(PIN_CHANNELS)
        raise click.BadParameter(
            f"{value!r} is neither one of {known} nor a JSON object.", context, parameter
        )
    return read


def _languages(
    context: click.Context, parameter: click.Parameter, values: Sequence[str]
) -> list[str]:
    """Return the languages of the option, which has texts for all of them."""
    named = [each.strip() for value in values for each in value.split(",")]
    if named:
        try:
            starter_channels(*named)
        except ValidationFailedError as refusal:
            said = "; ".join(
                f"{named[int(each.parts[1])]!r} {each.message}" for each in refusal.problems
            )
            raise click.BadParameter(f"{said}.", context, parameter) from None
    return named


# `template_body` reads them.
template_options = together(
    click.option(
        "--channel",
        "channels",
        multiple=True,
        callback=_channels,
        metavar="CHANNEL",
        help="sms, whatsapp or email, or a JSON object as in POST /admin/v1/pin-templates; "
        "can be given again. The first is the default where none is marked.",
    ),
    click.option(
        "--starter",
        "languages",
        multiple=True,
        callback=_languages,
        metavar="LANGUAGES",
        help="Write a text of ours in each of these languages, such as en,de,zh-TW, for every sms and email"
        " channel without a text of its own; the first is for people of other languages."
        " `templates starters` shows them.",
    ),
    click.option(
        "--literal",
        is_flag=True,
        help="The texts of these channels mean what looks like a placeholder as it stands.",
    ),
    *(_limit(each) for each in fields(PinPolicy) if each.name in _LIMITS),
    click.option(
        "--receipt",
        type=click.Choice([*map(str, VerificationReceipt), _NONE]),
        help="Answer the right code with a signed receipt, which names the destination in clear or hashed.",
    ),
)


def template_body(
    channels: Sequence[Any], *, languages: Sequence[str], literal: bool, **given: Any
) -> dict[str, Any]:
    """Return the body of the documented route, without the options that were not given."""
    if languages:
        channels = _with_starters(channels, languages)
    if literal:
        if not channels:
            raise click.UsageError("--literal is about the texts of channels: give a --channel.")
        channels = [{**each, "literal": True} for each in channels]
    body = {camel(name): value for name, value in given.items() if value is not None}
    if body.get("receipt") == _NONE:
        body["receipt"] = None
    return body | ({"channels": list(channels)} if channels else {})


def _with_starters(channels: Sequence[Any], languages: Sequence[str]) -> list[Any]:
    """Return the channels with an entry for each language where they have no text of their own."""
    written: list[Any] = []
    for each in channels:
        if each.get("channelType") not in STARTER_CHANNELS or "contentText" in each:
            written.append(each)
            continue
        if "languageCode" in each:
            raise click.UsageError("--starter names the languages: leave languageCode out.")
        shared = {name: each[name] for name in each if name not in ("channelType", "isDefault")}
        try:
            entries = starter_channels(*languages, channel=each["channelType"], **shared)
        except ValidationFailedError as refusal:
            said = "; ".join(f"{found.field} {found.message}" for found in refusal.problems)
            raise click.UsageError(f"--channel beside --starter: {said}.") from None
        if "isDefault" in each:
            # A template has one default entry, which chooses the channel.
            entries[0]["isDefault"] = each["isDefault"]
        written += entries
    if written == list(channels):
        raise click.UsageError(
            "--starter writes texts: pass sms or email as a --channel, without a text."
        )
    return written
