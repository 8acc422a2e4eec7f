"""Answers for programs."""

from __future__ import annotations

import re
from typing import Any

import click
import msgspec

from ...wire.codec import encode, unstructure

# What JSON lets stand in a text, and a terminal may obey: C1 controls, and directions of writing.
_STEERING = re.compile("[\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def echo_json(value: Any) -> None:
    """Print records in the wire's spelling; what could steer a terminal is escaped, as JSON has it."""
    text = msgspec.json.format(encode(unstructure(value)), indent=2).decode()
    click.echo(_STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text))
