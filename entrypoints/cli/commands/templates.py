"""`watchword templates`: manages PIN templates, which set how codes are made, sent and guessed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from ....application.pins.views import PinTemplateView
from ..building.groups import epilog, group
from ..building.record_commands import OF_ACCOUNT, account_option, acting, creating, listing
from ..options.list_filters import template_filters
from ..options.pin_template_options import template_body, template_options
from ..options.target_options import managing
from ..output.json_text import echo_json
from ..output.tables import echo_table, fields
from ..service.records import Kind, Record
from ..service.target import Target
from .pin_templates.lint import lint_command
from .pin_templates.starters import starters

# A list has a line for each template.
_MOST_NAMED = 4


def _channels_by_language(channels: Sequence[Record]) -> list[str]:
    """Return each channel once, with the languages of its entries: `sms (de, fr)`; many are counted."""
    languages: dict[str, list[str]] = {}
    for each in channels:
        named = languages.setdefault(each["channelType"], [])
        if each.get("languageCode"):
            named.append(each["languageCode"])
    return [f"{name} ({_few(named)})" if named else name for name, named in languages.items()]


def _few(languages: Sequence[str]) -> str:
    many = len(languages) > _MOST_NAMED
    return f"{len(languages)} languages" if many else ", ".join(languages)


PIN_TEMPLATES = Kind(
    "templates",
    "/pin-templates",
    PinTemplateView,
    {
        "id": "id",
        "name": "name",
        "status": lambda record: "archived" if record.get("archivedAt") else record["status"],
        "channels": lambda record: _channels_by_language(record["channels"]),
        "updated": "updatedAt",
    },
)


def _echo(_: Kind, record: Record, as_json: bool) -> None:
    if as_json:
        echo_json(record)
        return
    shown = dict(record)
    channels, findings = shown.pop("channels"), shown.pop("findings", [])
    echo_table(("field", "value"), fields(shown))
    # Most templates have one language, and no column for it.
    several = any(each.get("languageCode") for each in channels)
    echo_table(
        ("channel", *(["language"] if several else []), "default", "channel account", "text"),
        [
            (
                each["channelType"],
                *([each.get("languageCode")] if several else []),
                each["isDefault"],
                each["channelAccountId"],
                _text(each),
            )
            for each in channels
        ],
        title="",
    )
    for finding in findings:
        click.echo(f"\n{finding['field']}: {finding['message']}")


def _text(channel: Record) -> str:
    """Return the text of a channel, or the name of the WhatsApp template that the provider stores."""
    of_provider = channel["providerTemplateRef"] if channel["channelType"] == "whatsapp" else None
    return str(of_provider or channel["contentText"])


@click.command(
    epilog=epilog("watchword templates show tpl_demo", "watchword templates show tpl_demo --json")
)
@click.argument("template_id", metavar="ID")
@managing
def show(target: Target, template_id: str, as_json: bool) -> None:
    """Show a PIN template with its limits and channels."""
    shown = target.ask(
        lambda management: management.act("GET", PIN_TEMPLATES, template_id), to_read=True
    )
    _echo(PIN_TEMPLATES, shown, as_json)


@click.command(
    short_help="Replace what is given of a PIN template.",
    epilog=epilog(
        "watchword templates revise tpl_demo --pin-attempts 3 --resend-cooldown 1m",
        "watchword templates revise tpl_demo --name login --channel sms",
    ),
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
    _echo(PIN_TEMPLATES, revised, as_json)


templates = group(
    "templates",
    creating(
        PIN_TEMPLATES,
        "Make a PIN template; it starts enabled, with defaults for what is left out.",
        account_option(),
        click.option("--name", required=True, help="What people call the template."),
        template_options,
        body=template_body,
        show=_echo,
        summary="Make a PIN template, which starts enabled.",
        examples=(
            "watchword templates create --account demo --name login --channel sms --channel email",
            "watchword templates create --account demo --name login --channel sms --pin-length 8",
            "watchword templates create --account demo --name tea \\\n"
            """    --channel '{"channelType": "sms", "contentText": "Tea code: {{pin}}"}'""",
            "watchword templates create --account demo --name login --channel sms --starter en,de,zh-TW",
        ),
    ),
    listing(
        PIN_TEMPLATES,
        "List PIN templates, the newest first.",
        OF_ACCOUNT,
        template_filters,
        examples=(
            "watchword templates list",
            "watchword templates list --account demo --search login --status enabled",
            "watchword templates list --archived --json --url http://127.0.0.1:8080",
        ),
    ),
    show,
    revise,
    lint_command(PIN_TEMPLATES),
    starters,
    acting(PIN_TEMPLATES, "enable", "Allow sends under a PIN template again.", sample="tpl_demo"),
    acting(
        PIN_TEMPLATES,
        "disable",
        "Stop sends under a PIN template. Sent codes can still be verified.",
        sample="tpl_demo",
    ),
    acting(PIN_TEMPLATES, "archive", "Take a PIN template out of use for good.", sample="tpl_demo"),
)
