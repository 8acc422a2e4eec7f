"""`watchword channel-accounts`: contracts with channel providers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click
from attrs import frozen

from ....application.channel_accounts.views import ProviderView
from ...wire.codec import unstructure
from ..building.groups import epilog, group
from ..building.record_commands import account_option, acting, creating, listing
from ..options.channel_account_options import account_settings, remove_option, settings_options
from ..options.named_channel_accounts import id_of, with_ids
from ..options.target_options import managing
from ..output.json_text import echo_json
from ..output.tables import echo_table, fields
from ..service.failures import expected_failures
from ..service.records import CHANNEL_ACCOUNTS, Kind, Record
from ..service.target import Target
from .channel_test import channel_test
from .channel_webhook import channel_webhook

if TYPE_CHECKING:
    from ..service.management import Management


@frozen(kw_only=True)
class _Providers:
    """The answer with all providers."""

    data: tuple[ProviderView, ...]


_PROVIDERS = Kind("channel-accounts", "/providers", _Providers, {})
_BY_NAME = click.argument("record_id", metavar="ID|NAME")


def _echo(_: Kind, record: Record, as_json: bool) -> None:
    if as_json:
        echo_json(record)
        return
    shown: dict[str, Any] = {**record, "prices": [_price(each) for each in record["prices"]]}
    # Two members have the account's id (C-99).
    del shown["accountId"]
    echo_table(("field", "value"), fields(shown))


def _price(price: Mapping[str, str]) -> str:
    return f"{price['prefix'] or 'others'}: {price['amount']} {price['currency']}"


@click.command(
    short_help="Show a channel account with all its settings.",
    epilog=epilog(
        "watchword channel-accounts show twilio",
        "watchword channel-accounts show twilio --json --url http://127.0.0.1:8080",
    ),
)
@_BY_NAME
@managing
def show(target: Target, record_id: str, as_json: bool) -> None:
    """Show a channel account with all its settings; secrets are `***`."""

    async def ask(management: Management) -> Record:
        return await management.act("GET", CHANNEL_ACCOUNTS, await id_of(management, record_id))

    _echo(CHANNEL_ACCOUNTS, target.ask(ask, to_read=True), as_json)


@click.command(
    short_help="Change the given settings of a channel account.",
    epilog=epilog(
        "watchword channel-accounts update twilio --rate-per-second 12.5 --failover infobip",
        "watchword channel-accounts update twilio --remove failover --remove sender",
        """echo '{"outcome": "failed"}' | watchword channel-accounts update twilio --config -""",
    ),
)
@_BY_NAME
@click.option("--name", help="What people call the channel account.")
@click.option("--sender", help="The sender of messages that name none.")
@settings_options
@remove_option
@managing
def update(target: Target, record_id: str, as_json: bool, **given: Any) -> None:
    """
    Change the given settings of a channel account, and leave the others as they are.

    Members of the config are merged: `***` keeps a secret, and null removes an optional member. With
    another host, all secrets must be in the file.
    """
    body = account_settings(**given)
    if not body:
        raise click.UsageError("Nothing to change. Give a --name, a --config or another setting.")

    async def ask(management: Management) -> Record:
        found = await id_of(management, record_id)
        whole = await with_ids(management, body)
        return await management.act("PATCH", CHANNEL_ACCOUNTS, found, body=whole)

    _echo(CHANNEL_ACCOUNTS, target.ask(ask), as_json)


def _providers(target: Target) -> Sequence[Record]:
    if target.url is not None:
        answer = target.ask(lambda management: management.act("GET", _PROVIDERS))
        return list(answer["data"])
    from ...providers.listing import listed_providers

    with expected_failures():
        return [unstructure(each) for each in listed_providers()]


@click.command(
    short_help="List the providers, with their settings.",
    epilog=epilog(
        "watchword channel-accounts providers",
        "watchword channel-accounts providers --json --url http://127.0.0.1:8080",
    ),
)
@managing
def providers(target: Target, as_json: bool) -> None:
    """
    List the providers, with the settings of their channel accounts' configs.

    Without a --url, these are the providers of this installation; a sandbox has one more.
    """
    found = _providers(target)
    if as_json:
        echo_json(found)
        return
    for number, each in enumerate(found):
        echo_table(
            ("setting", "kind", "required", "secret", "help"),
            [
                (
                    setting["name"],
                    "|".join(setting.get("choices", ())) or setting["kind"],
                    setting["required"],
                    setting["secret"],
                    setting["help"],
                )
                for setting in each["settings"]
            ],
            title=f"{'' if number == 0 else chr(10)}{each['name']} ({', '.join(each['channels'])})",
        )


channel_accounts = group(
    "channel-accounts",
    creating(
        CHANNEL_ACCOUNTS,
        "Make a channel account; its provider checks the config. If providers post to an address with"
        " a secret, this alone shows it.",
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
            help="smtp, http, smpp, whatsapp_cloud, rcs_business, or another one that `watchword"
            " channel-accounts providers` lists with its settings.",
        ),
        click.option("--name", required=True, help="What people call the channel account."),
        click.option("--sender", help="The sender of messages that name none."),
        settings_options,
        body=account_settings,
        complete=with_ids,
        show=_echo,
        summary="Make a channel account.",
        examples=(
            "watchword channel-accounts create --account demo --type sms --provider sandbox"
            " --name spare \\\n    --url http://127.0.0.1:8080",
            """echo '{"outcome": "rejected"}' | watchword channel-accounts create --account demo"""
            " --type email \\\n    --provider sandbox --name refusing --config -"
            " --url http://127.0.0.1:8080",
            "watchword channel-accounts create --account shop --type sms --provider http --name main"
            " \\\n    --config main.json --rate-per-second 10 --failover infobip",
            "watchword channel-accounts create --account shop --type whatsapp --provider whatsapp_cloud"
            " \\\n    --name meta --sender +15550100 --config meta.json",
        ),
    ),
    listing(
        CHANNEL_ACCOUNTS, "List channel accounts, the newest first. Their settings are in the JSON."
    ),
    show,
    update,
    acting(
        CHANNEL_ACCOUNTS,
        "enable",
        "Let a channel account send again.",
        argument=_BY_NAME,
        find=id_of,
        sample="twilio",
    ),
    acting(
        CHANNEL_ACCOUNTS,
        "disable",
        "Stop the sends of a channel account. It goes on hearing its provider.",
        argument=_BY_NAME,
        find=id_of,
        sample="twilio",
    ),
    providers,
    channel_test,
    channel_webhook,
)
