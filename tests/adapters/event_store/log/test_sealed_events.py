"""Personal and secret members of stored events: sealed, hidden, and found when they were changed (C-73)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import attrs
import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from tests.adapters.event_store.log.owners import (
    ACCOUNT,
    FRIEND,
    KEYS,
    PERSON,
    STREAM,
    VAULT,
    stored,
    without,
)
from tests.contracts.event_store.histories import step
from tests.strategies import EVENTS
from watchword.adapters.event_store.log.event_types import EVENT_TYPES
from watchword.adapters.event_store.log.mapper import EventMapper, UnreadableEvent, sealed_for
from watchword.adapters.event_store.log.stored_event import StoredEvent
from watchword.adapters.event_store.log.writing import EventWriter
from watchword.adapters.vault import Vault
from watchword.application.ports.event_store import Change
from watchword.domain.channel import Channel
from watchword.domain.event import ERASED, MASK, Event, personal, personal_fields, secret
from watchword.domain.pin import PinIssued, PinVerified
from watchword.domain.rate_limit import Rate

MAPPER = EventMapper(VAULT)
KEYLESS = EventMapper(Vault(None))
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


@frozen(kw_only=True)
class Guest:
    """A guest of a party: a person of their own, or the host's company."""

    person_id: str | None
    number: str = personal()
    wishes: tuple[str, ...] = personal(default=())
    badge: str | None = secret(default=None)


@frozen(kw_only=True)
class PartyPlanned(Event):
    """An event with people of their own inside."""

    host: str = personal()
    notes: Mapping[str, str] = personal(factory=dict)
    guests: tuple[Guest, ...]


PARTY = PartyPlanned(
    at=NOON,
    host="+919800000001",
    notes={"cake": "with roses"},
    guests=(
        Guest(person_id=FRIEND, number="+919800000002", wishes=("green tea",), badge="badge one"),
        Guest(person_id=PERSON, number="+919800000003"),
        Guest(person_id=None, number="+919800000004"),
    ),
)
PARTIES = {("PartyPlanned", 1): PartyPlanned}
PARTY_WRITER = EventWriter(VAULT, PARTIES)
PARTY_MAPPER = EventMapper(VAULT, PARTIES)


def party(event: PartyPlanned = PARTY) -> StoredEvent:
    """Return the stored form of a party."""
    return stored(event, writer=PARTY_WRITER)


def lines(state: StoredEvent) -> list[bytes]:
    """Return the three lines of a stored event."""
    return state.state.split(b"\n")


def relined(state: StoredEvent, number: int, line: bytes) -> StoredEvent:
    """Replace one line of a stored event."""
    changed = lines(state)
    changed[number] = line
    return state._replace(state=b"\n".join(changed))


