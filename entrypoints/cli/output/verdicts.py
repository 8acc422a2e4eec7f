"""Reads a template for a lint command, and prints the verdict."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ....domain.errors import FieldProblem
from ...message_templates.template_parts import ReadTemplate
from .json_text import echo_json
from .tables import brief, echo_table

_STANDARD_INPUT = Path("-")
_HINT = "\nA template with any violation is refused as a whole. Change what is named, and lint it again."


def template_text(file: Path) -> str:
    """Read a template; raise `OSError`, or `click.ClickException` if it is no text."""
    content = sys.stdin.buffer.read() if file == _STANDARD_INPUT else file.read_bytes()
    try:
        return content.decode()
    except UnicodeDecodeError:
        name = "The standard input" if file == _STANDARD_INPUT else brief(file)
        raise click.ClickException(
            f"{name} is not a text in UTF-8. Save the template as JSON in UTF-8."
        ) from None


def echo_verdict(
    read: ReadTemplate[Any], problems: Sequence[FieldProblem], *, as_json: bool
) -> None:
    """Print every violation of a template, and its members that are ignored."""
    if as_json:
        echo_json(
            {
                "valid": not problems,
                "violations": [{"field": p.path, "message": p.message} for p in problems],
                "ignored": read.ignored,
            }
        )
    elif problems:
        number = f"{len(problems)} {'violation' if len(problems) == 1 else 'violations'}\n"
        rows = [(problem.path, problem.message) for problem in problems]
        echo_table(("where", "what is wrong"), rows, title=number)
        _echo_ignored(read)
        click.echo(_HINT)
    else:
        click.echo("The template keeps every rule.")
        _echo_ignored(read)


def _echo_ignored(read: ReadTemplate[Any]) -> None:
    if read.ignored:
        click.echo("\nIgnored, since no such template has them (misspelt?):")
        for path in read.ignored:
            click.echo(f"  {brief(path)}")
