"""`watchword channel-accounts`: contracts with channel providers."""

from __future__ import annotations

from typing import IO, Any

import click

from ....application.accounts.views import ChannelAccountView
from ....domain.errors import ValidationFailedError
from ...wire.strict_json import parse_json
from ..building.groups import group
from ..building.record_commands import account_option, creating, listing
from ..service.records import Kind

CHANNEL_ACCOUNTS = Kind(
    "channel-accounts",
    "/channel-accounts",
    ChannelAccountView,
    {
        "id": "id",
        "account": "accountId",
        "channel": "channelType",
        "provider": "provider",
        "name": "name",
        "sender": "sender",
        "created": "createdAt",
    },
)


def _config(context: click.Context, parameter: click.Parameter, file: IO[bytes] | None) -> Any:
    if file is None:
        return {}
    try:
        with file:
            return parse_json(file.read())
    except ValidationFailedError as refusal:
        said = "; ".join(each.message for each in refusal.problems)
        raise click.BadParameter(f"{file.name} {said}.", context, parameter) from None


channel_accounts = group(
    "channel-accounts",
    creating(
        CHANNEL_ACCOUNTS,
        "Make a channel account; its provider checks the config.",
        account_option(),
        click.option(
            "--type",
            "channel_type",
            required=True,
            metavar="CHANNEL",
            help="sms, whatsapp (or wa), rcs, email, or the name of an adapter of your own.",
        ),
        click.option(
            "--provider",
            required=True,
            help="The provider's adapter: sandbox, in a sandbox, or one that whoever embeds the"
            " service named.",
        ),
        click.option("--name", required=True, help="What people call the channel account."),
        click.option("--sender", help="Who messages come from."),
        click.option(
            "--config",
            type=click.File("rb"),
            callback=_config,
            metavar="FILE",
            help="JSON object with the provider's settings, - for the standard input"
            " (default: {}). A file, since others can see a command line.",
        ),
        examples=(
            "watchword channel-accounts create --account demo --type sms --provider sandbox"
            " --name spare \\\n    --url http://127.0.0.1:8080",
            """echo '{"outcome": "rejected"}' | watchword channel-accounts create --account demo"""
            " --type email \\\n    --provider sandbox --name refusing --config -"
            " --url http://127.0.0.1:8080",
        ),
    ),
    listing(
        CHANNEL_ACCOUNTS, "List channel accounts, the newest first. Their settings are in the JSON."
    ),
)
