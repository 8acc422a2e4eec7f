"""`watchword whatsapp approve`, `reject` and `list`: the approval of WhatsApp templates (C-36)."""

from __future__ import annotations

from collections.abc import Callable

import click

from .connecting import managing
from .management import Record, WhatsappReview
from .place import Place
from .template_reviews import echo_listed, echo_reviewed, review_body, with_account, with_reason

# What tells templates apart in a table.
_TELLING = ("language", "category", "status")


def _meaning(command: Callable[..., None]) -> Callable[..., None]:
    """Add what says which template is meant, and why."""
    with_language = click.option(
        "--language", help="Its language code, where there are several of this name."
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
    echo_listed(
        place, lambda management: management.whatsapp_templates(account), _TELLING, as_json=as_json
    )


def _body(account: str, language: str | None, reason: str | None) -> Record:
    return review_body(account=account, language=language, reason=reason)


def _review(place: Place, review: WhatsappReview, name: str, body: Record, as_json: bool) -> None:
    record = place.ask(lambda management: management.review_whatsapp_template(name, review, body))
    echo_reviewed(record, _TELLING, as_json=as_json)
