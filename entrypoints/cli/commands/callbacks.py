"""`watchword callbacks`: where accounts are told what happens, and what became of that."""

from __future__ import annotations

from collections.abc import Sequence

import click

from ....application.callbacks.deliveries import DeliveryView
from ....application.callbacks.managing_callbacks import CallbackView
from ..building.record_commands import listing
from ..options.shared import private_urls_option
from ..options.target_options import managing
from ..output.records import echo_record, echo_records, echo_with_secret
from ..service.records import Kind
from ..service.target import Target

CALLBACKS = Kind(
    "/callbacks",
    CallbackView,
    {
        "id": "id",
        "account": "accountId",
        "url": "url",
        "events": "events",
        "created": "createdAt",
        "removed": "removedAt",
    },
)
# Their routes stand below that of their endpoint.
DELIVERIES = Kind(
    "/callbacks",
    DeliveryView,
    {
        "id": "id",
        "type": "type",
        "status": "status",
        "attempts": "attempts",
        "heard": lambda record: record.get("lastStatus") or record.get("error"),
        "next attempt": "nextAttemptAt",
        "created": "createdAt",
    },
)


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
    target: Target,
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
    created = target.ask(lambda management: management.act("POST", CALLBACKS, body=body))
    echo_with_secret(CALLBACKS, created, "secret", as_json)


callbacks.add_command(
    listing(
        "callbacks",
        CALLBACKS,
        "List callback endpoints, the newest first. Their secrets are never shown.",
    )
)


@callbacks.command(
    short_help="Remove a callback endpoint.",
    epilog="""\b
Examples:
  watchword callbacks remove cbk_2x7wq...
  watchword callbacks remove cbk_2x7wq... --url http://127.0.0.1:8080
""",
)
@click.argument("callback_id", metavar="ID")
@managing
def remove(target: Target, callback_id: str, as_json: bool) -> None:
    """Remove a callback endpoint; nothing is sent there from then on."""
    removed = target.ask(lambda management: management.act("DELETE", CALLBACKS, callback_id))
    echo_record(CALLBACKS, removed, as_json)


@callbacks.command(
    short_help="List what an endpoint was told, or will be.",
    epilog="""\b
Examples:
  watchword callbacks deliveries cbk_2x7wq...
  watchword callbacks deliveries cbk_2x7wq... --limit 500 --json
""",
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
def deliveries(target: Target, callback_id: str, limit: int, as_json: bool) -> None:
    """List what was sent to an endpoint, or will be, the newest first."""
    found = target.ask(
        lambda management: management.list(DELIVERIES, callback_id, "deliveries", limit=limit),
        to_read=True,
    )
    echo_records(DELIVERIES, found, as_json)


@callbacks.command(
    short_help="Have a delivery attempted again, at once.",
    epilog="""\b
Examples:
  watchword callbacks redeliver cbk_2x7wq... dlv_81kc...
""",
)
@click.argument("callback_id", metavar="ID")
@click.argument("delivery_id", metavar="DELIVERY")
@managing
def redeliver(target: Target, callback_id: str, delivery_id: str, as_json: bool) -> None:
    """Have a delivery attempted again, at once and under the same id."""
    route = (callback_id, "deliveries", delivery_id, "redeliver")
    again = target.ask(lambda management: management.act("POST", DELIVERIES, *route))
    echo_record(DELIVERIES, again, as_json)
