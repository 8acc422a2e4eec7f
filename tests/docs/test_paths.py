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


@pytest.mark.parametrize("document", FOR_DEVELOPERS, ids=_name)
def test_modules_and_folders_exist(document: Path) -> None:
    """Each module or folder that a document for developers names is there, or below a folder."""
    named = set(re.findall(r"`((?:\w[\w/-]*)(?:\.py|/))`", document.read_text()))

    assert set() == {
        name
        for name in named
        if not any(ROOT.glob(f"[!.]*/**/{name}")) and not (ROOT / name).exists()
    }
