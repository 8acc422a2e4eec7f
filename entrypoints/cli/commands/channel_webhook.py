"""`watchword channel-accounts webhook`: has the provider post here, or says where to enter the address."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ....application.channel_webhooks.views import WebhookView
from ..building.groups import epilog
from ..options.named_channel_accounts import id_of
from ..options.target_options import managing
from ..output.json_text import echo_json
from ..output.tables import brief
from ..service.records import Kind, Record
from ..service.target import Target

if TYPE_CHECKING:
    from ..service.management import Management

_WEBHOOKS = Kind("channel-accounts", "/channel-accounts", WebhookView, {})
_EXIT_CODES = {"set": 0, "manual": 0, "rejected": 1, "unknown": 3}
_STATUSES = {
    "set": "set at the provider",
    "manual": "see the steps",
    "rejected": "refused",
    "unknown": "nobody knows whether it is set",
}


@click.command(
    "webhook",
    short_help="Have the provider post here, or say where to enter the address.",
    epilog=epilog(
        "watchword channel-accounts webhook meta --url https://pins.example.com",
        "watchword channel-accounts webhook twilio --url https://pins.example.com --json",
    ),
)
@click.argument("named", metavar="ID|NAME")
@managing
def channel_webhook(target: Target, as_json: bool, named: str) -> None:
    """
    Have a provider post to a channel account's address, or print the steps that are left to you.

    The API of whatsapp_cloud sets it for the phone number. Ask the running service by --url: it needs
    --public-url, and the provider may call the address at once. The exit code is 0 if the address is set
    or yours to enter, 1 if the provider refused it, and 3 if nobody knows.
    """

    async def ask(management: Management) -> Record:
        found = await id_of(management, named)
        return await management.act("POST", _WEBHOOKS, found, "webhook")

    done = target.ask(ask)
    if as_json:
        echo_json(done)
    else:
        _echo(done)
    click.get_current_context().exit(_EXIT_CODES[done["status"]])


def _echo(done: Record) -> None:
    click.echo(f"{'callback':<10}{done['callbackUrl']}")
    why = ": ".join(brief(done[name]) for name in ("code", "message") if name in done)
    click.echo(f"{'webhook':<10}{_STATUSES[done['status']]}{f': {why}' if why else ''}")
    for number, step in enumerate(done["steps"], 1):
        click.echo(f"{number:>3}. {brief(step)}")
