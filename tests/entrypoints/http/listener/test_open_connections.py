"""The connection that makes room at a full listener: an idle one, however old others are (D-142)."""

from __future__ import annotations

from attrs import define

from watchword.entrypoints.http.listener.open_connections import Admission, OpenConnections


@define(eq=False)
class Line:
    """A connection that waits for a request, or does not, and knows whether it was closed."""

    waits: bool = True
    closed: bool = False

    def let_go(self) -> None:
        """Be closed."""
        self.closed = True


def test_one_whose_answer_nobody_takes_is_passed_over() -> None:
    """It was idle for longest by its last answer, which is not with its client yet."""
    busy, idle, newcomer = Line(waits=False), Line(), Line()
    lines: OpenConnections[Line] = OpenConnections(2)
    for each in (busy, idle):
        lines.admit(each, None)
    admission = lines.admit(newcomer, None)

    assert Admission.GRANTED is admission
    assert [False, True, False] == [each.closed for each in (busy, idle, newcomer)]
    assert [busy, newcomer] == list(lines)


def test_where_none_waits_there_is_no_room() -> None:
    """Nothing that is under way is cut off for a newcomer."""
    busy = [Line(waits=False) for _ in range(2)]
    lines: OpenConnections[Line] = OpenConnections(2)
    for each in busy:
        lines.admit(each, None)

    assert Admission.NO_ROOM is lines.admit(Line(), None)
    assert not any(each.closed for each in busy)
