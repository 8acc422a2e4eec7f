"""`watchword audit stats`: how much of what the log has (C-105)."""

from __future__ import annotations

import click

from ...building.groups import epilog
from ...options.target_options import managing
from ...output.json_text import echo_json
from ...output.tables import echo_table
from ...service.target import Target


@click.command(
    short_help="Count the events of the log.",
    epilog=epilog(
        "watchword audit stats",
        "watchword audit stats --json --url http://127.0.0.1:8080",
    ),
)
@managing
def stats(target: Target, as_json: bool) -> None:
    """
    Count the events of the log by name, and say how many of them a signed head covers.

    A running service counts the whole log once, and later only what is new.
    """
    counts = target.ask(lambda management: management.event_counts(), to_read=True)
    if as_json:
        echo_json(counts)
        return
    echo_table(
        ("event", "number"),
        [*counts["types"].items(), ("all", counts["events"])],
        title="",
    )
    head = counts["head"]
    click.echo(
        "\nNo head is signed yet."
        if head is None
        else f"\nThe newest signed head is of {head['at']} and covers {head['size']} events."
    )
