"""Check the fields of a WhatsApp session message, in Meta's shape (C-26)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import FieldProblem
from ..meta_object import MetaObject
from .whatsapp_interactive_fields import check_interactive
from .whatsapp_media import check_medium

MAX_TEXT = 4_096
MAX_CAPTION = 1_024
MAX_FILE_NAME = 255


def session_problems(kind: str, body: Mapping[str, Any], path: str) -> list[FieldProblem]:
    """Return all problems of a session message's object, which is at `path`."""
    problems: list[FieldProblem] = []
    said = MetaObject(path, body, problems)
    match kind:
        case "text":
            said.text("body", MAX_TEXT)
            said.flag("preview_url")
        case "interactive":
            check_interactive(said)
        case _:
            check_medium(said)
            if kind != "audio":
                said.text("caption", MAX_CAPTION, required=False)
            if kind == "document":
                said.text("filename", MAX_FILE_NAME, required=False)
    return problems
