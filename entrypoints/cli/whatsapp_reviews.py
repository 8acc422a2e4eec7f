"""`watchword whatsapp approve`, `reject` and `list`: the approval of WhatsApp templates (C-36)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import click

from .accounts import with_account_names
from .connecting import managing
from .management import Record, WhatsappReview
from .place import Place
from .printing import echo_json
from .tables import echo_table


def _meaning(command: Callable[..., None]) -> Callable[..., None]:
    """Add what says which template is meant, and why."""
    with_reason = click.option("--reason", help="Why; callbacks tell it to the account.")
    with_language = click.option(
        "--language", help="Its language code, where there are several of this name."
    )
    with_account = click.option(
        "--account", required=True, help="Id or name of the account that it belongs to."
    )
    return click.argument("name")(with_account(with_language(with_reason(managing(command)))))


@click.command(
    epilog="""\b
Examples:
  watchword whatsapp approve tea_sent --account demo
  watchword whatsapp approve tea_sent --account demo --language pt_BR --url http://127.0.0.1:8080
"""
)
@_meaning
def approve(
    place: Place, name: str, account: str, language: str | None, reason: str | None, as_json: bool
) -> None:
    """Allow sends under a template."""
    _review(place, WhatsappReview.APPROVE, name, _body(account, language, reason), as_json)


@click.command(
    epilog="""\b
Examples:
  watchword whatsapp reject tea_sent --account demo --reason 'Does not say who it is from.'
"""
)
@_meaning
def reject(
    place: Place, name: str, account: str, language: str | None, reason: str | None, as_json: bool
) -> None:
    """Forbid sends under a template, also under one that was approved."""
    _review(place, WhatsappReview.REJECT, name, _body(account, language, reason), as_json)


@click.command(
    "list",
    epilog="""\b
Examples:
  watchword whatsapp list
  watchword whatsapp list --account demo --json
""",
)
@click.option("--account", help="Only those of this account, by id or name.")
@managing
def list_templates(place: Place, account: str | None, as_json: bool) -> None:
    """List WhatsApp templates, the newest first; all that they say is in the JSON."""
    found, names = with_account_names(
        place, lambda management: management.whatsapp_templates(account)
    )
    if as_json:
        echo_json(found)
    else:
        _echo(found, names)


def _body(account: str, language: str | None, reason: str | None) -> Record:
    given = {"account": account, "language": language, "reason": reason}
    return {name: value for name, value in given.items() if value is not None}


def _review(place: Place, review: WhatsappReview, name: str, body: Record, as_json: bool) -> None:
    record = place.ask(lambda management: management.review_whatsapp_template(name, review, body))
    if as_json:
        echo_json(record)
    else:
        _echo([record], {})


def _echo(records: Sequence[Record], names: Mapping[str, str]) -> None:
    """Print templates, with their accounts' names where they are known."""
    echo_table(
        ("name", "account", "language", "category", "status"),
        [
            (
                each["name"],
                names.get(each["accountId"], each["accountId"]),
                each["language"],
                each["category"],
                each["status"],
            )
            for each in records
        ],
    )
