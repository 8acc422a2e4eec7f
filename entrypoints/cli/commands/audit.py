"""`watchword audit`: prints, exports and checks the log."""

from __future__ import annotations

import asyncio
from datetime import datetime

import click

from ...wire.codec import wire_time
from ...wire.rebuilding import Rebuilt, rebuilt
from ..building.groups import epilog, group
from ..options.shared import json_option, time
from ..options.target_options import with_target
from ..output.json_text import echo_json
from ..output.tables import brief, echo_table, fields
from ..service.failures import expected_failures
from ..service.target import Target
from .audit_check import check
from .audit_disclose import disclose
from .audit_export import export
from .audit_heads import heads, key, new_key, seal
from .audit_list import list_as_of
from .audit_stats import stats


@click.command(
    short_help="Print the history of an id, and the state rebuilt from it.",
    epilog=epilog(
        "watchword audit replay pin_7hq2w...",
        "watchword audit replay run_5kd8e... --at 2031-05-04T12:00:00Z --mask",
        "watchword audit replay tpl_demo --json --url http://127.0.0.1:8080",
    ),
)
@click.argument("stream", metavar="ID")
@click.option("--at", callback=time, metavar="TIME", help="Replay up to this time only (ISO 8601).")
@click.option("--mask", is_flag=True, help="Mask what says something about a person.")
@with_target
@json_option
def replay(target: Target, stream: str, at: datetime | None, mask: bool, as_json: bool) -> None:
    """
    Print the history of whatever has an id, and the state rebuilt from it.

    ID is what answers and lists call it: a PIN's pinId, a message's messageId, a fallback's
    fallbackRunId, the id of a key or a template. Hashes and sealed texts read ***.
    """
    with expected_failures():
        replayed = rebuilt(asyncio.run(target.history(stream, mask=mask)), at)
    if as_json:
        echo_json(
            {
                "streamId": stream,
                "kind": replayed.kind,
                "events": [step.envelope for step in replayed.steps],
                "state": replayed.state,
            }
        )
    else:
        _echo(stream, replayed, at)


def _echo(stream: str, replayed: Rebuilt, at: datetime | None) -> None:
    last = replayed.steps[-1].envelope
    echo_table(
        ("time", "version", "event", "actor", "what changed"),
        [
            (
                step.envelope["occurredAt"],
                step.envelope["version"],
                step.envelope["type"],
                step.envelope["actor"],
                "; ".join(f"{name} {brief(value)}" for name, value in fields(step.changes)),
            )
            for step in replayed.steps
        ],
        title=f"{brief(stream)} ({replayed.kind.replace('_', ' ')})\n",
    )
    moment = last["occurredAt"] if at is None else wire_time(at)
    echo_table(
        ("field", "value"),
        fields(replayed.state),
        title=f"\nState at {moment}, version {last['version']}\n",
    )


audit = group(
    "audit", check, disclose, export, heads, key, list_as_of, new_key, replay, seal, stats
)
