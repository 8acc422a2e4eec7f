"""`watchword templates starters`: shows the texts that `templates create --starter` writes (D-526)."""

from __future__ import annotations

import click

from .....domain.pin_template import DEFAULT_PLACEHOLDER
from .....domain.sms.length import length_of
from ....starters.starter_texts import StarterText, starter_texts
from ...building.groups import epilog
from ...options.shared import json_option
from ...output.json_text import echo_json
from ...output.tables import echo_table

# As long as codes are by default.
_CODE = "482913"


@click.command(
    short_help="Show the texts that come with Watchword, by language.",
    epilog=epilog("watchword templates starters", "watchword templates starters --json"),
)
@json_option
def starters(as_json: bool) -> None:
    """Show the texts that `templates create --starter` writes into a template, by language."""
    if as_json:
        echo_json([_record(each) for each in starter_texts()])
        return
    echo_table(
        ("language", "name", "alphabet", "reviewed", "text"),
        [
            (
                each.tag,
                each.name,
                length_of(each.text.replace(DEFAULT_PLACEHOLDER, _CODE)).encoding,
                each.reviewed_by_second_reader,
                each.text,
            )
            for each in starter_texts()
        ],
    )


def _record(starter: StarterText) -> dict[str, object]:
    return {
        "languageCode": starter.tag,
        "name": starter.name,
        "also": list(starter.also),
        "contentText": starter.text,
        "subjectText": starter.subject,
        "reviewedBySecondReader": starter.reviewed_by_second_reader,
    }
