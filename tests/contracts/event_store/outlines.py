"""The promises of every event store about outlines: the open lines of events (D-405)."""

from __future__ import annotations

import pytest

from tests.contracts.event_store.histories import FERN, ORCHID, grown, second, step
from tests.contracts.event_store.sample_people import person
from watchword.application.ports.event_store import Change, EventStore
from watchword.domain.event import Event
from watchword.domain.pin import PinIssued, PinVerified, pin_decider
from watchword.domain.rate_limit import Rate

ISSUED = PinIssued(
    at=second(1),
    account_id="account-garden",
    template_id="template-gate",
    person_id="per_guest",
    destination="+447700900123",
    channels=(),
    code_hash="1$hash",
    expires_at=second(600.000001),
    attempts=3,
    verify_limit=Rate("1/3s"),
    country="GB",
)
VERIFIED = PinVerified(at=second(2.000002), issue=1)
KINDS = {"PinIssued", "PinVerified"}


async def pin(store: EventStore, stream: str, *events: Event, at: int = 0) -> None:
    """Append events of a PIN."""
    known = await store.people_named(["per_guest"])
    state = pin_decider.fold((ISSUED, *events) if at else events)
    change = Change(stream, at, events, state)
    await store.append(step(change, new_people=() if known else (person("guest"),)))


class OutlinesContract:
    """An outline says what everybody may read."""

    async def test_an_outline_opens_nothing(self, store: EventStore) -> None:
        """It has the open members in stored form; what is personal or secret is missing."""
        await pin(store, "pin_1", ISSUED)
        (found,) = await store.read_outlines(0, 10, KINDS)
        (recorded,) = await store.read_log(0, 10)

        assert ("pin_1", 1, "PinIssued") == (found.stream, found.version, found.type)
        assert (recorded.position, recorded.account) == (found.position, found.account)
        assert "2031-05-04T12:00:01Z" == found.at
        assert "2031-05-04T12:10:00.000001Z" == found.data["expires_at"]
        assert "GB" == found.data["country"]
        assert not {"destination", "code_hash"} & set(found.data)
        assert "7700900123" not in repr(found)

    async def test_other_kinds_have_their_place_alone(self, store: EventStore) -> None:
        """So a follower knows how far it has read."""
        await store.append(step(grown(FERN, by=2)))
        await pin(store, "pin_1", ISSUED)
        positions = [each.position for each in await store.read_log(0, 10)]
        found = await store.read_outlines(0, 10, KINDS)

        assert positions == [each.position for each in found]
        assert ["", "", "PinIssued"] == [each.type for each in found]
        assert {} == found[0].data

    @pytest.mark.parametrize("limit", [1, 2, 5])
    async def test_a_part_of_the_log_is_read(self, store: EventStore, limit: int) -> None:
        """It begins behind a position, and has as many events as are asked for."""
        await store.append(step(grown(FERN, by=4)))
        first = (await store.read_log(0, 1))[0].position
        found = await store.read_outlines(first, limit, KINDS)
        log = await store.read_log(first, limit)

        assert [each.position for each in log] == [each.position for each in found]

    async def test_streams_are_read_up_to_a_position(self, store: EventStore) -> None:
        """Later events, other streams and other kinds are left out."""
        await pin(store, "pin_1", ISSUED)
        await pin(store, "pin_2", ISSUED)
        until = await store.newest()
        await pin(store, "pin_1", VERIFIED, at=1)
        await store.append(step(grown(ORCHID)))
        asked = ["pin_1", "pin_3", ORCHID]
        before = await store.outlines_of(asked, until, KINDS)
        after = await store.outlines_of(asked, await store.newest(), KINDS)

        assert ["PinIssued"] == [each.type for each in before["pin_1"]]
        assert ["PinIssued", "PinVerified"] == [each.type for each in after["pin_1"]]
        assert {"pin_1"} == {each for each, history in after.items() if history}
