"""Values that no log may quote appear in no text form (C-31)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from rich.pretty import pretty_repr

from watchword.adapters.event_store.batch.packed_append import PackedAppend
from watchword.application.pins.sending_pins import OutgoingCode
from watchword.application.ports.channels import Message
from watchword.application.ports.event_store import Append, Due, DueKind
from watchword.domain.channel import Channel

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
SECRET, PERSON = "oolong-4711", "+919812345610"
APPEND = Append(at=NOON, actor="key-1", request_id="req-1", answer=SECRET.encode())
REDACTED = [
    Message(
        reference="pin_1:1:sms",
        channel=Channel.SMS,
        channel_account_id="cha_1",
        destination=PERSON,
        text=f"Your code is {SECRET}.",
    ),
    OutgoingCode(
        pin_id="pin_1",
        template_id="tpl_1",
        issue=1,
        person_id="per_1",
        destination=PERSON,
        entries=(),
        code=SECRET,
        params={"1": PERSON},
        ttl_seconds=600,
        due=Due(DueKind.ORPHANED_DISPATCH, "pin_1", 1, NOON),
    ),
    APPEND,
    PackedAppend(APPEND, rows=[("verifications", ["pin_1", PERSON, SECRET])]),
]


@pytest.mark.parametrize("value", REDACTED, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("text_of", [repr, str, pretty_repr])
def test_its_kind_is_all_that_is_told(value: object, text_of: type[str]) -> None:
    """In a log, in a failed assertion, and in a traceback with local values."""
    told = text_of([value])

    assert type(value).__name__ in told
    assert SECRET not in told
    assert PERSON not in told