def texts_in(value: Any) -> Iterator[str]:
    """Yield the texts in a value, keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from texts_in(key)
            yield from texts_in(each)
    elif isinstance(value, tuple | list):
        for each in value:
            yield from texts_in(each)


def personal_in(value: Any) -> Iterator[Any]:
    """Yield the personal members with a value, in an event or in the values inside it."""
    if isinstance(value, tuple):
        for each in value:
            yield from personal_in(each)
    if not attrs.has(type(value)):
        return
    marked = set(personal_fields(type(value)))
    for each in attrs.fields(type(value)):
        inner = getattr(value, each.name)
        if each.name not in marked:
            yield from personal_in(inner)
        elif inner:
            yield inner


def reads(text: str) -> tuple[Any, ...]:
    """Return what a member reads instead: a text, a mapping with it, or one of the two in a tuple."""
    return (text, {text: text}, (text,), ({text: text},))


every_event = pytest.mark.parametrize(("name", "schema"), EVENT_TYPES)


@every_event
@given(data=st.data())
def test_every_event_comes_back_with_its_owners(
    name: str, schema: int, data: st.DataObject
) -> None:
    """Any event is read as it was written, and is judged to be as it was written."""
    event = data.draw(EVENTS[EVENT_TYPES[name, schema]])
    account = data.draw(st.sampled_from([ACCOUNT, None]))
    person = data.draw(st.sampled_from([PERSON, None]))
    state = stored(event, account=account, person=person)
    recorded = MAPPER.to_recorded(state, 7, KEYS)

    assert (event, account, person) == (recorded.event, recorded.account, recorded.person)
    assert MAPPER.to_kept(state, 7, KEYS).as_written


@every_event
@given(data=st.data())
def test_what_is_erased_keeps_its_type(name: str, schema: int, data: st.DataObject) -> None:
    """
    Without its owners' keys each personal member reads `(erased)`; all else is as it was.

    The open and the secret line can be written again from what is masked, so nothing personal is in them.
    """
    event = data.draw(EVENTS[EVENT_TYPES[name, schema]])
    state = stored(event)
    kept = MAPPER.to_kept(state, 7, {})
    erased = kept.event

    assert erased is not None
    assert kept.as_written
    assert all(each in reads(ERASED) for each in personal_in(erased))
    assert len([*personal_in(event)]) == len([*personal_in(erased)])
    masked = EventMapper(Vault(None)).to_recorded(state, 7, KEYS).event
    assert lines(state)[::2] == lines(stored(masked))[::2]


@every_event
@given(data=st.data())
def test_what_is_left_out_reads_as_erased(name: str, schema: int, data: st.DataObject) -> None:
    """An event that is written after the erasure of its owners needs no key, and reads as any of them."""
    event = data.draw(EVENTS[EVENT_TYPES[name, schema]])
    sealed = stored(event)
    owners = MAPPER.owners([(STREAM, sealed.state)])
    state = stored(event, writer=EventWriter(Vault(None), EVENT_TYPES), erased=owners)
    kept = MAPPER.to_kept(state, 7, KEYS)

    assert kept.as_written
    assert MAPPER.to_recorded(sealed, 7, {}).event == kept.event
    assert set() == MAPPER.owners([(STREAM, state.state)])


def test_a_member_that_was_left_out_stands_beside_sealed_ones() -> None:
    """An audit without the owners' keys tells one from the other."""
    guests = (attrs.evolve(PARTY.guests[0], wishes=(ERASED,)), *PARTY.guests[1:])
    state = party(attrs.evolve(PARTY, notes={ERASED: ERASED}, guests=guests))
    kept = PARTY_MAPPER.to_kept(state, 7, without(PERSON, FRIEND))

    assert kept.as_written
    assert PARTY_MAPPER.to_kept(relined(state, 1, b""), 7, without(PERSON, FRIEND)).event is None


def test_no_personal_text_stands_in_clear() -> None:
    """Neither the open nor the secret line holds what is personal."""
    for state, event in ((stored(ISSUED), ISSUED), (party(), PARTY)):
        opened, sealed, hashes = lines(state)
        for each in personal_in(event):
            for text in texts_in(each):
                assert text.encode() not in opened + sealed + hashes


@pytest.mark.parametrize("state", [stored(ISSUED), party()], ids=["pin", "party"])
def test_a_reader_without_the_code_key_sees_that_it_may_not_see(state: StoredEvent) -> None:
    """Each personal member reads `***`, and everything else is checked as ever."""
    kept = EventMapper(Vault(None), {**EVENT_TYPES, **PARTIES}).to_kept(state, 7, KEYS)

    assert kept.as_written
    assert all(each in reads(MASK) for each in personal_in(kept.event))


def test_an_event_has_three_lines() -> None:
    """One is open, one is sealed, and one has the hashes."""
    opened, sealed, hashes = lines(stored(ISSUED))

    assert {
        "id": "evt_1",
        "at": "2031-05-04T12:00:00Z",
        "actor": "gardener",
        "request": "req-noon",
        "account": ACCOUNT,
        "person": PERSON,
        "data": {
            "account_id": ACCOUNT,
            "template_id": "tpl_tea",
            "person_id": PERSON,
            "channels": ["sms"],
            "issue": 1,
            "expires_at": "2031-05-04T12:00:00Z",
            "attempts": 3,
            "verify_limit": "3/10m",
            "country": None,
            "test": False,
            "counted": [],
            "flags": [],
            "context_ip": None,
            "context_user_agent": None,
            "locale": None,
        },
    } == json.loads(opened)
    assert {"destination": "+919812345678", "reference_id": "order-4711"} == json.loads(
        VAULT.open(KEYS[PERSON], "evt_1", sealed.decode())
    )
    assert {"code_hash": "hash of the code"} == json.loads(hashes)


