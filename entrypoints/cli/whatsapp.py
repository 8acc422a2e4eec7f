"""`watchword whatsapp`: WhatsApp templates, judged before anyone submits them and decided on after."""

from __future__ import annotations

from pathlib import Path

import click

from ..whatsapp_templates.reading import read_template_text
from .failures import expected_failures
from .linting import echo_verdict, template_text
from .options import json_option
from .whatsapp_reviews import approve, list_templates, reject


@click.group()
def whatsapp() -> None:
    """Check WhatsApp templates, list them, and decide on them."""


for _command in (approve, reject, list_templates):
    whatsapp.add_command(_command)


@whatsapp.command(
    short_help="Name everything that is wrong with a template.",
    epilog="""\b
Examples:
  watchword whatsapp lint tea-sent.json
  generate-template | watchword whatsapp lint - --json
""",
)
@click.argument("file", type=click.Path(allow_dash=True, path_type=Path))
@json_option
@click.pass_context
def lint(context: click.Context, file: Path, as_json: bool) -> None:
    """
    Judge a template by every rule for WhatsApp templates, before it is submitted anywhere.

    FILE has the JSON of POST /wa/templates, - stands for the standard input. Needs no service, no
    store and no network. The exit status is 0 when the template keeps every rule, 1 when it does not.
    """
    with expected_failures():
        text = template_text(file)
    read = read_template_text(text)
    echo_verdict(read, read.problems, as_json=as_json)
    context.exit(1 if read.problems else 0)
