"""Decisions that no post brought are looked up: often while one is awaited, else rarely (C-36, D-288)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from attrs import evolve

from tests.application.message_templates.tea_house import CONFIG, TEA, TeaHouse, account, tea_house
from watchword.application.message_templates.submitting.looking_up_decisions import MOST_LOADED
from watchword.application.ports.channels import Fault, Rejected, TemplateReview
from watchword.domain.approval import ApprovalStatus

APPROVED = TemplateReview(name="tea_sent", language="en", approved=True)
PAUSED = TemplateReview(name="tea_sent", language="en", approved=False, reason="PAUSED")


class Observer:
    """Keeps the look-ups that failed."""

    def __init__(self) -> None:
        self.failed: list[tuple[str, str]] = []

    def templates_not_looked_up(self, channel_account_id: str, code: str, /) -> None:
        """Keep it."""
        self.failed.append((channel_account_id, code))

    def __getattr__(self, _: str) -> Any:
        """Ignore the rest."""
        return lambda *_: None


async def submitted(tea: TeaHouse) -> str:
    """Return a template that was submitted, a minute after the first look-up."""
    template_id = await tea.create()
    await tea.work()
    return template_id


async def test_a_template_is_approved_by_a_look_up() -> None:
    """Within five minutes of the decision; an audit finds nothing."""
    tea = await tea_house()
    template_id = await submitted(tea)
    tea.provider.decisions = [APPROVED]
    before = tea.provider.looked_up
    await tea.later(minutes=4)
    early = tea.provider.looked_up
    await tea.later(minutes=1)

    assert before == early
    assert ApprovalStatus.APPROVED is (await tea.state(template_id)).status
    assert [] == await tea.differences()


async def test_a_rejection_has_the_providers_reason() -> None:
    """It is cut to what a reason may have."""
    tea = await tea_house()
    template_id = await submitted(tea)
    reason = "INVALID_FORMAT. " * 100
    tea.provider.decisions = [
        TemplateReview(name="tea_sent", language="en", approved=False, reason=reason)
    ]
    await tea.later(minutes=5)
    template = await tea.state(template_id)

    assert (ApprovalStatus.REJECTED, reason[:1_000]) == (template.status, template.reason)


@pytest.mark.parametrize(
    ("reason", "kept"), [("half \ud800", None), (b"no text", None), ("Not *1022*.", "Not *1022*.")]
)
async def test_a_reason_that_cannot_be_stored_is_left_out(reason: Any, kept: str | None) -> None:
    """The decision counts all the same."""
    tea = await tea_house()
    template_id = await submitted(tea)
    tea.provider.decisions = [
        TemplateReview(name="tea_sent", language="en", approved=False, reason=reason)
    ]
    await tea.later(minutes=5)
    template = await tea.state(template_id)

    assert (ApprovalStatus.REJECTED, kept) == (template.status, template.reason)


async def test_an_approved_template_that_is_paused_later_is_rejected() -> None:
    """Within an hour, because nothing is awaited any more; no look-up is made before."""
    tea = await tea_house()
    template_id = await submitted(tea)
    tea.provider.decisions = [APPROVED]
    await tea.later(minutes=5)
    so_far = tea.provider.looked_up
    tea.provider.decisions = [PAUSED]
    for _ in range(11):
        await tea.later(minutes=5)
    before = tea.provider.looked_up
    await tea.later(minutes=5)
    template = await tea.state(template_id)

    assert (so_far, so_far + 1) == (before, tea.provider.looked_up)
    assert (ApprovalStatus.REJECTED, "PAUSED") == (template.status, template.reason)


async def test_an_operators_decision_stands_until_the_provider_changes_its_own() -> None:
    """An operator who stops sends is not overruled by the next look-up (D-287)."""
    tea = await tea_house()
    template_id = await submitted(tea)
    tea.provider.decisions = [APPROVED]
    await tea.later(minutes=5)
    reviewing = tea.house.service.reviewing_whatsapp_templates
    await reviewing.reject(tea.house.by, template_id, "Stop.")
    await tea.later(hours=1)
    stopped = (await tea.state(template_id)).status
    tea.provider.decisions = [PAUSED]
    await tea.later(hours=1)
    tea.provider.decisions = [APPROVED]
    await tea.later(hours=1)
    await tea.later(hours=1)

    assert ApprovalStatus.REJECTED is stopped
    # The pause was theirs, but the template was rejected here already: nothing was to be done.
    assert ApprovalStatus.REJECTED is (await tea.state(template_id)).status


async def test_a_post_that_arrives_during_a_look_up_is_newer() -> None:
    """The list may have been read before the decision: the next look-up tells."""
    tea = await tea_house()
    template_id = await submitted(tea)
    tea.provider.decisions = [APPROVED]
    reviewing = tea.house.service.reviewing_whatsapp_templates

    async def a_post_arrives() -> None:
        tea.house.clock.move(1)
        await reviewing.reject(tea.house.by, template_id, "PAUSED", by_provider=True)

    tea.provider.meanwhile = a_post_arrives
    await tea.later(minutes=5)

    assert ApprovalStatus.REJECTED is (await tea.state(template_id)).status


async def test_one_node_looks_up() -> None:
    """The other finds that it was done."""
    tea = await tea_house()
    await submitted(tea)
    so_far = tea.provider.looked_up
    other = tea.other_node()
    tea.house.clock.move(300)
    await asyncio.gather(tea.work(), tea.work(other))
    await tea.work(other)

    assert so_far + 1 == tea.provider.looked_up


async def test_templates_that_were_not_submitted_here_are_left_alone() -> None:
    """One that an operator reviews may have the name of another business account's."""
    tea = await tea_house()
    await tea.house.service.revising_channel_accounts.disable(tea.house.by, tea.channel_account_id)
    template_id = await tea.create()
    await account(tea.house, CONFIG, "newer")
    tea.provider.decisions = [APPROVED]
    await tea.later(hours=2)

    assert 0 < tea.provider.looked_up
    assert ApprovalStatus.PENDING is (await tea.state(template_id)).status


