"""`watchword audit check`: decides every event again, and compares all that is kept (C-38, C-91)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

import attrs
import click

from ....application.audit.checking import Checked
from ....application.audit.differences import Difference
from ....application.test_destinations.views import TestDestinationView
from ...wire.codec import encode, wire_time
from ..building.groups import epilog
from ..options.shared import json_option
from ..options.target_options import with_store
from ..output.json_text import echo_json
from ..output.progress import progress
from ..output.tables import echo_table, words
from ..service.failures import expected_failures
from ..service.target import Target

# Characters of a text.
_MOST_SHOWN = 200
_SHOWN_BEFORE = 40


@click.command(
    short_help="Decide the log again, and compare what is kept.",
    epilog=epilog(
        "watchword audit check",
        "watchword audit check --data-dir /var/lib/watchword",
        "watchword audit check --limit 20 --data-dir /var/lib/watchword",
        "watchword audit check --json --store sqlite:////backup/watchword.db",
    ),
)
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    help="Show so many differences; all of them are counted.  [default: all]",
)
@with_store
@json_option
@click.pass_context
def check(context: click.Context, target: Target, limit: int | None, as_json: bool) -> None:
    """
    Decide every event again, and compare the log with all that is kept beside it.

    The check reads the tables, indexes and settings of the database; the order, form and time of all events;
    whether each could follow from the ones before it; the row of every stream, the live codes, names and keys
    that it holds, its due rows and seal keys; the people and their keys; uses of rates, saved answers,
    deliveries, statistics and hosted files; and whether the log was longer before. It reads all of it as of
    one moment, beside a running service too. Without the code key it opens nothing sealed, and says so.
    It cannot find a whole stream that was rewritten consistently with its rows: `watchword audit verify`
    can.

    Test destinations that live are listed, too; they are no differences. The exit status is 0 when
    everything is as the log says, 1 when something is not. Personal data and hashes read ***.
    """

    async def run() -> Checked:
        with progress("steps") as advance:
            async with target.reading(to_check=True) as reader:
                return await reader.check(advance, limit)

    with expected_failures():
        checked = asyncio.run(run())
    if as_json:
        echo_json(
            {
                "differences": [_record(_bounded(each)) for each in checked.differences],
                "total": checked.total,
                "testDestinations": [
                    {"id": each.id, "accountId": each.account_id, "until": wire_time(each.until)}
                    for each in checked.test_destinations
                ],
            }
        )
    else:
        _echo(checked)
        _echo_tests(checked.test_destinations)
    if not checked.files:
        folder = target.settings.data_dir / "media"
        click.echo(
            f"Hosted files were not looked at: there is no {folder}. Name theirs with --data-dir.",
            err=True,
        )
    for line in _unseen(checked):
        click.echo(line, err=True)
    context.exit(1 if checked.total else 0)


def _unseen(checked: Checked) -> Iterator[str]:
    if not checked.sealed:
        yield (
            "What is sealed was not opened: the store's code key was not given. Changed or exchanged texts,"
            " keys and numbers of people are found with WATCHWORD_CODE_KEY or --code-key-file alone."
        )
    if checked.lost is not None:
        yield (
            f"This store once lost version {checked.lost} of its code key. What it had sealed for accounts"
            " was not looked at."
        )


def _bounded(difference: Difference) -> Difference:
    """Return a difference with its texts cut: damaged or hostile ones may have megabytes."""
    apart = _from_where_they_differ(difference.expected, difference.found)
    shown = {name: _beginning(getattr(difference, name)) for name in ("id", "field")}
    expected, found = map(_beginning, apart)
    return attrs.evolve(difference, **shown, expected=expected, found=found)


def _from_where_they_differ(expected: Any, found: Any) -> tuple[Any, Any]:
    """Cut what two long texts begin with alike: else the difference may be in the part not shown."""
    if isinstance(expected, str) and isinstance(found, str):
        pairs = enumerate(zip(expected, found, strict=False))
        apart = next((at for at, (ours, theirs) in pairs if ours != theirs), 0)
        if apart > _SHOWN_BEFORE and max(len(expected), len(found)) > _MOST_SHOWN:
            begin = apart - _SHOWN_BEFORE
            return f"…{expected[begin:]}", f"…{found[begin:]}"
    return expected, found


def _beginning(value: Any) -> Any:
    text = encode(value).decode() if isinstance(value, dict | list | tuple) else value
    if not isinstance(text, str) or len(text) <= _MOST_SHOWN:
        return value
    return f"{text[:_MOST_SHOWN]}… ({len(text)} characters)"


def _record(difference: Difference) -> dict[str, Any]:
    """Return a difference for programs; `position` is left out if it is none (C-105)."""
    record = {each.name: getattr(difference, each.name) for each in attrs.fields(Difference)}
    if difference.position is None:
        del record["position"]
    return record


def _echo(checked: Checked) -> None:
    if not checked.total:
        click.echo(
            f"Everything is as the log says: {checked.events} events of {checked.streams} streams."
        )
        return
    echo_table(
        ("position", "kind", "what", "id", "field", "expected", "found"),
        [
            (
                "" if each.position is None else each.position,
                str(each.kind),
                words(each.what),
                each.id,
                each.field.replace("_", " "),
                _shown(each.expected),
                _shown(each.found),
            )
            for each in map(_bounded, checked.differences)
        ],
        title=f"{checked.total} {'difference' if checked.total == 1 else 'differences'}\n",
    )
    more = checked.total - len(checked.differences)
    if more:
        click.echo(f"\nand {more} more")


def _echo_tests(live: Sequence[TestDestinationView]) -> None:
    """List test destinations, which are no differences; their codes are known to several people."""
    if live:
        rows = [(each.id, each.account_id, wire_time(each.until)) for each in live]
        echo_table(("test destination", "account", "until"), rows, title="")


def _shown(value: Any) -> Any:
    """Return a value in full precision: two values that look alike must be equal."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, dict | tuple):
        return encode(value).decode()
    return "nothing" if value is None else value
