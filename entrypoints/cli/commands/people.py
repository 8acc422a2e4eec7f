"""`watchword people`: erases people, and shows what is stored of them (C-74)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..building.groups import epilog, group
from ..building.record_commands import account_option
from ..options.standard_input import one_line
from ..options.target_options import managing
from ..output.json_text import echo_json
from ..output.person_page import person_page
from ..output.tables import echo_table, words
from ..output.whole_file import whole_file
from ..service.failures import expected_failures
from ..service.records import Kind, Record
from ..service.target import Target

if TYPE_CHECKING:
    from ..service.management import Management

PEOPLE = Kind("people", "/people", dict, {})
_PARTS = (
    "pins",
    "messages",
    "consents",
    "testDestinations",
    "ratings",
    "deliveries",
    "events",
)
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


@click.command(
    short_help="Show everything that is stored of a person.",
    epilog=epilog(
        "watchword people show --account web-shop",
        "watchword people show --account web-shop --html answer.html < number.txt",
        "watchword people show +447700900123 --account web-shop --json --url http://127.0.0.1:8080",
    ),
)
@_destination
@account_option("whose person it is")
@click.option(
    "--html",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write a page without scripts, which the person can read; its owner alone can open it.",
)
@managing
def show(
    target: Target, as_json: bool, destination: str | None, account: str, html: Path | None
) -> None:
    """
    Show what is stored of the person behind DESTINATION, to answer an access request.

    Without DESTINATION, the command reads it from the standard input. Without --json and --html, it
    prints how much there is. Codes and hashes read ***.
    """
    body = {"account": account, "destination": _given(destination)}

    async def ask(management: Management) -> Record:
        return await management.act("POST", PEOPLE, "show", body=body)

    record = target.ask(ask)
    if html is not None:
        with expected_failures(), whole_file(html) as page:
            page.writelines(part.encode() for part in person_page(record))
    if as_json:
        echo_json(record)
    elif html is None:
        rows = [(words(each), len(record[each])) for each in _PARTS]
        echo_table(("what", "how many"), rows, title=f"{record['personId']}\n")


def _given(destination: str | None) -> str:
    """Return the destination: the argument, or the only line of the standard input (D-368)."""
    if destination is not None:
        return destination
    return one_line(
        "Number or e-mail address",
        nothing="There is no number or e-mail address, neither as DESTINATION nor in the standard input.",
        several="The standard input has several lines. Give one number or e-mail address at a time.",
    )


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
        click.echo(
            "\nNobody is known by this destination in this account."
            " Check the account, and that a number has its country code."
        )


def _lines(certificate: Record) -> list[tuple[str, Any]]:
    names = ("erased", "personId", "position")
    facts = [(words(name), certificate[name]) for name in names if name in certificate]
    counts = [(words(name), count) for name, count in certificate["counts"].items()]
    return [*facts, *counts, ("finished", certificate["finished"])]


people = group("people", erase, show)
