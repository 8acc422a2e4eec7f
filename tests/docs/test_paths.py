"""Links and paths in the documents lead to something that exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
FOR_DEVELOPERS = [ROOT / "ARCHITECTURE.md", *sorted((ROOT / "docs" / "decisions").glob("*.md"))]


def _name(document: Path) -> str:
    return str(document.relative_to(ROOT))


@pytest.mark.parametrize("document", DOCUMENTS, ids=_name)
def test_links_lead_to_files(document: Path) -> None:
    """Each link to a file of the repository leads to one that is there."""
    targets = re.findall(r"\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)", document.read_text())

    assert [] == [target for target in targets if not (document.parent / target).exists()]


def anchors(document: Path) -> set[str]:
    """Return the anchors of a page's headings, as the site makes them."""
    found: set[str] = set()
    text = re.sub(r"^(```+).*?^\1$", "", document.read_text(), flags=re.M | re.S)
    for heading in re.findall(r"^#+ (.+)$", text, re.M):
        plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
        base = re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip().lower())
        name = next(n for n in (base, *(f"{base}_{i}" for i in range(1, 99))) if n not in found)
        found.add(name)
    return found


@pytest.mark.parametrize("document", DOCUMENTS, ids=_name)
def test_anchors_lead_to_headings(document: Path) -> None:
    """Each link into a page leads to a heading of it; names of Python have theirs in the site alone."""
    links = re.findall(r"\]\((?!https?:)([^)#]*)#([^)]+)\)", document.read_text())
    targets = [(document.parent / path if path else document, anchor) for path, anchor in links]

    assert [] == [
        anchor
        for page, anchor in targets
        if page.suffix == ".md"
        and not anchor.startswith("watchword.")
        and anchor not in anchors(page)
    ]


@pytest.mark.parametrize("document", FOR_DEVELOPERS, ids=_name)
def test_modules_and_folders_exist(document: Path) -> None:
    """Each module or folder that a document for developers names is there, or below a folder."""
    named = set(re.findall(r"`((?:\w[\w/-]*)(?:\.py|/))`", document.read_text()))

    assert set() == {
        name
        for name in named
        if not any(ROOT.glob(f"[!.]*/**/{name}")) and not (ROOT / name).exists()
    }
