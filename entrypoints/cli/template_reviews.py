"""What the approvals of RCS and of WhatsApp templates share: whose they are, why, and how they are shown."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence

import click

from .accounts import with_account_names
from .management import Management, Record
from .place import Place
from .printing import echo_json
from .tables import echo_table, words

with_account = click.option(
    "--account", required=True, help="Id or name of the account that it belongs to."
)
with_reason = click.option("--reason", help="Why; callbacks tell it to the account.")


def review_body(**given: str | None) -> Record:
    """Give the body of a review: what was said of it, by its documented names."""
    return {name: value for name, value in given.items() if value is not None}


def echo_reviewed(record: Record, telling: Sequence[str], *, as_json: bool) -> None:
    """Print a template; `telling` are the members that a table shows, behind its name and account."""
    if as_json:
        echo_json(record)
    else:
        _echo([record], {}, telling)


def echo_listed(
    place: Place,
    question: Callable[[Management], Awaitable[Sequence[Record]]],
    telling: Sequence[str],
    *,
    as_json: bool,
) -> None:
    """Print the templates that a question gives, with their accounts' names."""
    found, names = with_account_names(place, question)
    if as_json:
        echo_json(found)
    else:
        _echo(found, names, telling)


def _echo(records: Sequence[Record], names: Mapping[str, str], telling: Sequence[str]) -> None:
    echo_table(
        ("name", "account", *map(words, telling)),
        [
            (
                each["name"],
                names.get(each["accountId"], each["accountId"]),
                *(each[member] for member in telling),
            )
            for each in records
        ],
    )
