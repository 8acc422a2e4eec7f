"""A house whose WhatsApp channel account submits templates, and what its tests do with it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from attrs import frozen

from tests.application.house import House, build_house, node_on
from tests.fakes.providers import ReviewingProvider
from tests.whatsapp_templates import BODY, worded
from watchword.application.audit.checking import AuditInputs, Checking
from watchword.application.message_templates.views import WhatsappTemplateView
from watchword.application.ports.event_store import EventStore
from watchword.application.ports.provider_observer import ProviderObserver
from watchword.domain.channel import Channel
from watchword.domain.whatsapp_template import (
    Submission,
    TemplateDefinition,
    WhatsappTemplate,
    whatsapp_template_decider,
)
from watchword.entrypoints.worker import run_due_to_the_end

TEA = TemplateDefinition(name="tea_sent", language="en", content=worded(BODY))
CONFIG = {"businessAccountId": "102290129340398"}


@frozen
class TeaHouse:
    """A house, its provider and its channel account that submits."""

    house: House
    provider: ReviewingProvider
    channel_account_id: str

    async def create(self, definition: TemplateDefinition = TEA) -> str:
        """Create a template, and return its id."""
        made = await self.house.service.creating_whatsapp_templates.create(
            self.house.by, definition
        )
        return made.id

    def other_node(self) -> House:
        """Return another process on the same store, with the same providers."""
        return node_on(self.house, others={"reviewing": self.provider})

    async def work(self, house: House | None = None) -> None:
        """Do all due work of a node, and wait for its calls."""
        service = (house or self.house).service
        await run_due_to_the_end(service.due_work, (service.template_tasks,))

    async def later(self, **time: float) -> None:
        """Let time pass, and do what is due then."""
        self.house.clock.move(timedelta(**time).total_seconds())
        await self.work()

    async def submit(self, template_id: str) -> WhatsappTemplateView:
        """Have a template submitted, as an operator does."""
        return await self.house.service.submitting_whatsapp_templates.submit(
            self.house.by, template_id
        )

    async def state(self, template_id: str) -> WhatsappTemplate:
        """Return a template."""
        journal = self.house.service.journal
        return (await journal.load(whatsapp_template_decider, template_id)).state

    async def submission(self, template_id: str) -> Submission:
        """Return the submission of a template that has one."""
        submission = (await self.state(template_id)).submission
        assert submission is not None
        return submission

    async def story(self, template_id: str) -> list[str]:
        """Return the names of a template's events."""
        return await self.house.story(template_id)

    async def differences(self) -> list[object]:
        """Return what an audit finds."""
        found = await Checking(self.house.service.journal, AuditInputs()).check()
        return [*found.differences]


async def account(house: House, config: Mapping[str, Any], name: str = "reviewed") -> str:
    """Create a WhatsApp channel account of the provider that reviews."""
    made = await house.service.channel_accounts.create(
        house.by, channel_type=Channel.WHATSAPP, provider="reviewing", name=name, config=config
    )
    return made.id


async def tea_house(*observers: ProviderObserver, inside: EventStore | None = None) -> TeaHouse:
    """Build it."""
    provider = ReviewingProvider()
    house = await build_house(
        provider, others={"reviewing": provider}, inside=inside, provider_observers=observers
    )
    return TeaHouse(house, provider, await account(house, CONFIG))
