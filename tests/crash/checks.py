"""What must hold between the acknowledged requests and the store, whatever happened in between."""

from __future__ import annotations

from tests.crash.notebook import Notebook
from tests.crash.record import Record
from watchword.application.audit.differences import Kind
from watchword.domain.pin import (
    PinDispatched,
    PinIssued,
    PinSuperseded,
    PinVerified,
    VerifyFailed,
    live_code,
)


def check_all(notebook: Notebook, record: Record) -> None:
    """Check that the store has everything that was acknowledged: all of the checks below."""
    check_refusals(notebook)
    check_log(notebook, record)
    check_allowances(notebook, record)
    check_store(record)


def check_store(record: Record) -> None:
    """The file is whole, read models equal a replay, and every lost dispatch will be recovered."""
    assert () == record.checked.differences, explained(record)
    assert len(record.log) == record.checked.events
    assert record.undispatched == record.due


def explained(record: Record) -> str:
    """
    Return the differences, each with the events of its stream.

    A wrong holder comes with the other holders of what it holds, and what became of them.
    """
    lines: list[str] = []
    for each in record.checked.differences:
        lines += [str(each), *story(record, each.id)]
        if each.kind is Kind.HOLDER:
            issued = next((kept.event for kept in record.log if kept.stream == each.id), None)
            subjects = {held.subject for held in record.held if held.holder == each.id}
            if isinstance(issued, PinIssued):
                subjects.add(live_code(issued.template_id, issued.person_id))
            for held in record.held:
                if held.subject in subjects and held.holder != each.id:
                    lines += [f"also held by {held.holder}", *story(record, held.holder)]
    return "\n".join(lines)


def story(record: Record, stream: str) -> list[str]:
    """Describe the events of a stream, one a line, and its row."""
    return [
        *(
            f"  {each.position} {each.request_id} {each.actor} {each.event}"
            for each in record.log
            if each.stream == stream
        ),
        f"  row: {record.rows.get(stream)}",
    ]


def check_log(notebook: Notebook, record: Record) -> None:
    """Every acknowledged request that changes something is in the log as it was answered."""
    for exchange in notebook.answered("create", 201, 502):
        if "Idempotent-Replayed" in exchange.headers:
            continue
        issued, dispatched, *superseded = record.behind(exchange.request_id)

        assert isinstance(issued.event, PinIssued)
        assert isinstance(dispatched.event, PinDispatched)
        assert issued.stream == dispatched.stream == exchange.content.get("pinId", issued.stream)
        assert all(isinstance(each.event, PinSuperseded) for each in superseded)
    for exchange in notebook.answered("resend", 200, 502):
        events = [type(each.event).__name__ for each in record.behind(exchange.request_id)]

        assert {"PinResent", "PinDispatched"} <= set(events)
    for exchange in notebook.answered("verify", 200):
        (verified,) = record.behind(exchange.request_id)

        assert isinstance(verified.event, PinVerified)
        assert "VERIFIED" == record.row(verified.stream).status
    for exchange in notebook.answered("verify", 422):
        (failed,) = record.behind(exchange.request_id)

        assert isinstance(failed.event, VerifyFailed)
        assert failed.event.attempts_remaining == exchange.attempts_left


def check_allowances(notebook: Notebook, record: Record) -> dict[str, int]:
    """
    No PIN has more attempts left than its last answer said.

    Returns the PINs that can still be guessed at, with the attempts of their last answers.
    """
    open_pins = {}
    for pin_id, story in notebook.stories().items():
        if any(each.kind == "resend" and each.status in (0, 503) for each in story):
            continue  # it may have refilled them, and nobody was told
        told_last = [each.attempts_left for each in story if each.attempts_left is not None][-1]

        assert record.row(pin_id).attempts_remaining <= told_last
        if record.row(pin_id).status == "PENDING":
            open_pins[pin_id] = told_last
    return open_pins


def check_refusals(notebook: Notebook) -> None:
    """Each request that was not served got 503 in the envelope of SPEC 2.9, and a time to come again."""
    for exchange in notebook.unavailable():
        error = exchange.content["error"]

        assert "unavailable" == error["code"]
        assert exchange.request_id == error["requestId"]
        assert int(exchange.headers["Retry-After"]) >= 1
