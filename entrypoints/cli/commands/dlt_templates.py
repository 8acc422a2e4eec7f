"""`watchword dlt-templates`: texts that are registered with India's DLT operators."""

from __future__ import annotations

import click

from ....application.accounts.views import DltTemplateView
from ..building.record_commands import listing
from ..options.target_options import managing
from ..output.records import echo_record
from ..service.records import Kind
from ..service.target import Target

DLT_TEMPLATES = Kind(
    "/dlt-templates",
    DltTemplateView,
    {
        "id": "id",
        "account": "accountId",
        "template id": "templateId",
        "entity id": "entityId",
        "text": "text",
        "created": "createdAt",
    },
)


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
    target: Target, account: str, template_id: str, entity_id: str, text: str, as_json: bool
) -> None:
    """Register a DLT template."""
    body = {"account": account, "templateId": template_id, "entityId": entity_id, "text": text}
    created = target.ask(lambda management: management.act("POST", DLT_TEMPLATES, body=body))
    echo_record(DLT_TEMPLATES, created, as_json)


dlt_templates.add_command(
    listing("dlt-templates", DLT_TEMPLATES, "List DLT templates, the newest first.")
)


@dlt_templates.command(
    short_help="Remove a DLT template by the id of its record.",
    epilog="""\b
Examples:
  watchword dlt-templates remove dlt_2x7wq...
  watchword dlt-templates remove dlt_2x7wq... --url http://127.0.0.1:8080
""",
)
@click.argument("record_id", metavar="ID")
@managing
def remove(target: Target, record_id: str, as_json: bool) -> None:
    """Remove a DLT template by the id of its record; no later text is matched with it."""
    removed = target.ask(lambda management: management.act("DELETE", DLT_TEMPLATES, record_id))
    echo_record(DLT_TEMPLATES, removed, as_json)
