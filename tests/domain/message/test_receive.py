"""Take down a message that came in: C-23, C-34, C-59."""

from tests.domain.message.story import (
    GUEST,
    SUBJECT,
    TEA_HOUSE,
    known_by_its_id,
    received,
    second,
    write_in,
)
from tests.specs import given, state_after
from watchword.application.records import held_by
from watchword.domain.event import personal_fields
from watchword.domain.message import Direction, Happened, MessageReceived, MessageStatus, receive


def test_an_inbound_message_is_recorded_once_per_provider_id() -> None:
    """It alone holds its provider's id, so that a report that comes twice is refused."""
    given().when(receive, write_in(0)).then(received(0)).on_condition(known_by_its_id())
    assert frozenset({SUBJECT}) == held_by(state_after(received(0)))


def test_without_an_id_every_report_is_a_message() -> None:
    """A provider that names none cannot be asked whether it repeats itself."""
    given().when(receive, write_in(0, None)).then(received(0, None)).on_condition()
    assert frozenset() == held_by(state_after(received(0, None)))


def test_history_shows_it_as_inbound() -> None:
    """`direction: "inbound"`, from the person to the sender name, `received` (C-59, D-35)."""
    message = state_after(received(0))

    assert (Direction.INBOUND, MessageStatus.RECEIVED) == (message.direction, message.status)
    assert (GUEST, TEA_HOUSE) == (message.sender, message.recipient)
    assert "Is my tea ready?" == message.text
    assert (Happened(MessageStatus.RECEIVED, second(0)),) == message.history


def test_the_person_is_its_sender() -> None:
    """Sender, text and the provider's id are personal; the address of the tea house is not."""
    assert ["provider_message_id", "sender", "text"] == list(personal_fields(MessageReceived))
