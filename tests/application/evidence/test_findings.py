"""The kinds of findings in a store."""

from __future__ import annotations

from tests.architecture.decisions import ROOT
from watchword.application.evidence.findings import Kind, finding, in_ranges, named
from watchword.application.ports.sealed_log import RawEvent
from watchword.verify_evidence import Finding


def test_every_kind_is_documented() -> None:
    """An auditor can look up each one (docs/how-to/auditing.md)."""
    guide = (ROOT / "docs/how-to/auditing.md").read_text()

    assert [] == [each for each in Kind if f"`{each}`" not in guide]


def test_neighbours_are_ranges_of_at_most_256() -> None:
    """A longer stretch is several findings."""
    found = in_ranges(Kind.TILE, [1, 5, 6, *range(10, 300)], "text")

    assert [
        Finding(1, "tile", "text"),
        Finding(5, "tile", "text", 6),
        Finding(10, "tile", "text", 265),
        Finding(266, "tile", "text", 299),
    ] == list(found)


def test_a_range_of_one_is_a_position() -> None:
    """It has no end."""
    assert Finding(7, "gap", "text") == finding(Kind.GAP, 7, "text", 7)


def test_what_an_event_calls_itself_is_cut_and_printable() -> None:
    """Whoever edits a file may write anything there, such as commands for a terminal."""
    shown = named(RawEvent(1, "\x1b[2J" + "x" * 500, 1, "Weed/1\n", b""))

    assert 100 == len(shown)
    assert shown.isprintable()
