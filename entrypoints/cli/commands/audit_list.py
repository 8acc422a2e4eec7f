"""`watchword audit list`: lists as they were at a time, a position or a signed head (C-82)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from attrs import frozen

from ....application.audit.listing_as_of import ListAsOf, ListingAsOf, Moment
from ....application.caller import THE_WORKER
from ....application.messages.looking_up.searching_messages import MessageSearch
from ....application.pins.managing_pin_templates import TemplateSearch
from ....application.pins.searching_verifications import VerificationSearch
from ...messaging.message_questions import report_question
from ...messaging.shown_messages import reported_message
from ...wire.codec import encode, unstructure
from ...wire.masked_records import masked
from ...wire.pin_records import verification_record
from ...wire.searches import read_query, template_search, verification_search
from ..building.groups import epilog
from ..building.record_commands import OF_ACCOUNT
from ..options.list_filters import template_filters, verification_filters
from ..options.search_options import query_of, search_options
from ..options.shared import Option, json_option, time, together
from ..options.target_options import with_store
from ..output.row_lists import echo_rows
from ..service.failures import expected_failures
from ..service.records import Kind
from ..service.target import Target
from .messages import MESSAGES
from .pins import PINS
from .templates import PIN_TEMPLATES

if TYPE_CHECKING:
    from ...wired import Wired

Query = Mapping[str, str]
Text = Callable[[Any], str]


@frozen
class _Asked:
    """A list as of a moment: the filters by their names in a query, and the form of a row."""

    listing: ListingAsOf
    service: Wired
    query: Query
    moment: Moment
    mask: bool

    def text(self, record: Callable[[Any], dict[str, Any]]) -> Text:
        """Return what makes the text of a row."""
        return lambda view: encode(masked(record(view)) if self.mask else record(view)).decode()


def _verifications(asked: _Asked) -> AbstractAsyncContextManager[ListAsOf]:
    search = read_query(asked.query, VerificationSearch, verification_search)
    text = asked.text(verification_record)
    return asked.listing.verifications(search, asked.moment, text)


def _messages(asked: _Asked) -> AbstractAsyncContextManager[ListAsOf]:
    read = partial(report_question, third_parties=asked.service.third_parties)
    search = read_query(asked.query, MessageSearch, read)
    return asked.listing.messages(search, asked.moment, asked.text(reported_message))


def _templates(asked: _Asked) -> AbstractAsyncContextManager[ListAsOf]:
    search = template_search(asked.query)
    text = asked.text(unstructure)
    return asked.listing.templates(asked.query.get("account"), search, asked.moment, text)


_as_of = together(
    click.option("--at", callback=time, metavar="TIME", help="As the list was then (ISO 8601)."),
    click.option(
        "--position",
        type=click.IntRange(1),
        metavar="POSITION",
        help="As it was with the event at this position as the newest one.",
    ),
    click.option(
        "--head",
        type=click.Path(dir_okay=False, exists=True, path_type=Path),
        metavar="FILE",
        help="As it was for this signed head; the store has to have the head's root.",
    ),
    click.option("--mask", is_flag=True, help="Mask what says something about a person."),
    click.option(
        "--limit",
        type=click.IntRange(1),
        help="How many, from the first  [default: 100 in a table, all as JSON]",
    ),
)


def _command(
    kind: Kind,
    name: str,
    search: type[Any],
    opened: Callable[[_Asked], AbstractAsyncContextManager[ListAsOf]],
    filters: Option,
) -> click.Command:
    """Make the command that lists one kind; its filters are those of the list of today."""

    def listed(
        target: Target,
        at: datetime | None,
        position: int | None,
        head: Path | None,
        mask: bool,
        limit: int | None,
        as_json: bool,
        **given: Any,
    ) -> None:
        if sum(each is not None for each in (at, position, head)) != 1:
            raise click.UsageError("Name the moment by one of --at, --position and --head.")
        account = given.pop("account", None)
        query = query_of(search, given) | ({} if account is None else {"account": account})

        async def run() -> int:
            async with target.listing_as_of(at, position, head) as (service, listing, moment):
                if "account" in query:
                    query["account"] = await service.accounts.resolve(THE_WORKER, query["account"])
                asked = _Asked(listing, service, query, moment, mask)
                async with opened(asked) as found:
                    echo_rows(kind, found.rows, limit, as_json)
                return found.unreadable

        with expected_failures():
            unreadable = asyncio.run(run())
        if unreadable:
            raise click.ClickException(
                f"{unreadable} of the {name} cannot be rebuilt, and are left out."
                " Run `watchword audit check`."
            )

    listed.__doc__ = f"""
    List {name} as they were, rebuilt from the log.

    The rows are those of today's list: a position is exact, and a time has the events whose own time is at
    or before it. What is personal is in clear unless it is masked. It reads *** without the code key, and
    (erased) after an erasure. The command reads the store, beside a running service too, and writes nothing.
    """
    return click.command(
        name,
        short_help=f"List {name} as they were.",
        epilog=epilog(
            f"watchword audit list {name} --at 2031-05-04T12:00:00Z",
            f"watchword audit list {name} --position 1200 --mask --json",
            f"watchword audit list {name} --head head.txt --store sqlite:////mnt/backup/watchword.db",
        ),
    )(filters(_as_of(with_store(json_option(listed)))))


list_as_of = click.Group(
    "list",
    help="List verifications, messages or templates as they were.",
    commands=(
        _command(PINS, "verifications", VerificationSearch, _verifications, verification_filters),
        _command(MESSAGES, "messages", MessageSearch, _messages, search_options(MessageSearch)),
        _command(
            PIN_TEMPLATES,
            "templates",
            TemplateSearch,
            _templates,
            together(OF_ACCOUNT, template_filters),
        ),
    ),
)
