"""`watchword test-destinations`: gives destinations fixed codes, for reviewers and automated tests (C-79)."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import click

from ....application.test_destinations.views import TestDestinationView
from ..building.groups import epilog, group
from ..building.record_commands import acting, camel_body, listing
from ..options.shared import time
from ..options.standard_input import one_line
from ..options.target_options import managing
from ..output.records import echo_record
from ..service.records import Kind, Record
from ..service.target import Target

if TYPE_CHECKING:
    from ..service.management import Management

TEST_DESTINATIONS = Kind(
    "test-destinations",
    "/test-destinations",
    TestDestinationView,
    {
        "id": "id",
        "account": "accountId",
        "destination": "destination",
        "code": "code",
        "until": "until",
    },
)


@click.command(
    short_help="Give a destination a fixed code.",
    epilog=epilog(
        "watchword test-destinations add +447700900000 --code 123456 --until 2027-01-31 --account demo",
        "watchword test-destinations add review@shop.example --until 2027-01-31 --account demo < code.txt",
    ),
)
@click.argument("destination")
@click.option("--account", help="Id or name of the account; a sandbox's demo account by default.")
@click.option(
    "--code",
    help="The code. Without it, the command reads one line of the standard input, so that the code is in"
    " no history of a shell.",
)
@click.option(
    "--until",
    required=True,
    callback=time,
    metavar="TIME",
    help="When the destination becomes an ordinary one again, at most 90 days ahead (ISO 8601).",
)
@managing
def add(
    target: Target,
    as_json: bool,
    destination: str,
    account: str | None,
    code: str | None,
    until: datetime,
) -> None:
    """
    Set a fixed code for DESTINATION, a number or an e-mail address; add it again to revise it.

    Until then nothing is sent to it: PINs for it are made as ever, and the fixed code verifies those whose
    template makes codes of its length and characters. Everything says `test` of them. A destination that
    ever verified a code that was sent to it is refused.
    """
    body = camel_body(account=account, destination=destination, code=_given(code), until=until)

    async def ask(management: Management) -> Record:
        return await management.act("POST", TEST_DESTINATIONS, body=body)

    echo_record(TEST_DESTINATIONS, target.ask(ask), as_json)


def _given(code: str | None) -> str:
    if code is not None:
        return code
    return one_line(
        "Code",
        nothing="There is no code, neither as --code nor in the standard input.",
        several="The standard input has several lines. Give the code alone.",
        hidden=True,
    )


test_destinations = group(
    "test-destinations",
    add,
    listing(
        TEST_DESTINATIONS,
        "List test destinations, the newest first, also those that are over. Their codes read ***.",
    ),
    acting(
        TEST_DESTINATIONS,
        "remove",
        "Remove a test destination: from then on its code verifies nothing, and codes are sent to it.",
        method="DELETE",
        summary="Remove a test destination.",
        sample="tst_2x7wq...",
    ),
)
