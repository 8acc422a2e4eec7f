"""`watchword audit seal|heads|key|new-key`: the signed heads of the log, and the keys that sign them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import click

from ....wire.rebuilding import rebuilt
from ...building.groups import epilog
from ...options.shared import json_option
from ...options.target_options import with_target
from ...output.json_text import echo_json
from ...output.tables import echo_table
from ...service.failures import expected_failures
from ...service.records import Record
from ...service.target import Target

_HISTORY = "log_history"
_PAGE = 1_000


@click.command(
    short_help="Sign a head of the log as it is now.",
    epilog=epilog(
        "watchword audit seal --data-dir /var/lib/watchword > head.txt",
        "watchword audit seal --url http://127.0.0.1:8080 --json",
    ),
)
@with_target
@json_option
def seal(target: Target, as_json: bool) -> None:
    """
    Sign a head of the log as it is now, and print it.

    A running service signs new heads by itself. Keep a copy of a head on another machine: with it,
    any change of what the log had then is found. Ends with 1 if the log does not extend its last head.
    """
    head = target.ask(lambda management: management.sealed())
    if as_json:
        echo_json(head)
    else:
        click.echo(head["note"], nl=False)


@click.command(
    short_help="List the signed heads of the log.",
    epilog=epilog(
        "watchword audit heads --data-dir /var/lib/watchword",
        "watchword audit heads --after 70000 --json --url http://127.0.0.1:8080",
    ),
)
@click.option(
    "--after",
    type=click.IntRange(0),
    default=0,
    help="Only heads of more than so many events.",
)
@with_target
@json_option
def heads(target: Target, after: int, as_json: bool) -> None:
    """List the signed heads of the log, by the number of events that they cover."""
    found = target.ask(lambda management: management.heads(after, _PAGE), to_read=True)
    if as_json:
        echo_json({"data": found})
        return
    echo_table(
        ("at", "origin", "size", "root"),
        [(each["at"], each["origin"], each["size"], each["root"]) for each in found],
    )


@click.command(
    short_help="Print the keys that verify heads.",
    epilog=epilog(
        "watchword audit key --data-dir /var/lib/watchword",
        "watchword audit key --json --url http://127.0.0.1:8080",
    ),
)
@with_target
@json_option
def key(target: Target, as_json: bool) -> None:
    """
    Print the keys that verify heads, one a line: the log's, the newest first, then its clock's.

    Hand them to auditors by another way than the log itself. They are public.
    """
    with expected_failures():
        state = rebuilt(asyncio.run(target.history(_HISTORY, mask=False)), None).state
    live: Sequence[Record] = state["keys"]
    if as_json:
        echo_json({"data": live})
        return
    for member in ("logKey", "clockKey"):
        for each in live:
            click.echo(each[member])


@click.command(
    "new-key",
    short_help="Make a key that signs a log.",
    epilog=epilog(
        "(umask 077 && watchword audit new-key pins.example.com > log.key)",
        "watchword audit new-key",
    ),
)
@click.argument("name", required=False)
def new_key(name: str | None) -> None:
    """
    Print a new private key, for WATCHWORD_LOG_KEY or --log-key-file. Nothing keeps it.

    NAME names the log in its heads, best by a domain of yours. In a rotation it is the old key's.
    """
    from ....composition.log_keys import new_log_key

    with expected_failures():
        click.echo(new_log_key(name))
