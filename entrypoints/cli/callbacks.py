"""`watchword callbacks`: where accounts are told what happens, and what became of that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import click

from ...application.callbacks.deliveries import DeliveryRecord
from ...application.callbacks.managing_callbacks import CallbackRecord
from ..http.codec import wire_time
from .accounts import with_account_names
from .connecting import managing
from .options import private_urls_option
from .place import Place
from .printing import echo_json
from .tables import echo_table


@click.group()
def callbacks() -> None:
    """Make, list and remove callback endpoints, and look at their deliveries."""


@callbacks.command(
    epilog="""\b
Examples:
  watchword callbacks create --account demo https://shop.example/watchword
  watchword callbacks create --account demo https://shop.example/pins --event 'pin.*'
  SECRET=$(watchword callbacks create --account demo https://shop.example/watchword)
"""
)
@click.argument("address", metavar="CALLBACK_URL")
@click.option("--account", required=True, help="Id or name of the account that is told.")
@click.option(
    "--event",
    "events",
    multiple=True,
    help="A type such as pin.verified, or a pattern such as pin.*; can be given again "
    "(default: everything).",
)
@click.option(
    "--secret",
    envvar="WATCHWORD_CALLBACK_SECRET",
    show_envvar=True,
    help="whsec_ and base64, when it is not to be made. Better in the variable: others can see a "
    "command line.",
)
@private_urls_option
@managing
def create(
    place: Place,
    address: str,
    account: str,
    events: Sequence[str],
    secret: str | None,
    as_json: bool,
) -> None:
    """
    Make a callback endpoint and print its secret, this once.

    The secret alone goes to the standard output, what is said about it to the standard error. What is
    called must have a public address, unless the service runs with --allow-private-urls.
    """
    body = {"account": account, "url": address, "events": list(events) or None, "secret": secret}
    said = {name: value for name, value in body.items() if value is not None}
    created = place.ask(lambda management: management.create_callback(said))
    if as_json:
        echo_json(created)
        return
    _echo([created], {}, err=True)
    click.echo("\nThe secret, which is not shown again:", err=True)
    click.echo(created.secret)


@callbacks.command(
    "list",
    epilog="""\b
Examples:
  watchword callbacks list
  watchword callbacks list --account demo --json
""",
)
@click.option("--account", help="Only those of this account, by id or name.")
@managing
def list_callbacks(place: Place, account: str | None, as_json: bool) -> None:
    """List callback endpoints, the newest first; never their secrets."""
    found, names = with_account_names(place, lambda management: management.callbacks(account))
    if as_json:
        echo_json(found)
    else:
        _echo(found, names)


@callbacks.command(
    epilog="""\b
Examples:
  watchword callbacks remove cbk_2x7wq...
  watchword callbacks remove cbk_2x7wq... --url http://127.0.0.1:8080
"""
)
@click.argument("callback_id", metavar="ID")
@managing
def remove(place: Place, callback_id: str, as_json: bool) -> None:
    """Remove a callback endpoint; nothing is sent there from then on."""
    removed = place.ask(lambda management: management.remove_callback(callback_id))
    if as_json:
        echo_json(removed)
    else:
        _echo([removed], {})


@callbacks.command(
    epilog="""\b
Examples:
  watchword callbacks deliveries cbk_2x7wq...
  watchword callbacks deliveries cbk_2x7wq... --limit 500 --json
"""
)
@click.argument("callback_id", metavar="ID")
@click.option(
    "--limit",
    type=click.IntRange(1, 10_000),
    default=100,
    show_default=True,
    help="How many, of the newest.",
)
@managing
def deliveries(place: Place, callback_id: str, limit: int, as_json: bool) -> None:
    """List what was sent to an endpoint, or will be, the newest first."""
    found = place.ask(lambda management: management.deliveries(callback_id, limit))
    if as_json:
        echo_json(found)
    else:
        _echo_deliveries(found)


@callbacks.command(
    epilog="""\b
Examples:
  watchword callbacks redeliver cbk_2x7wq... dlv_81kc...
"""
)
@click.argument("callback_id", metavar="ID")
@click.argument("delivery_id", metavar="DELIVERY")
@managing
def redeliver(place: Place, callback_id: str, delivery_id: str, as_json: bool) -> None:
    """Have a delivery attempted again, at once and under the same id."""
    again = place.ask(lambda management: management.redeliver(callback_id, delivery_id))
    if as_json:
        echo_json(again)
    else:
        _echo_deliveries([again])


def _echo(rows: Sequence[CallbackRecord], names: Mapping[str, str], *, err: bool = False) -> None:
    """Print endpoints, with their accounts' names where they are known."""
    echo_table(
        ("id", "account", "url", "events", "created", "removed"),
        [
            (
                row.id,
                names.get(row.account_id, row.account_id),
                row.url,
                row.events,
                wire_time(row.created_at),
                row.removed_at and wire_time(row.removed_at),
            )
            for row in rows
        ],
        err=err,
    )


def _echo_deliveries(rows: Sequence[DeliveryRecord]) -> None:
    echo_table(
        ("id", "type", "status", "attempts", "heard", "next attempt", "created"),
        [
            (
                row.id,
                row.type,
                row.status,
                row.attempts,
                row.last_status or row.error,
                row.next_attempt_at and wire_time(row.next_attempt_at),
                wire_time(row.created_at),
            )
            for row in rows
        ],
    )
