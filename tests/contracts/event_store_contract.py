"""
The contract of the event store: every adapter runs it, and it knows the port alone.

An adapter's test subclasses `EventStoreContract` and overrides the `store` fixture with one that
gives a new, empty store, whose leases go by `machine_seconds`.
"""

from __future__ import annotations

import pytest

from tests.contracts.event_store.budgets import BudgetsContract
from tests.contracts.event_store.checkpoints import CheckpointsContract, ForgettingRowsContract
from tests.contracts.event_store.conditions import HoldersContract, RatesContract
from tests.contracts.event_store.due_rows import DueRowsContract, SettingsContract
from tests.contracts.event_store.followers import FollowersContract
from tests.contracts.event_store.idempotency import LeaseContract, ReplayContract
from tests.contracts.event_store.listings import FiltersContract, PagesContract, RowsContract
from tests.contracts.event_store.outlines import OutlinesContract
from tests.contracts.event_store.passes import PassesContract
from tests.contracts.event_store.people import PeopleContract, WrappedKeysContract
from tests.contracts.event_store.pruning import PruningContract
from tests.contracts.event_store.refusals import RefusalsContract
from tests.contracts.event_store.repairs import RepairsContract
from tests.contracts.event_store.seal_keys import SealKeysContract
from tests.contracts.event_store.sealed_events import SealedEventsContract
from tests.contracts.event_store.sealed_log import SealedLogContract
from tests.contracts.event_store.sealed_rows import ErasedRowsContract, FindableRowsContract
from tests.contracts.event_store.snapshots import SnapshotContract
from tests.contracts.event_store.streams import LogContract, StreamsContract
from tests.contracts.event_store.sums import SumsContract
from tests.contracts.event_store.totals import TotalsContract
from tests.fakes.clocks import MachineSeconds
from watchword.application.ports.event_store import EventStore


class WritingContract(
    StreamsContract,
    LogContract,
    RefusalsContract,
    RatesContract,
    HoldersContract,
    BudgetsContract,
    ReplayContract,
    LeaseContract,
    DueRowsContract,
    CheckpointsContract,
    TotalsContract,
    ForgettingRowsContract,
    SealKeysContract,
    PeopleContract,
    PassesContract,
    SealedEventsContract,
    WrappedKeysContract,
    SettingsContract,
    RowsContract,
    ErasedRowsContract,
    RepairsContract,
    PruningContract,
):
    """The promises of an event store about what is written, down to every value of a row."""

    @pytest.fixture
    def machine_seconds(self) -> MachineSeconds:
        """Return the real time of the store."""
        return MachineSeconds()

    @pytest.fixture
    async def store(self, machine_seconds: MachineSeconds) -> EventStore:
        """Yield a new, empty store."""
        raise NotImplementedError


class EventStoreContract(
    WritingContract,
    FiltersContract,
    FindableRowsContract,
    PagesContract,
    SnapshotContract,
    SealedLogContract,
    FollowersContract,
    OutlinesContract,
    SumsContract,
):
    """The promises of every event store."""
