"""An account's guard on a store of each kind."""

from __future__ import annotations

import pytest
from attrs import frozen

from tests.fakes.clocks import StillClock
from tests.vaults import new_vault
from watchword.adapters.number_plan import PhoneNumberPlan
from watchword.adapters.randomness import SecretRandomness
from watchword.application.caller import Caller
from watchword.application.guard.budget_keys import BudgetKeys
from watchword.application.guard.counted_decisions import CountedDecisions
from watchword.application.guard.guards import Guards
from watchword.application.guard.listing_refused_sends import ListingRefusedSends
from watchword.application.guard.naming_subjects import NamingSubjects
from watchword.application.guard.recording_decisions import RecordingDecisions
from watchword.application.guard.releasing_subjects import ReleasingSubjects
from watchword.application.journal import Journal
from watchword.application.people.people import People
from watchword.application.ports.event_store import EventStore


@frozen(kw_only=True)
class Guarding:
    """The use cases of a guard, and what they work on."""

    store: EventStore
    clock: StillClock
    keys: BudgetKeys
    decisions: CountedDecisions
    recording: RecordingDecisions
    refused: ListingRefusedSends
    releasing: ReleasingSubjects
    by: Caller


@pytest.fixture
def guarding(store: EventStore) -> Guarding:
    """Return the use cases on a store of each kind."""
    clock, randomness, vault = StillClock(), SecretRandomness(), new_vault()
    journal = Journal(store)
    decisions, keys = CountedDecisions(randomness, clock), BudgetKeys(vault)
    naming = NamingSubjects(People(journal, vault), keys, PhoneNumberPlan())
    return Guarding(
        by=Caller("account-garden", "tok_asha", "req_one"),
        store=store,
        clock=clock,
        keys=keys,
        decisions=decisions,
        recording=RecordingDecisions(journal, decisions, randomness, clock),
        refused=ListingRefusedSends(journal, clock),
        releasing=ReleasingSubjects(journal, Guards(journal, clock), naming, clock),
    )