def test_an_event_without_marked_members_has_one_line() -> None:
    """Nothing is sealed for it, and no key is asked for."""
    state = stored(PinVerified(at=NOON, issue=1))

    assert [b"", b""] == lines(state)[1:]
    assert set() == MAPPER.owners([(STREAM, state.state)])


def test_a_member_without_a_value_is_not_sealed() -> None:
    """It stays in the open line, so a member that is missing there was sealed."""
    state = stored(attrs.evolve(ISSUED, reference_id=None))

    assert json.loads(lines(state)[0])["data"]["reference_id"] is None


@pytest.mark.parametrize(
    ("account", "person", "owner"),
    [(ACCOUNT, PERSON, PERSON), (ACCOUNT, None, ACCOUNT), (None, None, STREAM)],
)
def test_the_nearest_owner_has_the_key(account: str | None, person: str | None, owner: str) -> None:
    """What is personal belongs to the event's person, else to its account, else to its stream."""
    state = stored(ISSUED, account=account, person=person)

    assert {owner} == MAPPER.owners([(STREAM, state.state)])
    assert ISSUED == MAPPER.to_recorded(state, 1, {owner: KEYS[owner]}).event


def test_people_inside_an_event_own_what_is_theirs() -> None:
    """A value with a person of its own is sealed under that person's key, and goes with it alone."""
    state = party()
    kept = PARTY_MAPPER.to_kept(state, 1, without(FRIEND))

    assert {PERSON, FRIEND} == PARTY_MAPPER.owners([(STREAM, state.state)])
    assert PARTY == PARTY_MAPPER.to_recorded(state, 1, KEYS).event
    assert kept.as_written
    gone = Guest(person_id=FRIEND, number=ERASED, wishes=(ERASED,), badge="badge one")
    assert attrs.evolve(PARTY, guests=(gone, *PARTY.guests[1:])) == kept.event


def test_one_person_is_erased_and_another_veiled() -> None:
    """A reader without the code key still tells who was erased."""
    mapper = EventMapper(Vault(None), PARTIES)
    read = mapper.to_events([party()], without(PERSON))[0]

    assert isinstance(read, PartyPlanned)
    assert (ERASED, {ERASED: ERASED}) == (read.host, read.notes)
    assert [MASK, ERASED, ERASED] == [each.number for each in read.guests]


def test_the_owners_of_changes_are_known_before_they_are_written() -> None:
    """A store asks for their keys first; whoever has nothing personal in an event is none of them."""
    states = attrs.make_class("State", ["account_id", "person_id"])
    silent = PartyPlanned(at=NOON, host="", guests=(PARTY.guests[0],))
    change = Change("bed", 0, (PARTY,), states(ACCOUNT, PERSON))

    assert {PERSON, FRIEND} == sealed_for(PARTY_MAPPER.planned(step(change)))
    assert {FRIEND} == sealed_for(
        PARTY_MAPPER.planned(step(Change("bed", 0, (silent,), states(ACCOUNT, PERSON))))
    )
    assert set() == sealed_for(
        MAPPER.planned(
            step(Change("bed", 0, (PinVerified(at=NOON, issue=1),), states(ACCOUNT, PERSON)))
        )
    )


def test_a_key_that_the_vault_lacks_stops_the_append() -> None:
    """Nothing is ever stored in clear for want of a key."""
    with pytest.raises(KeyError):
        stored(ISSUED, person="per_stranger")


def test_a_sealed_line_of_another_event_does_not_open() -> None:
    """Nobody can give an event the number of another, though both are of one person."""
    other = stored(attrs.evolve(ISSUED, destination="+919898989898"), event_id="evt_2")
    swapped = relined(stored(ISSUED), 1, lines(other)[1])

    with pytest.raises(UnreadableEvent):
        MAPPER.to_recorded(swapped, 1, KEYS)


