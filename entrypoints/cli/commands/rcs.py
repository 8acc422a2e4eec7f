"""`watchword rcs`: checks RCS templates, lists them, and records reviews."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
from attrs import frozen

from ....domain.rcs_template import UploadedFile, message_type_of, message_type_problem
from ...message_templates.rcs_reading import read_template
from ..building.groups import epilog, group
from ..building.record_commands import listing
from ..building.template_reviews import reviewing
from ..options.shared import json_option
from ..output.verdicts import echo_verdict, template_text
from ..service.failures import expected_failures
from ..service.records import Kind


@frozen(kw_only=True)
class _RcsTemplate:
    """The members of an RCS template that its table shows; the JSON has all."""

    account_id: str
    name: str
    sender_profile: str
    category: str
    message_type: str
    template_state: str
    status: str


RCS_TEMPLATES = Kind(
    "rcs",
    "/rcs-templates",
    _RcsTemplate,
    {
        "name": "name",
        "account": "accountId",
        "sender profile": "senderProfile",
        "category": "category",
        "message type": "messageType",
        "template state": "templateState",
        "status": "status",
    },
)
_BY_PROFILE = click.option(
    "--sender-profile", help="Its sender profile, where several have a template of this name."
)


@click.command(
    short_help="Name everything that is wrong with a template.",
    epilog=epilog(
        "watchword rcs lint welcome.json",
        "watchword rcs lint offers.json --uploaded spring.mp4 --uploaded spring.png",
        "generate-template | watchword rcs lint - --message-type Promotional --json",
    ),
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


rcs = group(
    "rcs",
    reviewing(
        RCS_TEMPLATES,
        "submit",
        "Put a draft, or a rejected template, up for approval.",
        "watchword rcs submit teas --account demo",
        apart=_BY_PROFILE,
        with_reason=False,
    ),
    reviewing(
        RCS_TEMPLATES,
        "approve",
        "Allow sends under a template that was submitted.",
        "watchword rcs approve teas --account demo",
        "watchword rcs approve teas --account demo --sender-profile TeaHouse",
        apart=_BY_PROFILE,
    ),
    reviewing(
        RCS_TEMPLATES,
        "reject",
        "Forbid sends under a template, also under one that was approved.",
        "watchword rcs reject teas --account demo --reason 'Does not say who it is from.'",
        apart=_BY_PROFILE,
    ),
    listing(
        RCS_TEMPLATES, "List RCS templates, the newest first. All that they say is in the JSON."
    ),
    lint,
)
