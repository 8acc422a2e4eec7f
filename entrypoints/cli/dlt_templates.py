"""`watchword dlt-templates`: texts that are registered with India's DLT operators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import click

from ...application.read_models.rows import DltTemplateRow
from ..http.codec import wire_time
from .accounts import with_account_names
from .connecting import managing
from .place import Place
from .printing import echo_json
from .tables import echo_table


@click.group("dlt-templates")
def dlt_templates() -> None:
    """Register, list and remove DLT templates, which auto-match fills in ids from."""


@dlt_templates.command(
    epilog="""\b
Examples:
  watchword dlt-templates create --account demo --template-id 1107161234567890123 \\
    --entity-id 1101456789012345678 --text 'Your order {#var#} is ready. - TEAHSE'
"""
)
@click.option("--account", required=True, help="Id or name of the account that it is for.")
@click.option("--template-id", required=True, help="The id that the operator gave the template.")
@click.option("--entity-id", required=True, help="The id that the operator gave the sender.")
@click.option("--text", required=True, help="The text as registered, with {#var#} for variables.")
@managing
def create(
    place: Place, account: str, template_id: str, entity_id: str, text: str, as_json: bool
) -> None:
    """Register a DLT template."""
    body = {"account": account, "templateId": template_id, "entityId": entity_id, "text": text}
    _echo_one(place.ask(lambda management: management.create_dlt_template(body)), as_json)


@dlt_templates.command(
    "list",
    epilog="""\b
Examples:
  watchword dlt-templates list
  watchword dlt-templates list --account demo --json
""",
)
@click.option("--account", help="Only those of this account, by id or name.")
@managing
def list_dlt_templates(place: Place, account: str | None, as_json: bool) -> None:
    """List DLT templates, the newest first."""
    found, names = with_account_names(place, lambda management: management.dlt_templates(account))
    if as_json:
        echo_json(found)
    else:
        _echo(found, names)


@dlt_templates.command(
    epilog="""\b
Examples:
  watchword dlt-templates remove dlt_2x7wq...
  watchword dlt-templates remove dlt_2x7wq... --url http://127.0.0.1:8080
"""
)
@click.argument("record_id", metavar="ID")
@managing
def remove(place: Place, record_id: str, as_json: bool) -> None:
    """Remove a DLT template by the id of its record; no later text is matched with it."""
    _echo_one(place.ask(lambda management: management.remove_dlt_template(record_id)), as_json)


def _echo_one(record: DltTemplateRow, as_json: bool) -> None:
    if as_json:
        echo_json(record)
    else:
        _echo([record], {})


def _echo(rows: Sequence[DltTemplateRow], names: Mapping[str, str]) -> None:
    """Print templates, with their accounts' names where they are known."""
    echo_table(
        ("id", "account", "template id", "entity id", "text", "created"),
        [
            (
                row.id,
                names.get(row.account_id, row.account_id),
                row.template_id,
                row.entity_id,
                row.text,
                wire_time(row.created_at),
            )
            for row in rows
        ],
    )
