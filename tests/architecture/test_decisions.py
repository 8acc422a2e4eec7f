"""Decisions are numbered and short, name their tests, and exist if the code cites them."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

from tests.architecture.decisions import DOCUMENTS, ROOT, written

_FOLDERS = ("domain", "application", "adapters", "entrypoints", "tests", "tools", "benchmarks")
_MOST_LINES = 10


def test_each_number_is_given_once() -> None:
    """No two decisions share a number."""
    numbers = Counter(each.number for each in written())

    assert numbers
    assert {} == {number: count for number, count in numbers.items() if count > 1}


def test_a_file_has_its_decisions_in_the_order_of_their_numbers() -> None:
    """A number tells where in its file a decision stands, and a merge leaves none in a wrong place."""
    misplaced = {
        (document.name, later)
        for document in DOCUMENTS[1:]
        for earlier, later in pairwise(re.findall(r"^## D-(\d+)", document.read_text(), re.M))
        if int(later) < int(earlier)
    }

    assert set() == misplaced


def test_a_decision_ends_with_its_tests() -> None:
    """A decision is one paragraph with one line `Test:`, behind which tests alone are named."""
    torn = {
        each.number
        for each in written()
        if "\n\n" in each.text
        or not re.search(r"^Test: (?!.*^(Why|Test):)", each.text, re.M | re.S)
    }

    assert set() == torn


def test_every_cited_decision_is_written_down() -> None:
    """Each D-number in a comment or docstring is in ARCHITECTURE.md or in docs/decisions/."""
    cited = {
        int(number)
        for folder in _FOLDERS
        for path in (ROOT / folder).rglob("*.py")
        for number in re.findall(r"\bD-(\d+)\b", path.read_text())
    }

    assert set() == cited - {each.number for each in written()}


def test_decisions_are_short() -> None:
    """A decision says its choice and the reason in few lines."""
    long = {each.number for each in written() if len(each.text.splitlines()) > _MOST_LINES}

    assert set() == long


def test_every_area_is_in_the_table() -> None:
    """docs/decisions/README.md links each file of the folder, and no other."""
    folder = ROOT / "docs" / "decisions"
    linked = re.findall(r"\]\(([\w-]+\.md)\)", (folder / "README.md").read_text())

    assert sorted(each.name for each in folder.glob("*.md") if each.name != "README.md") == sorted(
        linked
    )


def test_every_decision_names_its_test() -> None:
    """A line `Test:` names a test that exists, or says why none can."""
    assert [] == [each.number for each in written() if not _is_held(each.text)]


def _is_held(text: str) -> bool:
    """Return whether a decision's text names existing tests, or a reason for having none."""
    named = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", text)
    return bool(re.search(r"^Test: (`tests/|none, because )", text, re.MULTILINE)) and all(
        (ROOT / path).exists() and (not test or f"def {test}(" in (ROOT / path).read_text())
        for path, test in named
    )
