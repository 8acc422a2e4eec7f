"""Folders and modules stay small enough to be read from their listing (D-186)."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LAYERS = ("domain", "application", "adapters", "entrypoints")
MOST_MODULES = 35
MOST_LINES = 300


@pytest.mark.parametrize("folder", [*LAYERS, "tests", "tools", "benchmarks"])
def test_no_folder_has_too_many_modules(folder: str) -> None:
    """A folder with more than 35 modules side by side wants folders by subject."""
    modules = Counter(each.parent for each in (ROOT / folder).rglob("*.py"))

    assert modules
    assert {} == {str(each): many for each, many in modules.items() if many > MOST_MODULES}


@pytest.mark.parametrize("layer", LAYERS)
def test_no_module_is_too_long(layer: str) -> None:
    """A module with more than 300 lines holds more than one idea."""
    lines = {each: len(each.read_text().splitlines()) for each in (ROOT / layer).rglob("*.py")}

    assert lines
    assert {} == {str(each): many for each, many in lines.items() if many > MOST_LINES}
