"""`watchword accounts`: the owners of keys, PINs and messages."""

from __future__ import annotations

import click

from ....application.accounts.managing_accounts import EffectiveLimits
from ....domain.retention import Retention
from ..building.groups import epilog, group
from ..building.record_commands import acting, camel_body, creating, listing
from ..options.target_options import managing
from ..output.records import echo_record
from ..service.records import ACCOUNTS, Kind
from ..service.target import Target

LIMITS = Kind(
    "accounts",
    "/accounts",
    EffectiveLimits,
    {
        "requests per second": "requestsPerSecond",
        "stored bytes per day": "storedBytesPerDay",
        "media bytes": "mediaBytes",
    },
)
_ACCOUNT = click.argument("record_id", metavar="ACCOUNT")


@click.command(
    short_help="Show or set what an account may use.",
    epilog=epilog(
        "watchword accounts limits web-shop",
        "watchword accounts limits web-shop --requests-per-second 50 --media-bytes 5368709120",
        "watchword accounts limits web-shop --reset",
    ),
)
@click.argument("account")
@click.option("--requests-per-second", type=int, help="Requests of its keys, in each process.")
@click.option("--stored-bytes-per-day", type=int, help="What its calls have stored in a day (UTC).")
@click.option("--media-bytes", type=int, help="Hosted media in all; 1 GiB where it is left out.")
@click.option("--reset", is_flag=True, help="Have no limits but the 1 GiB of media.")
@managing
def limits(target: Target, account: str, reset: bool, as_json: bool, **wanted: int | None) -> None:
    """
    Show what an account, given by id or name, may use; or set it, with any of the options.

    All limits are set at once: one that is left out is none. A request too many is answered 429
    `rate_limited`, and names the limit.
    """
    changed = reset or any(each is not None for each in wanted.values())
    method, body = ("PUT", camel_body(**wanted)) if changed else ("GET", None)
    record = target.ask(
        lambda management: management.act(method, LIMITS, account, "limits", body=body)
    )
    echo_record(LIMITS, record, as_json)


RETENTION = Kind(
    "accounts",
    "/accounts",
    Retention,
    {"pins": "pins", "messages": "messages", "events": "events"},
)


@click.command(
    short_help="Show or set for how long an account keeps what ended.",
    epilog=epilog(
        "watchword accounts retention web-shop",
        "watchword accounts retention web-shop --pins 30d --messages 90d --events 365d",
        "watchword accounts retention web-shop --for-ever",
    ),
)
@click.argument("account")
@click.option("--pins", help="For how long after their last expiry, such as 30d.")
@click.option("--messages", help="For how long after the last that happened to them.")
@click.option("--events", help="For how long the events of both stay, without what was sealed.")
@click.option("--for-ever", is_flag=True, help="Keep everything, as at first.")
@managing
def retention(
    target: Target, account: str, for_ever: bool, as_json: bool, **wanted: str | None
) -> None:
    """
    Show for how long an account, given by id or name, keeps what ended; or set it, with any of the options.

    All are set at once: one that is left out is for ever. None may be shorter than 24h, or than the longest
    window of a rate or guard rule of the account. What is past its time goes for good.
    """
    changed = for_ever or any(each is not None for each in wanted.values())
    method, body = ("PUT", camel_body(**wanted)) if changed else ("GET", None)
    record = target.ask(
        lambda management: management.act(method, RETENTION, account, "retention", body=body)
    )
    echo_record(RETENTION, record, as_json)


accounts = group(
    "accounts",
    creating(
        ACCOUNTS,
        "Make an account, and the store with it where there is none yet.",
        click.argument("name"),
        new_store=True,
        examples=(
            "watchword accounts create web-shop",
            "watchword accounts create web-shop --url http://127.0.0.1:8080",
        ),
    ),
    listing(
        ACCOUNTS,
        "List all accounts, the newest first.",
        examples=(
            "watchword accounts list",
            "watchword accounts list --json --url http://127.0.0.1:8080",
        ),
    ),
    acting(
        ACCOUNTS,
        "suspend",
        """
        Refuse whoever calls for an account, given by id or name, until it is resumed.

        Its keys are answered 403 within a second, on every node, and what falls back meanwhile is
        not sent. What providers report is still heard.
        """,
        summary="Refuse whoever calls for an account.",
        argument=_ACCOUNT,
        sample="web-shop",
    ),
    acting(
        ACCOUNTS,
        "resume",
        "Let an account, given by id or name, be called for again.",
        argument=_ACCOUNT,
        examples=("watchword accounts resume web-shop",),
    ),
    limits,
    retention,
)
