"""The decisions as they are written down: ARCHITECTURE.md and the files of docs/decisions/."""

from __future__ import annotations

import re
from pathlib import Path

from attrs import frozen

ROOT = Path(__file__).parents[2]
DOCUMENTS = (ROOT / "ARCHITECTURE.md", *sorted((ROOT / "docs" / "decisions").glob("*.md")))
_DECISION = re.compile(r"^#{2,3} D-(\d+) ([^\n]+)\n(.*?)(?=^#|\Z)", re.MULTILINE | re.DOTALL)


@frozen
class Decision:
    """One decision: its number, its heading, and the text below the heading."""

    number: int
    heading: str
    text: str


def written() -> list[Decision]:
    """Return every decision, document by document."""
    return [
        Decision(int(number), heading, text.strip())
        for document in DOCUMENTS
        for number, heading, text in _DECISION.findall(document.read_text())
    ]
