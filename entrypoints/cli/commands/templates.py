"""`watchword templates`: PIN templates, which say how codes are made, sent and guessed."""

from __future__ import annotations

from typing import Any

import click

from ....application.pins.managing_pin_templates import PinTemplateView
from ....domain.pin_template import TemplateStatus
from ..building.record_commands import list_records
from ..options.pin_template_options import template_body, template_options
from ..options.target_options import managing
from ..output.json_text import echo_json
from ..output.records import echo_record
from ..output.tables import echo_table, fields
from ..service.records import Kind, Record
from ..service.target import Target

PIN_TEMPLATES = Kind(
    "/pin-templates",
    PinTemplateView,
    {
        "id": "id",
        "name": "name",
        "status": lambda record: "archived" if record.get("archivedAt") else record["status"],
        "channels": lambda record: [each["channelType"] for each in record["channels"]],
        "updated": "updatedAt",
    },
)


@click.group()
def templates() -> None:
    """Make, list and change PIN templates."""


@templates.command(
    short_help="Make a PIN template, which starts enabled.",
    epilog="""\b
Examples:
  watchword templates create --account demo --name login --channel sms --channel email
  watchword templates create --account demo --name login --channel sms --pin-length 8
  watchword templates create --account demo --name tea \\
    --channel '{"channelType": "sms", "contentText": "Tea code: {{pin}}"}'
""",
)
@click.option("--account", required=True, help="Id or name of the account that it is for.")
@click.option("--name", required=True, help="What people call the template.")
@template_options
@managing
def create(target: Target, as_json: bool, **given: Any) -> None:
    """Make a PIN template; it starts enabled, with defaults for what is left out."""
    body = template_body(**given)
    _echo(target.ask(lambda management: management.act("POST", PIN_TEMPLATES, body=body)), as_json)


@templates.command(
    "list",
    epilog="""\b
Examples:
  watchword templates list
  watchword templates list --account demo --search login --status enabled
  watchword templates list --archived --json --url http://127.0.0.1:8080
""",
)
@click.option("--account", help="Only those of this account, by id or name.")
@click.option("--search", default="", metavar="TEXT", help="Only those with this in their name.")
@click.option(
    "--status",
    type=click.Choice([str(each) for each in TemplateStatus]),
    help="Only those of this status.",
)
@click.option("--archived", is_flag=True, help="Archived ones, too.")
@managing
def list_templates(
    target: Target,
    account: str | None,
    search: str,
    status: str | None,
    archived: bool,
    as_json: bool,
) -> None:
    """List PIN templates, the newest first."""
    query = {
        "account": account,
        "search": search,
        "status": status,
        "includeArchived": str(archived).lower(),
    }
    list_records(target, PIN_TEMPLATES, as_json, query)


@templates.command(
    epilog="""\b
Examples:
  watchword templates show tpl_demo
  watchword templates show tpl_demo --json
"""
)
@click.argument("template_id", metavar="ID")
@managing
def show(target: Target, template_id: str, as_json: bool) -> None:
    """Show a PIN template with its limits and channels."""
    shown = target.ask(
        lambda management: management.act("GET", PIN_TEMPLATES, template_id), to_read=True
    )
    _echo(shown, as_json)


@templates.command(
    short_help="Replace what is given of a PIN template.",
    epilog="""\b
Examples:
  watchword templates revise tpl_demo --pin-attempts 3 --resend-cooldown 1m
  watchword templates revise tpl_demo --name login --channel sms
""",
)
@click.argument("template_id", metavar="ID")
@click.option("--name", help="What people call the template.")
@template_options
@managing
def revise(target: Target, template_id: str, as_json: bool, **given: Any) -> None:
    """Replace what is given of a PIN template, and leave the rest; channels all together."""
    body = template_body(**given)
    if not body:
        raise click.UsageError("Nothing to revise. Give a --name, a --channel or a limit.")
    revised = target.ask(
        lambda management: management.act("PATCH", PIN_TEMPLATES, template_id, body=body)
    )
    _echo(revised, as_json)


def _mark(mark: str, purpose: str) -> None:
    @templates.command(
        mark,
        help=purpose,
        epilog=f"""\b
Examples:
  watchword templates {mark} tpl_demo
  watchword templates {mark} tpl_demo --url http://127.0.0.1:8080
""",
    )
    @click.argument("template_id", metavar="ID")
    @managing
    def command(target: Target, template_id: str, as_json: bool) -> None:
        marked = target.ask(
            lambda management: management.act("POST", PIN_TEMPLATES, template_id, mark)
        )
        echo_record(PIN_TEMPLATES, marked, as_json)


_mark("enable", "Allow sends under a PIN template again.")
_mark("disable", "Stop sends under a PIN template. Sent codes can still be verified.")
_mark("archive", "Take a PIN template out of use for good.")


def _echo(record: Record, as_json: bool) -> None:
    if as_json:
        echo_json(record)
        return
    shown = dict(record)
    channels, findings = shown.pop("channels"), shown.pop("findings", [])
    echo_table(("field", "value"), fields(shown))
    echo_table(
        ("channel", "default", "channel account", "text"),
        [
            (
                each["channelType"],
                each["isDefault"],
                each["channelAccountId"],
                each["providerTemplateRef"] or each["contentText"],
            )
            for each in channels
        ],
        title="",
    )
    for finding in findings:
        click.echo(f"\n{finding['field']}: {finding['message']}")
