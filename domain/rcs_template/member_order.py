"""The order in which the problems of an RCS template are reported."""

from __future__ import annotations

from collections.abc import Iterable

from ..errors import FieldProblem
from ..findings import sorted_by

# The form of SPEC 2.1 and the tables of 2.2 and 2.3, row by row.
_MEMBERS = (
    "data",
    "name",
    "type",
    "text_message_content",
    "document_url",
    "message_order",
    "orientation",
    "height",
    "alignment",
    "stand_alone",
    "width",
    "carousel_list",
    "media_url",
    "file_name",
    "card_title",
    "card_description",
    "suggestions",
    "thumbnail_url",
    "thumbnail_file_name",
    "document_file_name",
    "suggestion_type",
    "display_text",
    "postback",
    "url",
    "application",
    "phone_number",
    "label",
    "latitude",
    "longitude",
    "query",
    "title",
    "description",
    "start_time",
    "end_time",
    "time_zone",
    "template_state",
    "sender_profile_name",
    "update_by",
    "message_type",
    "multimedia_files",
)


def in_order(problems: Iterable[FieldProblem]) -> tuple[FieldProblem, ...]:
    """Sort problems in the order of the specification's tables, and by position in a template's lists."""
    return sorted_by(_MEMBERS, problems)
