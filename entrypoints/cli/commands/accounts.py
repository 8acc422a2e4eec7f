"""`watchword accounts`: what everything else belongs to."""

from __future__ import annotations

import click

from ....application.accounts.managing_accounts import EffectiveLimits
from ..building.record_commands import list_records
from ..options.target_options import managing
from ..output.records import echo_record
from ..service.records import ACCOUNTS, Kind
from ..service.target import Target

LIMITS = Kind(
    "/accounts",
    EffectiveLimits,
    {
        "requests per second": "requestsPerSecond",
        "stored bytes per day": "storedBytesPerDay",
        "media bytes": "mediaBytes",
    },
)


@click.group()
def accounts() -> None:
    """Make and list accounts, suspend and resume them."""


@accounts.command(
    epilog="""\b
Examples:
  watchword accounts create web-shop
  watchword accounts create web-shop --url http://127.0.0.1:8080
"""
)
@click.argument("name")
@managing
def create(target: Target, name: str, as_json: bool) -> None:
    """Make an account, and the store with it where there is none yet."""
    created = target.ask(
        lambda management: management.act("POST", ACCOUNTS, body={"name": name}), new_store=True
    )
    echo_record(ACCOUNTS, created, as_json)


@accounts.command(
    "list",
    epilog="""\b
Examples:
  watchword accounts list
  watchword accounts list --json --url http://127.0.0.1:8080
""",
)
@managing
def list_accounts(target: Target, as_json: bool) -> None:
    """List all accounts, the newest first."""
    list_records(target, ACCOUNTS, as_json)


@accounts.command(
    short_help="Refuse whoever calls for an account.",
    epilog="""\b
Examples:
  watchword accounts suspend web-shop
  watchword accounts suspend web-shop --url http://127.0.0.1:8080
""",
)
@click.argument("account")
@managing
def suspend(target: Target, account: str, as_json: bool) -> None:
    """
    Refuse whoever calls for an account, given by id or name, until it is resumed.

    Its keys are answered 403 within a second, on every node, and what falls back meanwhile is not sent.
    What providers report is still heard.
    """
    _act(target, account, "suspend", as_json)


@accounts.command(
    epilog="""\b
Examples:
  watchword accounts resume web-shop
"""
)
@click.argument("account")
@managing
def resume(target: Target, account: str, as_json: bool) -> None:
    """Let an account, given by id or name, be called for again."""
    _act(target, account, "resume", as_json)


@accounts.command(
    short_help="Show or set what an account may use.",
    epilog="""\b
Examples:
  watchword accounts limits web-shop
  watchword accounts limits web-shop --requests-per-second 50 --media-bytes 5368709120
  watchword accounts limits web-shop --reset
""",
)
@click.argument("account")
@click.option("--requests-per-second", type=int, help="Requests of its keys, in each process.")
@click.option("--stored-bytes-per-day", type=int, help="What its calls have stored in a day (UTC).")
@click.option("--media-bytes", type=int, help="Hosted media in all; 1 GiB where it is left out.")
@click.option("--reset", is_flag=True, help="Have no limits but the 1 GiB of media.")
@managing
def limits(
    target: Target,
    account: str,
    requests_per_second: int | None,
    stored_bytes_per_day: int | None,
    media_bytes: int | None,
    reset: bool,
    as_json: bool,
) -> None:
    """
    Show what an account, given by id or name, may use; or set it, with any of the options.

    All limits are set at once: one that is left out is none. A request too many is answered 429
    `rate_limited`, and names the limit.
    """
    body = {
        "requestsPerSecond": requests_per_second,
        "storedBytesPerDay": stored_bytes_per_day,
        "mediaBytes": media_bytes,
    }
    changed = reset or any(each is not None for each in body.values())
    record = target.ask(
        lambda management: (
            management.act("PUT", LIMITS, account, "limits", body=body)
            if changed
            else management.act("GET", LIMITS, account, "limits")
        )
    )
    echo_record(LIMITS, record, as_json)


def _act(target: Target, account: str, lever: str, as_json: bool) -> None:
    record = target.ask(lambda management: management.act("POST", ACCOUNTS, account, lever))
    echo_record(ACCOUNTS, record, as_json)
