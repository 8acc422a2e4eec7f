"""`watchword channel-accounts test`: sends a message, and prints each step when it has happened (C-67)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ....application.channel_tests.views import MOST_SECONDS
from ....domain.errors import camel
from ..building.groups import epilog
from ..options.named_channel_accounts import id_of
from ..options.target_options import managing
from ..output.json_text import echo_json
from ..output.tables import brief
from ..service.records import CHANNEL_ACCOUNTS, Record
from ..service.target import Target

if TYPE_CHECKING:
    from ..service.management import Management

_EXIT_CODES = {"accepted": 0, "rejected": 1, "unknown": 3}


@click.command(
    "test",
    short_help="Send a test message, and say what each step did.",
    help="Send a test message through one channel account, given by its id or name, and print each step"
    " when it has happened: config, connect, send, receipt. The exit code is 0 if the provider accepted"
    " the message, 1 if it was rejected, and 3 if nobody knows.",
    epilog=epilog(
        "watchword channel-accounts test 'sandbox sms' --to +447700900005 --wait 5 \\\n"
        "    --url http://127.0.0.1:8080",
    ),
)
@click.argument("named", metavar="ID|NAME")
@click.option("--to", required=True, help="The number or e-mail address to send to.")
@click.option("--text", help="The text (default: a sentence that says that it is a test).")
@click.option("--template", help="A template that the provider stores, on whatsapp.")
@click.option("--language", help="The template's language, such as en_US.")
@click.option(
    "--wait",
    "wait_seconds",
    type=click.IntRange(0, MOST_SECONDS),
    default=0,
    metavar="SECONDS",
    help="How long to wait for the receipt (default: 0).",
)
@managing
def channel_test(target: Target, as_json: bool, named: str, **given: Any) -> None:
    """Run a test, and exit as its outcome says."""
    body = {camel(name): value for name, value in given.items() if value is not None}

    async def run(management: Management) -> Record:
        found = await id_of(management, named)
        whole: Record = {}
        async for whole in management.lines(CHANNEL_ACCOUNTS, found, "test", body=body):
            if "step" in whole and not as_json:
                _echo_step(whole)
        return whole

    whole = target.ask(run)
    if as_json:
        echo_json(whole)
    click.get_current_context().exit(_EXIT_CODES[whole["outcome"]])


def _echo_step(step: Record) -> None:
    words = f"{step['status']}, {brief(step['detail'])}"
    time = "" if step["status"] == "skipped" else f" ({step['milliseconds']} ms)"
    click.echo(f"{step['step']:<9}{words}{time}")
