"""`watchword dlt-templates`: texts that are registered with India's DLT operators."""

from __future__ import annotations

import click

from ....application.accounts.views import DltTemplateView
from ..building.groups import group
from ..building.record_commands import account_option, acting, creating, listing
from ..service.records import Kind

DLT_TEMPLATES = Kind(
    "dlt-templates",
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


dlt_templates = group(
    "dlt-templates",
    creating(
        DLT_TEMPLATES,
        "Register a DLT template.",
        account_option(),
        click.option(
            "--template-id", required=True, help="The id that the operator gave the template."
        ),
        click.option(
            "--entity-id", required=True, help="The id that the operator gave the sender."
        ),
        click.option(
            "--text", required=True, help="The text as registered, with {#var#} for variables."
        ),
        examples=(
            "watchword dlt-templates create --account demo --template-id 1107161234567890123 \\\n"
            "    --entity-id 1101456789012345678 --text 'Your order {#var#} is ready. - TEAHSE'",
        ),
    ),
    listing(DLT_TEMPLATES, "List DLT templates, the newest first."),
    acting(
        DLT_TEMPLATES,
        "remove",
        "Remove a DLT template by the id of its record; no later text is matched with it.",
        method="DELETE",
        summary="Remove a DLT template by the id of its record.",
        sample="dlt_2x7wq...",
    ),
)
