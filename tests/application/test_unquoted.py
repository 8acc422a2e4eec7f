"""What goes to stores and providers: a log that is given one by mistake quotes nothing of it (C-31)."""

from __future__ import annotations

import pytest
from rich.pretty import pretty_repr

from tests.contracts.channel_provider_contract import MESSAGE
from tests.contracts.event_store.histories import NOON, ORCHID, grown, step
from watchword.application.pins.sending_pins import OutgoingCode
from watchword.application.ports.event_store import Due, DueKind
from watchword.application.ports.unquoted import Unquoted

CODE = OutgoingCode(
    pin_id="pin_orchid",
    template_id="tpl_tea",
    issue=1,
    destination="+919812345610",
    entries=(),
    code="4711",
    params={"name": "Asha"},
    due=Due(DueKind.ORPHANED_DISPATCH, "pin_orchid", 1, NOON),
)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (MESSAGE, "<Message>"),
        (CODE, "<OutgoingCode>"),
        (step(grown(ORCHID), answer=b'{"pin": "4711"}'), "<Append>"),
    ],
    ids=lambda each: type(each).__name__,
)
def test_it_tells_its_kind_alone(value: Unquoted, told: str) -> None:
    """Neither a code nor a destination is in its text, however it comes into a line."""
    assert [told, told, f"[{told}]"] == [repr(value), str(value), f"{[value]}"]
    assert f"{type(value).__name__}()" == pretty_repr(value)
