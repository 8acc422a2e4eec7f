"""The filters of lists that are there as they are now, and as they were."""

from __future__ import annotations

import click

from ....application.pins.managing_pin_templates import TemplateSearch
from ....application.pins.searching_verifications import VerificationSearch
from ....domain.channel import PIN_CHANNELS
from .search_options import search_options

verification_filters = search_options(
    VerificationSearch,
    channel=click.option("--channel", type=click.Choice([*map(str, PIN_CHANNELS), "wa"])),
)
template_filters = search_options(
    TemplateSearch,
    "search",
    "status",
    "include_archived",
    include_archived=click.option(
        "--archived",
        "include_archived",
        is_flag=True,
        flag_value="true",
        help="Archived ones, too.",
    ),
)
