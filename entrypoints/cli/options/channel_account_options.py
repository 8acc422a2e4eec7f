"""Options for the settings of a channel account (C-66)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import IO, Any

import click

from ....domain.errors import ValidationFailedError, camel
from ...wire.strict_json import parse_json
from .shared import together

# What `--remove` takes away, with what stands for nothing in the body.
_REMOVABLE: Mapping[str, Any] = {
    "sender": None,
    "limits": None,
    "failover": [],
    "failover-on-unknown": None,
    "prices": [],
}
_LIMITS = ("concurrency", "rate_per_second", "timeout_seconds")


def _config(context: click.Context, parameter: click.Parameter, file: IO[bytes] | None) -> Any:
    if file is None:
        return None
    try:
        with file:
            config = parse_json(file.read())
    except ValidationFailedError as refusal:
        said = "; ".join(each.message for each in refusal.problems)
        raise click.BadParameter(f"{file.name} {said}.", context, parameter) from None
    if not isinstance(config, dict):
        raise click.BadParameter(f"{file.name} must be an object.", context, parameter)
    return config


def _prices(
    context: click.Context, parameter: click.Parameter, values: Sequence[str]
) -> list[dict[str, str]]:
    return [_price(context, parameter, value) for value in values]


def _price(context: click.Context, parameter: click.Parameter, value: str) -> dict[str, str]:
    parts = value.split(":")
    if len(parts) != 3:
        raise click.BadParameter(
            f"{value!r} is not PREFIX:AMOUNT:CURRENCY, such as 44:0.0412:GBP.", context, parameter
        )
    return dict(zip(("prefix", "amount", "currency"), parts, strict=True))


config_option = click.option(
    "--config",
    type=click.File("rb"),
    callback=_config,
    metavar="FILE",
    help="JSON object with the provider's settings, - for the standard input. A file, because others"
    " can see a command line.",
)
# `account_settings` reads them.
settings_options = together(
    config_option,
    click.option("--concurrency", type=click.INT, help="Sends at once in each process: 1 to 512."),
    click.option(
        "--rate-per-second",
        type=click.FLOAT,
        help="Sends a second in the long run, in each process: above 0, to 10000.",
    ),
    click.option("--timeout-seconds", type=click.FLOAT, help="Time for one attempt: 1 to 20."),
    click.option(
        "--failover",
        multiple=True,
        metavar="ID|NAME",
        help="A channel account to try after this one; can be repeated, in their order.",
    ),
    click.option(
        "--failover-on-unknown/--no-failover-on-unknown",
        default=None,
        help="Whether another is tried if nobody knows whether this one sent (default: for PINs).",
    ),
    click.option(
        "--price",
        "prices",
        multiple=True,
        callback=_prices,
        metavar="PREFIX:AMOUNT:CURRENCY",
        help="The price of an SMS to numbers with this prefix, such as 44:0.0412:GBP; can be"
        " repeated.",
    ),
)
remove_option = click.option(
    "--remove",
    "removed",
    multiple=True,
    type=click.Choice([*_REMOVABLE]),
    help="Remove this setting; can be repeated.",
)


def account_settings(removed: Collection[str] = (), **given: Any) -> dict[str, Any]:
    """Return the body of the documented route, without the options that were not given."""
    limits = {camel(each): given.pop(each) for each in _LIMITS}
    limits = {name: value for name, value in limits.items() if value is not None}
    body = {camel(name): value for name, value in given.items() if value not in (None, (), [])}
    return (
        body
        | ({"limits": limits} if limits else {})
        | {camel(each.replace("-", "_")): _REMOVABLE[each] for each in removed}
    )
