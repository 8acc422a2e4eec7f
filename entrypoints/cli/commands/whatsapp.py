"""`watchword whatsapp`: checks WhatsApp templates, lists them, and records reviews."""

from __future__ import annotations

from pathlib import Path

import click
from attrs import frozen

from ...message_templates.whatsapp_reading import read_template_text
from ..building.groups import epilog, group
from ..building.record_commands import listing
from ..building.template_reviews import reviewing
from ..options.shared import json_option
from ..output.verdicts import echo_verdict, template_text
from ..service.failures import expected_failures
from ..service.records import Kind


@frozen(kw_only=True)
class _WhatsappTemplate:
    """The members of a WhatsApp template that its table shows; the JSON has all."""

    account_id: str
    name: str
    language: str
    category: str
    status: str


WHATSAPP_TEMPLATES = Kind(
    "whatsapp",
    "/wa-templates",
    _WhatsappTemplate,
    {
        "name": "name",
        "account": "accountId",
        "language": "language",
        "category": "category",
        "status": "status",
    },
)
_BY_LANGUAGE = click.option(
    "--language", help="Its language code, where there are several of this name."
)


@click.command(
    short_help="Name everything that is wrong with a template.",
    epilog=epilog(
        "watchword whatsapp lint tea-sent.json",
        "generate-template | watchword whatsapp lint - --json",
    ),
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


whatsapp = group(
    "whatsapp",
    reviewing(
        WHATSAPP_TEMPLATES,
        "submit",
        "Submit a template to its provider again, at once.",
        "watchword whatsapp submit tea_sent --account demo",
        apart=_BY_LANGUAGE,
        with_reason=False,
    ),
    reviewing(
        WHATSAPP_TEMPLATES,
        "approve",
        "Allow sends under a template.",
        "watchword whatsapp approve tea_sent --account demo",
        "watchword whatsapp approve tea_sent --account demo --language pt_BR",
        apart=_BY_LANGUAGE,
    ),
    reviewing(
        WHATSAPP_TEMPLATES,
        "reject",
        "Forbid sends under a template, also under one that was approved.",
        "watchword whatsapp reject tea_sent --account demo --reason 'Does not say who it is from.'",
        apart=_BY_LANGUAGE,
    ),
    listing(
        WHATSAPP_TEMPLATES,
        "List WhatsApp templates, the newest first. All that they say is in the JSON.",
    ),
    lint,
)
