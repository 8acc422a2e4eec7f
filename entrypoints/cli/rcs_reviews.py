"""`watchword rcs submit`, `approve`, `reject` and `list`: the approval of RCS templates (C-36, C-55)."""

from __future__ import annotations

from collections.abc import Callable

import click

from .connecting import managing
from .management import RcsReview, Record
from .place import Place
from .template_reviews import echo_listed, echo_reviewed, review_body, with_account, with_reason

# What tells templates apart in a table.
_TELLING = ("senderProfile", "category", "messageType", "templateState", "status")


def _meaning(command: Callable[..., None]) -> Callable[..., None]:
    """Add what says which template is meant."""
    with_profile = click.option(
        "--sender-profile", help="Its sender profile, where several have a template of this name."
    )
    return click.argument("name")(with_account(with_profile(managing(command))))


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
    """Put a draft, or a rejected template, up for approval."""
    _review(place, RcsReview.SUBMIT, name, _body(account, sender_profile), as_json)


@click.command(
    epilog="""\b
Examples:
  watchword rcs approve teas --account demo
  watchword rcs approve teas --account demo --sender-profile TeaHouse --url http://127.0.0.1:8080
"""
)
@_meaning
@with_reason
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
@with_reason
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
    echo_listed(
        place, lambda management: management.rcs_templates(account), _TELLING, as_json=as_json
    )


def _body(account: str, sender_profile: str | None, reason: str | None = None) -> Record:
    return review_body(account=account, senderProfile=sender_profile, reason=reason)


def _review(place: Place, review: RcsReview, name: str, body: Record, as_json: bool) -> None:
    record = place.ask(lambda management: management.review_rcs_template(name, review, body))
    echo_reviewed(record, _TELLING, as_json=as_json)
