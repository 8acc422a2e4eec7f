"""Builds the use cases of people's requests about their data."""

from __future__ import annotations

from attrs import frozen

from ...application.data_requests.erasing import ErasingPeople
from ...application.data_requests.finishing_erasures import FinishingErasures
from ...application.data_requests.showing import ShowingPeople
from ...application.journal import Journal
from ...application.messages.looking_up.searching_messages import SearchingMessages
from ...application.people.people import People
from .ports import Ports


@frozen
class DataRequests:
    """The use cases, and the due work that finishes erasures."""

    erasing: ErasingPeople
    showing: ShowingPeople
    finishing: FinishingErasures

    @classmethod
    def wire(cls, ports: Ports, journal: Journal, people: People) -> DataRequests:
        """Build them on the given ports."""
        clock = ports.clock
        finishing = FinishingErasures(journal, ports.erasures, ports.randomness, clock)
        return cls(
            ErasingPeople(journal, people, finishing, clock),
            ShowingPeople(journal, people, SearchingMessages(journal, people), clock),
            finishing,
        )
