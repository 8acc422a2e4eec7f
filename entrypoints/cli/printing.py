"""Answers for programs."""

from __future__ import annotations

from typing import Any

import click
import msgspec

from ..codec import encode, unstructure


def echo_json(value: Any) -> None:
    """Print records in the wire's spelling."""
    click.echo(msgspec.json.format(encode(unstructure(value)), indent=2))
