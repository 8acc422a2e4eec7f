"""`watchword audit verify`: checks proofs, an export or a store against signed heads (C-81, C-105)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from ....wire.codec import wire_time
from ...building.groups import epilog
from ...options.shared import json_option
from ...options.target_options import with_store
from ...options.verifier_keys import key_option, verifiers
from ...output.json_text import echo_json
from ...output.progress import progress
from ...output.tables import brief, echo_table, fields
from ...service.failures import expected_failures
from ...service.target import Target

if TYPE_CHECKING:
    from .....verify_evidence import Proven, Report, Verifier

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command(
    short_help="Check proofs, an export or a store against signed heads.",
    epilog=epilog(
        "watchword audit verify evidence --key log.keys",
        "watchword audit verify --export log.jsonl --head head-january --key log.keys",
        "watchword audit verify --store sqlite:////backup/watchword.db --head head-january --key log.keys",
    ),
)
@click.argument(
    "folder",
    required=False,
    metavar="[DIR]",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
)
@click.option(
    "--export", "export", type=_FILE, help="A file of `watchword audit export --evidence`."
)
@click.option("--head", type=_FILE, help="A file with a head that was kept outside.")
@key_option(required=True)
@with_store
@json_option
@click.pass_context
def verify(
    context: click.Context,
    target: Target,
    folder: Path | None,
    export: Path | None,
    head: Path | None,
    vkeys: tuple[str, ...],
    as_json: bool,
) -> None:
    """
    Check that nothing in the log was altered since it was signed, and name what was.

    DIR is a folder with proofs of `watchword audit prove`: each must lead to a signed head, and no version
    of an id may be missing before its last one. --export is checked against --head. Without either, the
    store is read: its events must be the leaves of its tree, and the tree that of all heads. No code key is
    needed, and for DIR and --export no store and no network.

    The exit status is 0 if nothing is wrong, and 1 if something is. Each finding has a position, or a range
    of them, and a kind.
    """
    _check_one(context, folder, export)
    keys = verifiers(vkeys)
    with expected_failures():
        report = _report(target, folder, export, head, keys)
    if as_json:
        echo_json(report.plain)
    else:
        _echo(report)
    context.exit(1 if report.findings else 0)


def _check_one(context: click.Context, folder: Path | None, export: Path | None) -> None:
    """Raise `click.UsageError` unless one thing is named to check."""
    named_store = any(
        context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        for name in ("store", "data_dir")
    )
    if sum((folder is not None, export is not None, named_store)) > 1:
        raise click.UsageError("Name one thing to check: DIR, --export or --store.")


def _report(
    target: Target,
    folder: Path | None,
    export: Path | None,
    head: Path | None,
    keys: Sequence[Verifier],
) -> Report:
    from .....verify_evidence import EvidenceError, Finding, Report, check_export

    note = None if head is None else _note(head)
    try:
        if folder is not None:
            return _of_folder(folder, note, keys)
        if export is None:
            return asyncio.run(_of_store(target, note, keys))
        if note is None:
            raise click.UsageError(
                "--export goes with --head: nobody signed the lines of the file."
            )
        return check_export(export, note, keys)
    except EvidenceError as error:
        return Report(None, [Finding(None, "head", f"{head}: {error}")], [])


def _of_folder(folder: Path, note: str | None, keys: Sequence[Verifier]) -> Report:
    from .....verify_evidence import Finding, check_folder, open_checkpoint

    report = check_folder(folder, keys)
    if note is None:
        return report
    kept = open_checkpoint(note, keys)
    same_size = [each.head for each in report.proven if each.head.size == kept.size]
    if not same_size:
        click.echo(
            f"The head that was kept covers {kept.size} events, and those of the proofs do not:"
            " compare them with `watchword audit extends`.",
            err=True,
        )
    if all(each.root == kept.root for each in same_size):
        return report
    detail = (
        f"The head of {kept.size} events in the proofs has another root than the one that was kept."
    )
    return report._replace(findings=[*report.findings, Finding(None, "fork", detail)])


async def _of_store(target: Target, note: str | None, keys: Sequence[Verifier]) -> Report:
    from .....verify_evidence import Finding, Report

    with progress("events") as advance:
        async with target.verifying() as verifying:
            found = await verifying.verify(keys, [] if note is None else [note], advance)
    told = (
        f"The store has {found.events} events. The tree has {found.sealed}, of which retention took out"
        f" {found.pruned}."
    )
    if found.pruned_uncovered:
        click.echo(
            f"No head covers the EventsPruned that says why parts of {found.pruned_uncovered} events are"
            " gone: whoever can write the store may have written it. Check again with a newer head.",
            err=True,
        )
    for position, key in found.added_keys:
        click.echo(
            f"The log added a key of its own at position {position}, which --key does not name:"
            f" {key.vkey}. What it signed is believed. Ask the operator whether the key is the log's.",
            err=True,
        )
    findings = [Finding(*each) for each in found.findings]
    if found.covered is None and not findings:
        # Whoever deletes the whole tree and all heads must not get a store that is in order.
        findings.append(Finding(None, "empty", "No head covers any event, so nothing was checked."))
    return Report(found.covered, findings, [told])


def _note(path: Path) -> str:
    try:
        return path.read_text()
    except UnicodeDecodeError:
        raise click.BadParameter(f"{path} is no text.", param_hint="--head") from None


def _echo(report: Report) -> None:
    covered = report.covered
    if report.findings:
        number = "1 finding" if len(report.findings) == 1 else f"{len(report.findings)} findings"
        echo_table(
            ("position", "kind", "detail"),
            [(_range(each.position, each.to), each.kind, each.detail) for each in report.findings],
            title=f"{number}\n",
        )
        if report.summary and not report.proven:
            click.echo()
            _echo_told(report)
        return
    if not report.proven:
        _echo_told(report)
    else:
        columns = ("position", "id", "version", "event", "time", "what it says")
        echo_table(columns, [_row(each) for each in report.proven])
    if covered is not None:
        at = "" if covered.at is None else f", signed at {_time(covered.at)}"
        click.echo(f"Nothing is wrong. Covered: {covered.size} events of {covered.origin}{at}.")


def _echo_told(report: Report) -> None:
    for line in report.summary:
        # The name of a file can have anything in it.
        click.echo(brief(line))


def _row(proven: Proven) -> Sequence[Any]:
    leaf = proven.leaf
    opened = _members(proven.open)
    says = {**_members(opened.get("data")), **_members(proven.personal)}
    told = "; ".join(f"{name.replace('_', ' ')} {brief(value)}" for name, value in fields(says))
    name = leaf.topic.partition("/")[0]
    return leaf.position, leaf.stream, leaf.version, name, opened.get("at", ""), told


def _members(text: Any) -> dict[str, Any]:
    """Return the members of what should be JSON; whoever handed it over may have written anything."""
    try:
        read = json.loads(text) if isinstance(text, str) else text
    except (ValueError, RecursionError):
        return {}
    return read if isinstance(read, dict) else {}


def _range(first: int | None, last: int | None) -> str:
    return f"{first or ''}" if last in (None, first) else f"{first}-{last}"


def _time(seconds: int) -> str:
    return wire_time(datetime.fromtimestamp(seconds, UTC))
