"""Unknown members of a body (C-93, D-150)."""

from __future__ import annotations

from typing import Any

import pytest

from watchword.domain.errors import FieldProblem, ValidationFailedError
from watchword.entrypoints.wire.known_members import know, pass_on, unknown_problems


def names(body: Any) -> None:
    """Read a body with a name and, perhaps, parts with a name each."""
    body["name"]
    for part in body.get("parts", ()):
        if "name" not in part:
            raise ValidationFailedError([FieldProblem("parts", "must have names")])


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({"name": 1}, []),
        ({"name": {"somebody": "else's"}}, []),
        ({"name": 1, "nam": 2}, ["nam is not known here"]),
        ({"name": 1, "part": []}, ["part is not known here; did you mean parts"]),
        (
            {"name": 1, "parts": [{"name": 1}, {"name": 1, "x": 2}]},
            ["parts[1].x is not known here"],
        ),
        # A reader that gave up may not have come to the rest.
        ({"name": 1, "parts": [{"nam": 1}]}, []),
        ({"name": 1, "y" * 200: 1}, [f"{'y' * 100} is not known here"]),
    ],
)
def test_what_nobody_asked_for_is_named(body: Any, told: list[str]) -> None:
    """The path and the likely member are named; an object that no reader opened is ignored."""
    assert told == [f"{each.path} {each.message}" for each in unknown_problems(body, names)]


def test_an_object_may_be_passed_on() -> None:
    """Then all its members are known, and so are those that a reader names without asking."""

    def read(body: Any) -> None:
        pass_on(body.get("theirs"))
        know(body.get("ours"), ["later"])

    assert [] == unknown_problems({"theirs": {"x": {"y": 1}}, "ours": {"later": 1}}, read)
    assert ["ours.x"] == [each.path for each in unknown_problems({"ours": {"x": 1}}, read)]


def test_no_body_with_unknown_members_takes_long() -> None:
    """A body with the most members has no more of them named than any other."""
    assert 20 == len(unknown_problems({"name": 1, **{f"n{n}": n for n in range(50_000)}}, names))
