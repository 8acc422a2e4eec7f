"""What is found wrong with a template: all of it, in one order."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from ..errors import FieldProblem

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
_RANKS = {name: rank for rank, name in enumerate(_MEMBERS)}
_PARTS = re.compile(r"[a-z_]+|[0-9]+")
_BOUNDARY = re.compile(r"[.\[]")


class Findings:
    """
    Keeps problems by their paths.

    `unread` are paths at which nothing usable stands, so that nothing is found at or below them:
    whoever read the template has said already what is wrong there.
    """

    def __init__(self, unread: Collection[str] = ()) -> None:
        self.problems: list[FieldProblem] = []
        self._unread = frozenset(unread)

    def note(self, path: str, message: str) -> None:
        """Keep what is wrong at a path."""
        if self.read(path):
            self.problems.append(FieldProblem(path, message))

    def read(self, path: str) -> bool:
        """Whether what stands at a path can be judged."""
        if not self._unread:
            return True
        above = (path[: found.start()] for found in _BOUNDARY.finditer(path))
        return path not in self._unread and self._unread.isdisjoint(above)


def in_order(problems: Iterable[FieldProblem]) -> tuple[FieldProblem, ...]:
    """Sort problems as the specification's tables and the lists of a template go."""
    return tuple(sorted(problems, key=lambda problem: _place(problem.field)))


def _place(path: str) -> list[int]:
    return [
        int(part) if part.isdigit() else _RANKS.get(part, len(_RANKS))
        for part in _PARTS.findall(path)
    ]
