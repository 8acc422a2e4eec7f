"""`watchword rcs`: RCS templates, judged before anyone submits them and decided on after."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from ...domain.rcs_template import (
    TemplateDefinition,
    UploadedFile,
    message_type_of,
    message_type_problem,
)
from ..rcs_templates.reading import read_template
from ..template_parts import ReadTemplate
from .failures import expected_failures
from .options import json_option
from .printing import echo_json
from .rcs_reviews import approve, list_templates, reject, submit
from .tables import brief, echo_table

_STANDARD_INPUT = Path("-")
_HINT = "\nA template with any violation is refused as a whole. Change what is named, and lint it again."


@click.group()
def rcs() -> None:
    """Check RCS templates, list them, and decide on them."""


for _command in (submit, approve, reject, list_templates):
    rcs.add_command(_command)


@rcs.command(
    short_help="Name everything that is wrong with a template.",
    epilog="""\b
Examples:
  watchword rcs lint welcome.json
  watchword rcs lint offers.json --uploaded spring.mp4 --uploaded spring.png
  generate-template | watchword rcs lint - --message-type Promotional --json
""",
)
@click.argument("file", type=click.Path(allow_dash=True, path_type=Path))
@click.option("--message-type", metavar="TYPE", help="The message_type that it is to be sent with.")
@click.option(
    "--uploaded",
    "names",
    multiple=True,
    metavar="NAME",
    help="Name of a file that is uploaded with it; can be given again.",
)
@json_option
@click.pass_context
def lint(
    context: click.Context,
    file: Path,
    message_type: str | None,
    names: Sequence[str],
    as_json: bool,
) -> None:
    """
    Judge a template by every rule for RCS templates, before it is submitted anywhere.

    FILE has the JSON of the field data, - stands for the standard input. Needs no service, no store
    and no network. The exit status is 0 when the template keeps every rule, 1 when it does not.
    """
    with expected_failures():
        text = _text(file)
    read = read_template(text, [UploadedFile(name=name) for name in names])
    problems = read.problems
    if message_type is not None and message_type_of(message_type) is None:
        problems = (*problems, message_type_problem())
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
    context.exit(1 if problems else 0)


def _text(file: Path) -> str:
    """Read a template; raises `OSError` or `click.ClickException` for what is no text."""
    content = sys.stdin.buffer.read() if file == _STANDARD_INPUT else file.read_bytes()
    try:
        return content.decode()
    except UnicodeDecodeError:
        name = "The standard input" if file == _STANDARD_INPUT else brief(file)
        raise click.ClickException(
            f"{name} is not a text in UTF-8. Save the template as JSON in UTF-8."
        ) from None


def _echo_ignored(read: ReadTemplate[TemplateDefinition]) -> None:
    if read.ignored:
        click.echo("\nIgnored, since no such template has them (misspelt?):")
        for path in read.ignored:
            click.echo(f"  {brief(path)}")
