"""`watchword rcs`: RCS templates, judged before anyone submits them and decided on after."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from ...domain.rcs_template import (
    UploadedFile,
    message_type_of,
    message_type_problem,
)
from ..rcs_templates.reading import read_template
from .failures import expected_failures
from .linting import echo_verdict, template_text
from .options import json_option
from .rcs_reviews import approve, list_templates, reject, submit


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
        text = template_text(file)
    read = read_template(text, [UploadedFile(name=name) for name in names])
    problems = read.problems
    if message_type is not None and message_type_of(message_type) is None:
        problems = (*problems, message_type_problem())
    echo_verdict(read, problems, as_json=as_json)
    context.exit(1 if problems else 0)
