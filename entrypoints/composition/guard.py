"""Builds the use cases of the guard."""

from __future__ import annotations

from attrs import frozen

from ...application.due_work import DueWork
from ...application.guard.budget_keys import BudgetKeys
from ...application.guard.counted_decisions import CountedDecisions
from ...application.guard.guarding import Guarding
from ...application.guard.guarding_recipients import GuardingRecipients
from ...application.guard.guards import Guards
from ...application.guard.heeding import Heeding
from ...application.guard.listing_refused_sends import ListingRefusedSends
from ...application.guard.managing_guard import ManagingGuard
from ...application.guard.naming_subjects import NamingSubjects
from ...application.guard.recording_decisions import RecordingDecisions
from ...application.guard.releasing_subjects import ReleasingSubjects
from ...application.guard.replaying_policies import ReplayingPolicies
from ...application.guard.setting_baselines import SettingBaselines
from ...application.journal import Journal
from ...application.people.people import People
from ...application.statistics.asking import AskingStatistics
from .ports import Ports


@frozen(kw_only=True)
class GuardUseCases:
    """The use cases of the guard, and the due work that records its decisions."""

    guards: Guards
    managing: ManagingGuard
    recipients: GuardingRecipients
    keys: BudgetKeys
    decisions: CountedDecisions
    recording: RecordingDecisions
    baselines: SettingBaselines
    replaying: ReplayingPolicies
    refused: ListingRefusedSends
    releasing: ReleasingSubjects
    guarding: Guarding

    @property
    def due_work(self) -> tuple[DueWork, ...]:
        """What the worker does for the guard."""
        return (self.recording, self.baselines)

    @classmethod
    def wire(
        cls, ports: Ports, journal: Journal, people: People, statistics: AskingStatistics
    ) -> GuardUseCases:
        """Build them on the given ports."""
        clock, randomness = ports.clock, ports.randomness
        keys = BudgetKeys(ports.person_keys)
        decisions = CountedDecisions(randomness, clock)
        guards = Guards(journal, clock)
        naming = NamingSubjects(people, keys, ports.number_plan)
        return cls(
            guards=guards,
            managing=ManagingGuard(guards),
            recipients=GuardingRecipients(guards, ports.number_plan, decisions),
            keys=keys,
            decisions=decisions,
            recording=RecordingDecisions(journal, decisions, randomness, clock),
            baselines=SettingBaselines(journal, guards, statistics, randomness, clock),
            replaying=ReplayingPolicies(journal, keys, ports.number_plan),
            refused=ListingRefusedSends(journal, clock),
            releasing=ReleasingSubjects(journal, guards, naming, clock),
            guarding=Guarding(
                guards, journal.remembered, keys, ports.number_plan, Heeding(decisions)
            ),
        )
