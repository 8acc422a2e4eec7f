"""`watchword audit replay`: prints a history and the state rebuilt from it, and follows it (C-38, C-81)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from datetime import datetime
from typing import Any

import click

from ....application.audit.log_search import LogSearch
from ...wire.codec import wire_time
from ...wire.rebuilding import Rebuilt, Step, rebuilt
from ..building.groups import epilog
from ..options.shared import json_option, time
from ..options.target_options import with_target
from ..output.json_text import echo_json, echo_json_line
from ..output.tables import brief, echo_table, fields
from ..service.failures import ended_by_hand, expected_failures
from ..service.stored_log import LogQuestion
from ..service.target import Target


@click.command(
    short_help="Print the history of an id, and the state rebuilt from it.",
    epilog=epilog(
        "watchword audit replay pin_7hq2w...",
        "watchword audit replay run_5kd8e... --at 2031-05-04T12:00:00Z --mask",
        "watchword audit replay pin_7hq2w... --follow",
        "watchword audit replay tpl_demo --json --url http://127.0.0.1:8080",
    ),
)
@click.argument("stream", metavar="ID")
@click.option("--at", callback=time, metavar="TIME", help="Replay up to this time only (ISO 8601).")
@click.option("--mask", is_flag=True, help="Mask what says something about a person.")
@click.option("--follow", is_flag=True, help="Go on with what comes, until Ctrl-C.")
@with_target
@json_option
def replay(
    target: Target, stream: str, at: datetime | None, mask: bool, follow: bool, as_json: bool
) -> None:
    """
    Print the history of whatever has an id, and the state rebuilt from it.

    ID is what answers and lists call it: a PIN's pinId, a message's messageId, a fallback's
    fallbackRunId, the id of a key or a template. Hashes and sealed texts read ***.

    With --follow, each new event is a line. With --json too, each line is a document of its own: first
    the history, then each time the new events, with the state after them.
    """
    if follow and at is not None:
        raise click.UsageError("--follow has no end, so it does not go with --at.")
    if follow:
        with expected_failures(), ended_by_hand(follow):
            asyncio.run(_follow(target, stream, mask=mask, as_json=as_json))
        return
    with expected_failures():
        replayed = rebuilt(asyncio.run(target.history(stream, mask=mask)), at)
    if as_json:
        echo_json(_document(stream, replayed, replayed.steps))
    else:
        _echo(stream, replayed, at)


async def _follow(target: Target, stream: str, *, mask: bool, as_json: bool) -> None:
    history = [*await target.history(stream, mask=mask)]
    replayed = rebuilt(history)
    if as_json:
        echo_json_line(_document(stream, replayed, replayed.steps))
    else:
        _echo(stream, replayed, None)
        click.echo()
    asked = LogQuestion(
        after=history[-1]["position"],
        search=LogSearch(streams=frozenset({stream})),
        mask=mask,
        follow=True,
    )
    async with aclosing(target.log(asked)) as pages:
        async for page in pages:
            if not page:
                continue
            history += page
            replayed = rebuilt(history)
            new = replayed.steps[-len(page) :]
            if as_json:
                echo_json_line(_document(stream, replayed, new))
            else:
                click.echo("\n".join("  ".join(map(brief, _cells(step))) for step in new))


def _document(stream: str, replayed: Rebuilt, steps: Sequence[Step]) -> dict[str, Any]:
    return {
        "streamId": stream,
        "kind": replayed.kind,
        "events": [step.envelope for step in steps],
        "state": replayed.state,
    }


def _cells(step: Step) -> Sequence[Any]:
    return (
        *(step.envelope[name] for name in ("occurredAt", "version", "type", "actor")),
        "; ".join(f"{name} {brief(value)}" for name, value in fields(step.changes)),
    )


def _echo(stream: str, replayed: Rebuilt, at: datetime | None) -> None:
    last = replayed.steps[-1].envelope
    echo_table(
        ("time", "version", "event", "actor", "what changed"),
        [_cells(step) for step in replayed.steps],
        title=f"{brief(stream)} ({replayed.kind.replace('_', ' ')})\n",
    )
    moment = last["occurredAt"] if at is None else wire_time(at)
    echo_table(
        ("field", "value"),
        fields(replayed.state),
        title=f"\nState at {moment}, version {last['version']}\n",
    )