async def test_nothing_is_looked_up_without_a_channel_account_that_submits() -> None:
    """A disabled one goes on hearing posts, and asks nothing."""
    tea = await tea_house()
    await submitted(tea)
    so_far = tea.provider.looked_up
    await tea.house.service.revising_channel_accounts.disable(tea.house.by, tea.channel_account_id)
    await tea.later(hours=2)

    assert so_far == tea.provider.looked_up


async def test_a_look_up_that_fails_is_reported_and_repeated() -> None:
    """The code goes to the log, and the next look-up follows in five minutes."""
    observer = Observer()
    tea = await tea_house(observer)
    template_id = await submitted(tea)
    tea.provider.decisions = Rejected("reviewing_401", "Log in.", Fault.ACCOUNT)
    await tea.later(minutes=5)
    tea.provider.decisions = [APPROVED]
    await tea.later(minutes=5)

    assert [(tea.channel_account_id, "reviewing_401")] == observer.failed
    assert ApprovalStatus.APPROVED is (await tea.state(template_id)).status


@pytest.mark.parametrize(
    "stranger",
    [
        TemplateReview(name="other", language="en", approved=True),
        TemplateReview(name="tea_sent", language="pt_BR", approved=True),
    ],
)
async def test_decisions_on_other_templates_are_passed_over(stranger: TemplateReview) -> None:
    """The provider's account may have templates that are not ours (D-94)."""
    tea = await tea_house()
    template_id = await submitted(tea)
    tea.provider.decisions = [stranger]
    await tea.later(minutes=5)

    assert ApprovalStatus.PENDING is (await tea.state(template_id)).status
    assert (TEA.name, TEA.language) in tea.provider.templates


@pytest.mark.parametrize(("pending", "often"), [(MOST_LOADED, False), (MOST_LOADED + 1, True)])
async def test_of_many_pending_templates_a_few_are_loaded(pending: int, often: bool) -> None:
    """With more of them, one is taken to wait for a decision: each minute, all would be loaded."""
    tea = await tea_house()
    tea.provider.answers = [Rejected("busy", "Later.", Fault.BUSY, 36_000.0)] * pending
    for number in range(pending):
        await tea.create(evolve(TEA, name=f"tea_{number}"))
    await tea.work()
    for _ in range(30):
        await tea.later(minutes=1)

    assert pending == len(tea.provider.submissions)
    assert (tea.provider.looked_up > 1) is often
    assert tea.provider.looked_up > 0
