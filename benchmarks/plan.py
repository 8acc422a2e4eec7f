"""The amount of work of a run."""

from __future__ import annotations

from enum import StrEnum

from attrs import field, frozen
from attrs.validators import ge

CONNECTIONS = 32
LOAD_SECONDS = 120.0
FEW, MANY = 1_000, 1_000_000
# The recipients of a call with many.
RECIPIENTS = 1_000


class Part(StrEnum):
    """A part of a run that can be measured by itself."""

    SQLITE = "sqlite"
    POSTGRES = "postgres"
    APPENDS = "appends"
    INSIDE = "inside"
    GROWTH = "growth"
    FAIRNESS = "fairness"
    ATTACK = "attack"
    PROVIDERS = "providers"
    SMPP = "smpp"
    PEOPLE = "people"
    CONSOLE = "console"
    RETENTION = "retention"


@frozen(kw_only=True)
class Plan:
    """
    `cycles` per server at 32 connections, spread over `rounds`; `stored` PINs for the part `growth`.

    The largest number of these is that of the PINs for the parts `console` and `retention`, and of the people
    for the part `people`, which also measures the Watchword in the folder `against`.

    The rest follows from these: a tenth as many cycles at one connection, a warm-up, and the store's share.
    """

    cycles: int = field(validator=ge(1))
    rounds: int = field(validator=ge(1))
    parts: tuple[Part, ...] = tuple(Part)
    stored: tuple[int, ...] = (FEW, MANY)
    against: str | None = None

    @property
    def per_round(self) -> int:
        """Cycles of one server in one round at 32 connections."""
        return -(-self.cycles // self.rounds)

    @property
    def alone_per_round(self) -> int:
        """Cycles of one server in one round at one connection."""
        return -(-self.per_round // 10)

    @property
    def warm_up(self) -> int:
        """Cycles of one server that are not counted."""
        return min(500, self.per_round)

    @property
    def total(self) -> int:
        """All cycles of one server."""
        return self.warm_up + self.rounds * (self.per_round + self.alone_per_round)

    @property
    def waiting_runs(self) -> int:
        """Fallback runs that wait during look-ups of due work."""
        return 50 * self.cycles

    @property
    def pins_per_round(self) -> int:
        """PINs, with three events each, that the store alone writes per round and batch size."""
        return min(256, self.per_round)

    @property
    def sends_per_round(self) -> int:
        """Sends by a provider per round."""
        return self.per_round

    @property
    def waiting_sends(self) -> int:
        """Sends that wait at once; of fewer, the pages of memory would be a large part."""
        return max(5 * self.cycles, 5_000)

    @property
    def people(self) -> int:
        """People in the large store."""
        return max(self.stored)

    @property
    def known_per_send(self) -> int:
        """Known people to whom one call sends; as many others are new."""
        return min(RECIPIENTS // 2, self.people // (2 * (self.rounds + 1)))

    @property
    def erased(self) -> int:
        """People to erase in each store."""
        return min(20, self.people // 4)

    @property
    def appended_per_round(self) -> int:
        """PINs, with three appends each, that each process appends per round."""
        return min(2000, self.per_round)
