"""`watchword callbacks`: manages callback endpoints, and shows their deliveries."""

from __future__ import annotations

from functools import partial

import click

from ....application.callbacks.views import CallbackView, DeliveryView, SentTest
from ..building.groups import epilog, group
from ..building.record_commands import acting, camel_body, creating, listing
from ..options.shared import limit_option, private_urls_option
from ..options.target_options import managing
from ..output.records import echo_record, echo_records, echo_with_secret
from ..service.records import Kind
from ..service.target import Target

CALLBACKS = Kind(
    "callbacks",
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
# Their routes are below that of their endpoint.
DELIVERIES = Kind(
    "callbacks",
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
_TESTS = Kind(
    "callbacks", "/callbacks", SentTest, {"endpoint": "endpointId", "delivery": "deliveryId"}
)


@click.command(
    short_help="List what an endpoint was told, or will be.",
    epilog=epilog(
        "watchword callbacks deliveries cbk_2x7wq...",
        "watchword callbacks deliveries cbk_2x7wq... --limit 500 --json",
    ),
)
@click.argument("callback_id", metavar="ID")
@limit_option
@managing
def deliveries(target: Target, callback_id: str, limit: int, as_json: bool) -> None:
    """List what was sent to an endpoint, or will be, the newest first."""
    found = target.ask(
        lambda management: management.list(DELIVERIES, callback_id, "deliveries", limit=limit),
        to_read=True,
    )
    echo_records(DELIVERIES, found, as_json)


@click.command(
    short_help="Have a delivery attempted again, at once.",
    epilog=epilog("watchword callbacks redeliver cbk_2x7wq... dlv_81kc..."),
)
@click.argument("callback_id", metavar="ID")
@click.argument("delivery_id", metavar="DELIVERY")
@managing
def redeliver(target: Target, callback_id: str, delivery_id: str, as_json: bool) -> None:
    """Have a delivery attempted again, at once and under the same id."""
    route = (callback_id, "deliveries", delivery_id, "redeliver")
    again = target.ask(lambda management: management.act("POST", DELIVERIES, *route))
    echo_record(DELIVERIES, again, as_json)


callbacks = group(
    "callbacks",
    creating(
        CALLBACKS,
        """
        Make a callback endpoint and print its secret, this once.

        The secret alone goes to the standard output, what is said about it to the standard error.
        What is called must have a public address, unless the service runs with
        --allow-private-urls.
        """,
        click.argument("address", metavar="CALLBACK_URL"),
        click.option(
            "--account",
            help="Id or name of the account that is told; without it, operators (log.*).",
        ),
        click.option(
            "--event",
            "events",
            multiple=True,
            help="A type such as pin.verified, or a pattern such as pin.*; can be given again "
            "(default: everything).",
        ),
        click.option(
            "--secret",
            envvar="WATCHWORD_CALLBACK_SECRET",
            show_envvar=True,
            help="whsec_ and base64, when it is not to be made. Better in the variable: others"
            " can see a command line.",
        ),
        private_urls_option,
        body=lambda address, **given: camel_body(url=address, **given),
        show=partial(echo_with_secret, "secret"),
        examples=(
            "watchword callbacks create --account demo https://shop.example/watchword",
            "watchword callbacks create --account demo https://shop.example/pins --event 'pin.*'",
            "watchword callbacks create https://audit.example/heads --event 'log.*'",
            "SECRET=$(watchword callbacks create --account demo https://shop.example/watchword)",
        ),
    ),
    listing(CALLBACKS, "List callback endpoints, the newest first. Their secrets are never shown."),
    acting(
        CALLBACKS,
        "remove",
        "Remove a callback endpoint; nothing is sent there from then on.",
        method="DELETE",
        summary="Remove a callback endpoint.",
        sample="cbk_2x7wq...",
    ),
    deliveries,
    redeliver,
    acting(
        _TESTS,
        "test",
        "Send a test event to a callback endpoint, whatever events it wants.",
        summary="Send a test event to a callback endpoint.",
        sample="cbk_2x7wq...",
    ),
)
