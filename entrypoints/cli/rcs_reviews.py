"""`watchword rcs submit`, `approve`, `reject` and `list`: the approval of RCS templates (C-36, C-55)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click

from .accounts import with_account_names
from .connecting import managing
from .management import RcsReview, Record
from .place import Place
from .printing import echo_json
from .tables import echo_table


def _meaning(command: Callable[..., None]) -> Callable[..., None]:
    """Add what says which template is meant."""
    with_profile = click.option(
        "--sender-profile", help="Its sender profile, where several have a template of this name."
    )
    with_account = click.option(
        "--account", required=True, help="Id or name of the account that it belongs to."
    )
    return click.argument("name")(with_account(with_profile(managing(command))))


_with_reason = click.option("--reason", help="Why; callbacks tell it to the account.")


@click.command(
    epilog="""\b
Examples:
  watchword rcs submit teas --account demo
"""
)
@_meaning
def submit(
    place: Place, name: str, account: str, sender_profile: str | None, as_json: bool
) -> None:
    """Put a draft up for approval."""
    _review(place, RcsReview.SUBMIT, name, _body(account, sender_profile), as_json)


@click.command(
    epilog="""\b
Examples:
  watchword rcs approve teas --account demo
  watchword rcs approve teas --account demo --sender-profile TeaHouse --url http://127.0.0.1:8080
"""
)
@_meaning
@_with_reason
def approve(
    place: Place,
    name: str,
    account: str,
    sender_profile: str | None,
    reason: str | None,
    as_json: bool,
) -> None:
    """Allow sends under a template that was submitted."""
    _review(place, RcsReview.APPROVE, name, _body(account, sender_profile, reason), as_json)


@click.command(
    epilog="""\b
Examples:
  watchword rcs reject teas --account demo --reason 'Does not say who it is from.'
"""
)
@_meaning
@_with_reason
def reject(
    place: Place,
    name: str,
    account: str,
    sender_profile: str | None,
    reason: str | None,
    as_json: bool,
) -> None:
    """Forbid sends under a template, also under one that was approved."""
    _review(place, RcsReview.REJECT, name, _body(account, sender_profile, reason), as_json)


@click.command(
    "list",
    epilog="""\b
Examples:
  watchword rcs list
  watchword rcs list --account demo --json
""",
)
@click.option("--account", help="Only those of this account, by id or name.")
@managing
def list_templates(place: Place, account: str | None, as_json: bool) -> None:
    """List RCS templates, the newest first; all that they say is in the JSON."""
    found, names = with_account_names(place, lambda management: management.rcs_templates(account))
    if as_json:
        echo_json(found)
    else:
        _echo(found, names)


def _body(account: str, sender_profile: str | None, reason: str | None = None) -> dict[str, Any]:
    given = {"account": account, "senderProfile": sender_profile, "reason": reason}
    return {name: value for name, value in given.items() if value is not None}


def _review(place: Place, review: RcsReview, name: str, body: Record, as_json: bool) -> None:
    record = place.ask(lambda management: management.review_rcs_template(name, review, body))
    if as_json:
        echo_json(record)
    else:
        _echo([record], {})


def _echo(records: Sequence[Record], names: Mapping[str, str]) -> None:
    """Print templates, with their accounts' names where they are known."""
    echo_table(
        ("name", "account", "sender profile", "category", "message type", "state", "status"),
        [
            (
                each["name"],
                names.get(each["accountId"], each["accountId"]),
                each["senderProfile"],
                each["category"],
                each["messageType"],
                each["templateState"],
                each["status"],
            )
            for each in records
        ],
    )
