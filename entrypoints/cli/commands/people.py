"""`watchword people`: erases people (C-74)."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from ..building.groups import epilog, group
from ..building.record_commands import account_option
from ..options.target_options import managing
from ..output.json_text import echo_json
from ..output.tables import echo_table, words
from ..service.records import Kind, Record
from ..service.target import Target

if TYPE_CHECKING:
    from ..service.management import Management

PEOPLE = Kind("people", "/people", dict, {})
# Longer than any destination.
_LONGEST_LINE = 1_000
_destination = click.argument("destination", required=False)


@click.command(
    short_help="Erase a person, for good.",
    epilog=epilog(
        "watchword people erase --account web-shop",
        "watchword people erase --account web-shop --dry-run < number.txt",
        "watchword people erase +447700900123 --account web-shop --url http://127.0.0.1:8080",
    ),
)
@_destination
@account_option("whose person it is")
@click.option("--dry-run", is_flag=True, help="Only count what is stored; erase nothing.")
@managing
def erase(
    target: Target, as_json: bool, destination: str | None, account: str, dry_run: bool
) -> None:
    """
    Erase the person behind DESTINATION, a number or an e-mail address, and print a certificate.

    Without DESTINATION, the command reads it from the standard input, so that it is in no history of a
    shell. The person's key is destroyed: nothing opens what was stored, in any list, event or file.
    PINs, fallbacks and deliveries end. The exit code is 0 also for somebody who is not known, and 1
    while the erasure is not finished; the worker goes on with it, and the command can be repeated.
    """
    body = {"account": account, "destination": _given(destination), "dryRun": dry_run}

    async def ask(management: Management) -> Record:
        return await management.act("POST", PEOPLE, "erase", body=body)

    certificate = target.ask(ask)
    if as_json:
        echo_json(certificate)
    else:
        _echo(certificate, dry_run=dry_run)
    click.get_current_context().exit(0 if certificate["finished"] else 1)


def _given(destination: str | None) -> str:
    """Return the destination: the argument, or the first line of the standard input."""
    if destination is not None:
        return destination
    if sys.stdin.isatty():
        typed: str = click.prompt("Number or e-mail address", err=True)
        return typed
    return sys.stdin.readline(_LONGEST_LINE).strip()


def _echo(certificate: Record, *, dry_run: bool) -> None:
    echo_table(("certificate", ""), _lines(certificate))
    kept: Any = certificate["kept"]
    if kept:
        rows = [(each["what"], each["why"]) for each in kept]
        echo_table(("what is kept", "why"), rows, title="")
    if not certificate["finished"]:
        click.echo("\nThe erasure is not finished. The worker goes on; repeat the command to see.")
    elif dry_run:
        click.echo("\nNothing was erased: this was a dry run.")
    elif not certificate["erased"]:
        click.echo("\nNobody is known by this destination in this account.")


def _lines(certificate: Record) -> list[tuple[str, Any]]:
    names = ("erased", "personId", "position")
    facts = [(words(name), certificate[name]) for name in names if name in certificate]
    counts = [(words(name), count) for name, count in certificate["counts"].items()]
    return [*facts, *counts, ("finished", certificate["finished"])]


people = group("people", erase)
