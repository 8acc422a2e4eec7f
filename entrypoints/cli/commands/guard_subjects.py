"""`watchword guard refused` and `release`: whom the guard refuses now, and letting them go (C-78)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from ....application.guard.listing_refused_sends import RefusedSearch, RefusedSends
from ....application.guard.releasing_subjects import Released
from ....domain.guard import Rule
from ..building.groups import epilog
from ..building.record_commands import account_option
from ..options.search_options import query_of, search_options
from ..options.shared import limit_option
from ..options.target_options import managing
from ..output.records import echo_record, echo_records
from ..service.records import ACCOUNTS, OWNER, Kind, Record
from ..service.target import Target

if TYPE_CHECKING:
    from ..service.management import Management

REFUSED = Kind(
    "guard",
    "/guard/refused",
    RefusedSends,
    {
        "rule": "rule",
        "subject": "subject",
        "count": "count",
        "limit": "limit",
        "last": "until",
        "account": OWNER,
    },
)
RELEASED = Kind("guard", "/guard", Released, {"released": "released"})


@click.command(
    short_help="List what is refused now, and why.",
    epilog=epilog(
        "watchword guard refused --account web-shop",
        "watchword guard refused --rule unverified.prefix --json",
        "watchword guard refused --verdict flagged --url http://127.0.0.1:8080",
    ),
)
@search_options(RefusedSearch)
@limit_option
@managing
def refused(target: Target, limit: int, as_json: bool, **filters: Any) -> None:
    """
    List the subjects that a rule refused within the window of its limit, the newest first.

    A line is what one process counted in one minute; it comes when the minute has ended, and a crash may
    lose one. So a count is a lower bound. A subject is a country, a prefix, a masked destination, the
    HMAC of an IP, a channel, or the account.
    """
    query = query_of(RefusedSearch, filters)

    async def ask(management: Management) -> tuple[Sequence[Record], Sequence[Record]]:
        accounts = () if as_json else await management.list(ACCOUNTS)
        return await management.list(REFUSED, query=query, limit=limit), accounts

    found, accounts = target.ask(ask, to_read=True)
    echo_records(REFUSED, found, as_json, {each["id"]: each["name"] for each in accounts})


@click.command(
    short_help="Let a subject go: its count begins anew.",
    epilog=epilog(
        "watchword guard release --account web-shop --rule unverified.prefix --subject +98912345",
        "watchword guard release --account web-shop --rule guesses --destination +919812345610",
    ),
)
@account_option("whose rule it is")
@click.option("--rule", required=True, type=click.Choice([*map(str, Rule)]), help="The rule.")
@click.option("--subject", help="The subject, as `watchword guard refused` shows it.")
@click.option("--destination", metavar="NUMBER", help="A number instead: a listed one is masked.")
@managing
def release(
    target: Target,
    as_json: bool,
    account: str,
    rule: str,
    subject: str | None,
    destination: str | None,
) -> None:
    """
    Begin the count of a rule for a subject anew, so that its next sends or guesses pass.

    They count again. The rules `numbers` and `countries` count nothing: change the policy instead.
    """
    body = {"account": account, "rule": rule, "subject": subject, "destination": destination}
    record = target.ask(lambda management: management.act("POST", RELEASED, "release", body=body))
    echo_record(RELEASED, record, as_json)
