"""The domain and the use cases name fields in snake case; one rule spells them for callers (D-185)."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import watchword

ROOT = Path(watchword.__file__).parent
# The rule, with the four names that the documentation spells with an underscore.
RULE = ROOT / "domain" / "errors.py"
SPELLED = re.compile(r"\b[a-z]+[A-Z]\w*|\bwa\b|messaging_product|recipient_type")


def spelled(source: str) -> set[str]:
    """Return the spellings of the wire in the strings of a module; docstrings may cite them."""
    tree = ast.parse(source)
    prose = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return {
        found
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in prose
        for found in SPELLED.findall(node.value)
    }


@pytest.mark.parametrize("layer", ["domain", "application"])
def test_no_string_of_the_inner_layers_is_spelled_as_on_the_wire(layer: str) -> None:
    """No message or path contains `templateId`, and no channel is called `wa`."""
    found = {
        str(path.relative_to(ROOT)): names
        for path in (ROOT / layer).rglob("*.py")
        if path != RULE and (names := spelled(path.read_text()))
    }

    assert {} == found


def test_a_spelling_of_the_wire_would_be_seen() -> None:
    """A string with one is found, so the test above can fail."""
    assert {"pinId", "wa"} == spelled('NAMES = "the pinId", "fallback.wa"')
