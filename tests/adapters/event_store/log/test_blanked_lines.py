"""A sealed line that retention blanked: its digest stays, and what it had reads as erased (D-453)."""

from __future__ import annotations

from datetime import UTC, datetime

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.adapters.event_store.log.owners import ACCOUNT, KEYS, PERSON, STREAM, VAULT, stored
from tests.strategies import EVENTS
from watchword.adapters.event_store.log.lines import lines_of
from watchword.adapters.event_store.log.mapper import EventMapper, UnreadableEvent
from watchword.adapters.event_store.log.stored_event import StoredEvent
from watchword.adapters.vault import Vault
from watchword.application.evidence.leaves import blanked, is_blanked, sealed_digest
from watchword.domain.channel import Channel
from watchword.domain.event import ERASED, Event
from watchword.domain.pin import PinIssued, PinVerified
from watchword.domain.rate_limit import Rate
from watchword.verify_evidence import digest

MAPPER = EventMapper(VAULT)
NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
ISSUED = PinIssued(
    at=NOON,
    account_id=ACCOUNT,
    template_id="tpl_tea",
    person_id=PERSON,
    destination="+919812345678",
    reference_id="order-4711",
    channels=(Channel.SMS,),
    code_hash="hash of the code",
    expires_at=NOON,
    attempts=3,
    verify_limit=Rate("3/10m"),
)
VERIFIED = PinVerified(at=NOON, issue=1)


def without_sealed(event: StoredEvent) -> StoredEvent:
    """Return a stored event as retention leaves it."""
    lines = lines_of(event.state)
    return event._replace(state=b"\n".join(lines._replace(sealed=blanked(lines.sealed))))


@given(st.one_of(*EVENTS.values()))
def test_every_event_can_be_read_once_it_was_blanked(event: Event) -> None:
    """Nothing of a person is left, the audit takes the bytes as written, and no key is asked for."""
    whole = stored(event)
    pruned = without_sealed(whole)
    kept = MAPPER.to_kept(pruned, 1, KEYS)

    assert set() == MAPPER.owners([(STREAM, pruned.state)])
    assert kept.as_written
    assert bool(lines_of(whole.state).sealed) == kept.blanked
    assert kept.event == MAPPER.to_kept(whole, 1, {}).event
    assert kept.event == EventMapper(Vault(None)).to_kept(pruned, 1, {}).event


def test_a_blanked_member_reads_as_erased() -> None:
    """A history says `(erased)`, as after an erasure (C-101)."""
    read = MAPPER.to_recorded(without_sealed(stored(ISSUED)), 1, KEYS).event

    assert attrs.evolve(ISSUED, destination=ERASED, reference_id=ERASED) == read


@pytest.mark.parametrize("line", [b"dGVh", b"dGVh per_rose:dGVh"])
def test_the_digest_of_the_line_stays(line: bytes) -> None:
    """A leaf of the log's tree can be computed afterwards, and blanking twice changes nothing."""
    once = blanked(line)

    assert is_blanked(once)
    assert not is_blanked(line)
    assert digest(line) == sealed_digest(line) == sealed_digest(once)
    assert once == blanked(once)


def test_an_empty_line_stays_empty() -> None:
    """An event without personal members loses nothing."""
    assert b"" == blanked(b"")
    assert "-" == sealed_digest(b"")


@pytest.mark.parametrize("forged", [b"~", b"~AAAA", b"~" + b"A" * 44, b"~" + b"A" * 43 + b"\xc3"])
def test_a_forged_digest_is_unreadable(forged: bytes) -> None:
    """Only 32 bytes in base64 stand for a line; an audit names anything else."""
    opened, _, secret = lines_of(stored(ISSUED).state)
    event = stored(ISSUED)._replace(state=b"\n".join((opened, forged, secret)))

    assert MAPPER.to_kept(event, 1, KEYS).event is None
    assert set() == MAPPER.owners([(STREAM, event.state)])
    with pytest.raises(UnreadableEvent):
        MAPPER.to_recorded(event, 1, KEYS)


def test_a_line_cannot_be_blanked_where_nothing_is_sealed() -> None:
    """A digest in the place of an empty line is one that nobody wrote."""
    opened, _, secret = lines_of(stored(VERIFIED).state)
    forged = b"\n".join((opened, blanked(b"dGVh"), secret))

    assert not MAPPER.to_kept(stored(VERIFIED)._replace(state=forged), 1, KEYS).as_written
