"""Makes options of the filters of a search, whose class has their names, values and help."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any

import click
from attrs import AttrsInstance

from ...wire.codec import wire_time
from ...wire.searches import Parameter, parameters
from .shared import Option, time, together

# What help calls the value of an option, if a word says more than TEXT.
_VALUES = {
    "account_id": "ACCOUNT",
    "channel_name": "NAME",
    "channel_type": "CHANNEL",
    "destination": "NUMBER",
    "recipient": "NUMBER",
    "since": "TIME",
    "template_id": "ID",
    "until": "TIME",
}


def search_options(search: type[AttrsInstance], *fields: str, **others: Option) -> Option:
    """Add an option for each of some filters, or of all; `others` replace those of their fields."""
    wanted = [each for each in parameters(search) if not fields or each.field in fields]
    return together(*(others.get(each.field) or _option(each) for each in wanted))


def query_of(search: type[AttrsInstance], given: Mapping[str, Any]) -> dict[str, str]:
    """Return the filters that were given, by their names in a query."""
    return {
        each.name: wire_time(value) if isinstance(value, datetime) else value
        for each in parameters(search)
        if (value := given.get(each.field))
    }


def _option(filter_: Parameter) -> Option:
    is_choice = isinstance(filter_.kind, type) and issubclass(filter_.kind, StrEnum)
    return click.option(
        "--" + re.sub("(?=[A-Z])", "-", filter_.name).lower(),
        filter_.field,
        type=click.Choice([*map(str, filter_.kind)]) if is_choice else None,
        callback=time if filter_.kind is datetime else None,
        metavar=_VALUES.get(filter_.field),
        help=filter_.finds,
    )
