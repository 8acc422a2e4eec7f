"""Builds the use cases that submit templates to providers and look up their decisions."""

from __future__ import annotations

from attrs import frozen

from ...application.channel_accounts.channel_secrets import ChannelSecrets
from ...application.concurrency.bounded_tasks import BoundedTasks
from ...application.journal import Journal
from ...application.message_templates.submitting.looking_up_decisions import LookingUpDecisions
from ...application.message_templates.submitting.requesting_submissions import RequestingSubmissions
from ...application.message_templates.submitting.submitting_accounts import SubmittingAccounts
from ...application.message_templates.submitting.submitting_templates import (
    MOST_TEMPLATE_CALLS,
    MOST_TEMPLATE_CALLS_OF_ONE,
    SubmittingTemplates,
)
from ...application.message_templates.submitting.template_calls import TemplateCalls
from .ports import Ports


@frozen(kw_only=True)
class TemplateSubmissions:
    """The use cases, the two kinds of due work, and the tasks that these begin."""

    accounts: SubmittingAccounts
    requesting: RequestingSubmissions
    submitting: SubmittingTemplates
    looking_up: LookingUpDecisions
    tasks: BoundedTasks

    @classmethod
    def wire(cls, ports: Ports, journal: Journal, secrets: ChannelSecrets) -> TemplateSubmissions:
        """Build them on the given ports."""
        clock, randomness, observers = ports.clock, ports.randomness, ports.provider_observers
        accounts = SubmittingAccounts(journal, ports.providers, observers)
        calls = TemplateCalls(journal, ports.providers, secrets, observers)
        tasks = BoundedTasks(MOST_TEMPLATE_CALLS, MOST_TEMPLATE_CALLS_OF_ONE)
        return cls(
            accounts=accounts,
            requesting=RequestingSubmissions(journal, accounts, clock),
            submitting=SubmittingTemplates(journal, calls, tasks, randomness, clock),
            looking_up=LookingUpDecisions(
                journal, accounts, calls, tasks, observers, randomness, clock
            ),
            tasks=tasks,
        )
