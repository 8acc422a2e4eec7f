"""Prints JSON for programs."""

from __future__ import annotations

import re
from typing import Any

import click
import msgspec

from ...wire.codec import encode, unstructure

# Characters that JSON allows in a text, and that a terminal obeys: C1 controls, and text directions.
_STEERING = re.compile("[\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def echo_json(value: Any) -> None:
    """Print records in the wire's spelling; characters that could steer a terminal are escaped."""
    text = msgspec.json.format(encode(unstructure(value)), indent=2).decode()
    click.echo(not_steering(text))


def echo_json_line(value: Any) -> None:
    """Print a record as one line, which is there at once."""
    click.echo(not_steering(encode(unstructure(value)).decode()))


def not_steering(text: str) -> str:
    """Return JSON in which the characters that could steer a terminal are escaped."""
    return _STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