def test_another_owners_key_does_not_open() -> None:
    """An event that is moved to another person is unreadable."""
    moved = stored(ISSUED).state.replace(PERSON.encode(), FRIEND.encode())

    with pytest.raises(UnreadableEvent):
        MAPPER.to_recorded(stored(ISSUED)._replace(state=moved), 1, KEYS)


@pytest.mark.parametrize("state", [stored(ISSUED), party()], ids=["pin", "party"])
def test_every_flipped_bit_of_a_sealed_line_is_found(state: StoredEvent) -> None:
    """Nothing sealed changes without the audit's notice, not even the last bits of base64."""
    mapper = MAPPER if state.topic.startswith("Pin") else PARTY_MAPPER
    sealed = lines(state)[1]

    for place in range(len(sealed)):
        for bit in (1, 4):
            changed = bytearray(sealed)
            changed[place] ^= bit
            kept = mapper.to_kept(relined(state, 1, bytes(changed)), 1, KEYS)
            assert kept.event is None or not kept.as_written


@pytest.mark.parametrize("state", [stored(ISSUED), party()], ids=["pin", "party"])
def test_any_flipped_byte_is_survived(state: StoredEvent) -> None:
    """An audit goes on behind an event with a changed byte, wherever it is."""
    mapper = MAPPER if state.topic.startswith("Pin") else PARTY_MAPPER

    for place in range(len(state.state)):
        changed = bytearray(state.state)
        changed[place] ^= 2
        kept = mapper.to_kept(state._replace(state=bytes(changed)), 1, KEYS)
        assert (STREAM, 1) == (kept.stream, kept.version)


@pytest.mark.parametrize("number", [1, 2])
def test_a_line_that_was_taken_away_is_found(number: int) -> None:
    """What must be sealed or secret cannot be left out."""
    kept = MAPPER.to_kept(relined(stored(ISSUED), number, b""), 1, KEYS)

    assert kept.event is None or not kept.as_written


@pytest.mark.parametrize(
    "line",
    [b"AAAA", b" ", b":AAAA", b"per_rose:AAAA", b"per_thorn:AAAA", "ä".encode(), b"index:AAAA"],
)
def test_a_line_that_nobody_sealed_is_unreadable(line: bytes) -> None:
    """A forged line never stops an audit, and names nobody's key but by the rules."""
    forged = relined(stored(ISSUED), 1, line)

    assert MAPPER.to_kept(forged, 1, KEYS).event is None
    assert MAPPER.owners([(STREAM, forged.state)]) <= {PERSON, FRIEND, "index"}


@pytest.mark.parametrize(
    "state", [b"", b"\n\n", b"{}\nAAAA\n", b"7\nAAAA\n", b"{}\n\n\n", b"\xff\n\xff\n\xff"]
)
def test_damaged_lines_name_no_owner(state: bytes) -> None:
    """Looking for owners never fails; reading does."""
    damaged = stored(ISSUED)._replace(state=state)

    assert MAPPER.owners([(STREAM, state)]) <= {STREAM}
    with pytest.raises(UnreadableEvent):
        MAPPER.to_recorded(damaged, 1, KEYS)


def test_a_member_that_stands_twice_is_unreadable() -> None:
    """The open line cannot speak over the sealed one."""
    opened = json.loads(lines(stored(ISSUED))[0])
    opened["data"]["destination"] = "+910000000000"
    twice = relined(stored(ISSUED), 0, json.dumps(opened).encode())

    with pytest.raises(UnreadableEvent):
        MAPPER.to_recorded(twice, 1, KEYS)


def test_the_envelope_is_read_without_the_rest() -> None:
    """Actor and place are in the open line, whoever can open the others."""
    state = stored(ISSUED).state

    assert "gardener" == KEYLESS.to_actor(state)
    assert ("evt_1", NOON, "req-noon") == KEYLESS.to_placed(1, "bed", 1, state)[3:]
