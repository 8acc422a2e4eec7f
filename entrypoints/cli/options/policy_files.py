"""Reads the policies that users write in files."""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path
from typing import Any

import click

from ..output.tables import brief
from ..service.failures import expected_failures

_STANDARD_INPUT = Path("-")


def policy_in(file: Path) -> dict[str, Any]:
    """
    Return the object in a file of JSON or TOML; raise `click.ClickException` for any other content.

    An object in JSON begins with a brace, and nothing in TOML does.
    """
    with expected_failures():
        content = sys.stdin.buffer.read() if file == _STANDARD_INPUT else file.read_bytes()
    name = "The standard input" if file == _STANDARD_INPUT else brief(file)
    try:
        text = content.decode()
    except UnicodeDecodeError:
        raise click.ClickException(
            f"{name} is not a text in UTF-8. Save the policy as JSON or TOML in UTF-8."
        ) from None
    if not text.strip():
        # A file that another command failed to write would take every rule back to its default.
        raise click.ClickException(f"{name} is empty. For a policy of defaults alone, write {{}}.")
    return _in_json(text, name) if text.lstrip().startswith("{") else _in_toml(text, name)


def _in_json(text: str, name: str) -> dict[str, Any]:
    try:
        read = json.loads(text, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        raise click.ClickException(
            f"{name} is no JSON: line {error.lineno}, column {error.colno}. Correct it there."
        ) from None
    except (ValueError, RecursionError) as error:
        raise click.ClickException(f"{name} is no policy: {brief(error)}.") from None
    return dict(read)


def _once(members: list[tuple[str, Any]]) -> dict[str, Any]:
    read: dict[str, Any] = {}
    for member, value in members:
        if member in read:
            raise ValueError(f"it has {member} twice; keep one of them")
        read[member] = value
    return read


def _in_toml(text: str, name: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise click.ClickException(
            f"{name} is neither a JSON object nor TOML: {brief(error)}. Correct it there."
        ) from None
