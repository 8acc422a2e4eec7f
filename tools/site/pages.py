"""The pages of the site: where each file of the repository stands in it."""

from __future__ import annotations

import re
from pathlib import Path

from attrs import frozen

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
# Pages outside docs/, by their place in the site.
ELSEWHERE = {
    "ARCHITECTURE.md": "decisions/architecture.md",
    "CHANGELOG.md": "reference/changelog.md",
}
# The README and the site's own door say the same things; the site has one of them.
ALIASES = {"README.md": "index.md"}
_TITLE = re.compile(r"^# (.+)$", re.MULTILINE)
_LINK = re.compile(r"\[([^]]*)\]\([^)]*\)")


@frozen
class Page:
    """A page: its place in the site, the file that it is made from, and its Markdown."""

    place: str
    source: Path
    text: str

    @property
    def title(self) -> str:
        """Return the text of the first heading, without marks."""
        found = _TITLE.search(self.text)
        if found is None:
            raise ValueError(f"{self.source} has no heading of the first level")
        return _LINK.sub(r"\1", found[1]).replace("`", "")

    @property
    def summary(self) -> str:
        """Return the first sentence of the first paragraph, without links."""
        paragraphs = _TITLE.split(self.text, maxsplit=1)[-1].strip().split("\n\n")
        words = _LINK.sub(r"\1", " ".join(paragraphs[0].split()))
        return re.split(r"(?<=[.!?]) ", words, maxsplit=1)[0].rstrip(":.") + "."


def pages(root: Path = ROOT) -> list[Page]:
    """Return the pages that people and generators wrote, those of docs/ first."""
    docs = root / "docs"
    written = [(str(each.relative_to(docs)), each) for each in sorted(docs.rglob("*.md"))]
    written += [(place, root / name) for name, place in ELSEWHERE.items()]
    return [Page(place, source, source.read_text()) for place, source in written]
