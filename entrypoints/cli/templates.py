"""`watchword templates`: PIN templates, which say how codes are made, sent and guessed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click

from ...application.pins.managing_pin_templates import PinTemplateRecord, TemplateSearch
from ...domain.pin_template import TemplateStatus
from ..http.codec import unstructure, wire_time
from .connecting import managing
from .management import TemplateMark
from .place import Place
from .printing import echo_json
from .tables import echo_table, fields
from .template_options import template_body, template_options


@click.group()
def templates() -> None:
    """Make, list and change PIN templates."""


@templates.command(
    epilog="""\b
Examples:
  watchword templates create --account demo --name login --channel sms --channel email
  watchword templates create --account demo --name login --channel sms --pin-length 8
  watchword templates create --account demo --name tea \\
    --channel '{"channelType": "sms", "contentText": "Tea code: {{pin}}"}'
"""
)
@click.option("--account", required=True, help="Id or name of the account that it is for.")
@click.option("--name", required=True, help="What people call the template.")
@template_options
@managing
def create(place: Place, as_json: bool, **given: Any) -> None:
    """Make a PIN template; it starts enabled, with defaults for what is left out."""
    body = template_body(**given)
    _echo_one(place.ask(lambda management: management.create_template(body)), as_json)


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
    place: Place,
    account: str | None,
    search: str,
    status: str | None,
    archived: bool,
    as_json: bool,
) -> None:
    """List PIN templates, the newest first."""
    wanted = TemplateSearch(
        search=search,
        status=None if status is None else TemplateStatus(status),
        include_archived=archived,
    )
    found = place.ask(lambda management: management.templates(account, wanted))
    if as_json:
        echo_json(found)
    else:
        _echo(found)


@templates.command(
    epilog="""\b
Examples:
  watchword templates show tpl_demo
  watchword templates show tpl_demo --json
"""
)
@click.argument("template_id", metavar="ID")
@managing
def show(place: Place, template_id: str, as_json: bool) -> None:
    """Show a PIN template with its limits and channels."""
    _echo_one(place.ask(lambda management: management.template(template_id)), as_json)


@templates.command(
    epilog="""\b
Examples:
  watchword templates revise tpl_demo --pin-attempts 3 --resend-cooldown 1m
  watchword templates revise tpl_demo --name login --channel sms
"""
)
@click.argument("template_id", metavar="ID")
@click.option("--name", help="What people call the template.")
@template_options
@managing
def revise(place: Place, template_id: str, as_json: bool, **given: Any) -> None:
    """Replace what is given of a PIN template, and leave the rest; channels all together."""
    body = template_body(**given)
    if not body:
        raise click.UsageError("Nothing to revise. Give a --name, a --channel or a limit.")
    _echo_one(place.ask(lambda management: management.revise_template(template_id, body)), as_json)


def _mark(mark: TemplateMark, purpose: str) -> Callable[..., None]:
    @templates.command(
        str(mark),
        help=purpose,
        epilog=f"""\b
Examples:
  watchword templates {mark} tpl_demo
  watchword templates {mark} tpl_demo --url http://127.0.0.1:8080
""",
    )
    @click.argument("template_id", metavar="ID")
    @managing
    def command(place: Place, template_id: str, as_json: bool) -> None:
        marked = place.ask(lambda management: management.mark_template(template_id, mark))
        if as_json:
            echo_json(marked)
        else:
            _echo([marked])

    return command


_mark(TemplateMark.ENABLE, "Allow sends under a PIN template again.")
_mark(TemplateMark.DISABLE, "Stop sends under a PIN template; sent codes can still be verified.")
_mark(TemplateMark.ARCHIVE, "Take a PIN template out of use for good.")


def _echo_one(record: PinTemplateRecord, as_json: bool) -> None:
    if as_json:
        echo_json(record)
        return
    shown: dict[str, Any] = unstructure(record)
    channels = shown.pop("channels")
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


def _echo(records: Sequence[PinTemplateRecord]) -> None:
    echo_table(
        ("id", "name", "status", "channels", "updated"),
        [
            (
                each.id,
                each.name,
                each.status if each.archived_at is None else "archived",
                [channel.channel_type for channel in each.channels],
                wire_time(each.updated_at),
            )
            for each in records
        ],
    )
