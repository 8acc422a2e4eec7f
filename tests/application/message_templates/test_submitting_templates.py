"""Templates are submitted to the provider that reviews them: once, and again while that fails (C-99)."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from attrs import evolve

from tests.application.message_templates.tea_house import CONFIG, TEA, TeaHouse, account, tea_house
from watchword.adapters.logging_observer import LoggingObserver
from watchword.application.errors import UnavailableError
from watchword.application.message_templates.submitting.requesting_submissions import (
    TemplateNotSubmittableError,
)
from watchword.application.message_templates.submitting.submitting_templates import (
    MOST_TEMPLATE_CALLS_OF_ONE,
)
from watchword.application.ports.channels import Fault, Rejected, Submitted, Unknown
from watchword.application.ports.event_store import DueKind
from watchword.domain.approval import ApprovalStatus
from watchword.domain.whatsapp_template import SubmissionStatus

CREATED = ["WhatsappTemplateCreated", "WhatsappSubmissionRequested"]
SUBMITTED = [*CREATED, "WhatsappSubmissionBegun", "WhatsappTemplateSubmitted"]


class Failures(LoggingObserver):
    """Keeps the failures of adapters: the channel account, and the call."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, str]] = []

    def adapter_failed(self, channel_account_id: str, call: str, error: BaseException, /) -> None:
        """Keep a failure."""
        self.seen.append((channel_account_id, call))


async def test_a_new_template_is_submitted_once() -> None:
    """With its name, language and content; the provider's id is kept, and an audit finds nothing."""
    tea = await tea_house()
    template_id = await tea.create()
    before = await tea.differences()
    await tea.work()
    await tea.later(hours=1)

    assert [TEA] == tea.provider.submissions
    assert SUBMITTED == await tea.story(template_id)
    submission = await tea.submission(template_id)
    assert (SubmissionStatus.SUBMITTED, "their-1") == (
        submission.status,
        submission.provider_template_id,
    )
    assert ([], []) == (before, await tea.differences())


async def test_without_a_channel_account_that_submits_operators_decide() -> None:
    """The scripted channel account of the house does not review (C-36)."""
    tea = await tea_house()
    await tea.house.service.revising_channel_accounts.disable(tea.house.by, tea.channel_account_id)
    template_id = await tea.create()
    await tea.work()

    assert ["WhatsappTemplateCreated"] == await tea.story(template_id)
    with pytest.raises(TemplateNotSubmittableError):
        await tea.submit(template_id)


async def test_the_oldest_channel_account_that_submits_does() -> None:
    """Without a business account, one does not submit; disabled ones are passed over (D-285)."""
    tea = await tea_house()
    await account(tea.house, {}, "no business account")
    tea.house.clock.move(1)
    newer = await account(tea.house, CONFIG, "newer")
    first = await tea.create()
    await tea.house.service.revising_channel_accounts.disable(tea.house.by, tea.channel_account_id)
    second = await tea.create(TEA.__class__(name="later", language="en", content=TEA.content))

    assert tea.channel_account_id == (await tea.submission(first)).channel_account_id
    assert newer == (await tea.submission(second)).channel_account_id


async def test_an_adapter_that_fails_keeps_no_template_from_being_created() -> None:
    """Its failure is reported; once it is mended, an operator has the template submitted."""
    failures = Failures()
    tea = await tea_house(failures)
    tea.provider.is_broken = True
    template_id = await tea.create()
    before = await tea.story(template_id)
    tea.provider.is_broken = False
    await tea.submit(template_id)

    assert ["WhatsappTemplateCreated"] == before
    assert CREATED == await tea.story(template_id)
    assert (tea.channel_account_id, "submits_templates") in failures.seen


async def test_two_nodes_submit_a_template_once() -> None:
    """Both see the due row; the append of one begins the attempt."""
    tea = await tea_house()
    template_id = await tea.create()
    other = tea.other_node()
    await asyncio.gather(tea.work(), tea.work(), tea.work(other))

    assert 1 == len(tea.provider.submissions)
    assert SUBMITTED == await tea.story(template_id)


@pytest.mark.parametrize(
    "failure",
    [
        Rejected("reviewing_503", "Busy.", Fault.BUSY),
        Rejected("reviewing_401", "Log in.", Fault.ACCOUNT),
        Rejected("connect_failed", "No connection.", Fault.AWAY),
        Unknown("provider_unknown", "Cut."),
        RuntimeError("quotes a secret"),
    ],
    ids=["busy", "account", "away", "unknown", "exception"],
)
async def test_an_attempt_that_fails_is_repeated(failure: Rejected | Unknown | Exception) -> None:
    """Operators see why it failed, and when the next attempt follows."""
    tea = await tea_house()
    tea.provider.answers = [failure]
    template_id = await tea.create()
    await tea.work()
    waiting = await tea.submission(template_id)
    unlike = await tea.differences()
    await tea.later(seconds=7)

    assert (SubmissionStatus.WAITING, 1) == (waiting.status, waiting.attempts)
    assert getattr(failure, "code", "provider_unknown") == waiting.code
    assert "secret" not in str(waiting.reason)
    assert [] == unlike
    assert SubmissionStatus.SUBMITTED is (await tea.submission(template_id)).status
    assert 2 == len(tea.provider.submissions)


async def test_the_time_that_a_busy_provider_asks_for_is_given() -> None:
    """Where it is longer than the pause would be."""
    tea = await tea_house()
    tea.provider.answers = [Rejected("reviewing_429", "Later.", Fault.BUSY, 600.0)]
    template_id = await tea.create()
    began = tea.house.clock.now()
    await tea.work()

    assert began + timedelta(minutes=10) == (await tea.submission(template_id)).due_at


async def test_attempts_end_after_three_days() -> None:
    """The template stays pending; an operator may have it submitted again, or approve it."""
    tea = await tea_house()
    away = Rejected("connect_failed", "No connection.", Fault.AWAY)
    tea.provider.answers = [away] * 100
    template_id = await tea.create()
    for _ in range(12 * 24 * 4):
        await tea.later(minutes=5)
        if (await tea.submission(template_id)).due_at is None:
            break
    ended = await tea.submission(template_id)
    waited = tea.house.clock.now() - ended.requested_at
    tries = len(tea.provider.submissions)
    tea.provider.answers = []
    again = await tea.submit(template_id)
    await tea.work()

    assert (SubmissionStatus.ENDED, "connect_failed") == (ended.status, ended.code)
    assert timedelta(days=3) <= waited < timedelta(days=3, minutes=10)
    assert 10 < tries < 40
    assert ApprovalStatus.PENDING is again.status
    assert SubmissionStatus.SUBMITTED is (await tea.submission(template_id)).status
    assert [] == await tea.differences()


@pytest.mark.parametrize("fault", [Fault.CONTENT, Fault.RECIPIENT])
async def test_a_template_that_the_provider_refuses_is_rejected(fault: Fault) -> None:
    """With its code and words; nothing is tried again."""
    tea = await tea_house()
    tea.provider.answers = [Rejected("reviewing_2388299", "A variable ends the text.", fault)]
    template_id = await tea.create()
    await tea.work()
    await tea.later(hours=9)
    template = await tea.state(template_id)

    assert (ApprovalStatus.REJECTED, "reviewing_2388299: A variable ends the text.") == (
        template.status,
        template.reason,
    )
    assert 1 == len(tea.provider.submissions)
    assert [] == await tea.differences()


@pytest.mark.parametrize(
    ("approved", "status"),
    [(True, ApprovalStatus.APPROVED), (False, ApprovalStatus.REJECTED)],
)
async def test_a_decision_comes_with_the_submission(approved: bool, status: ApprovalStatus) -> None:
    """A provider may decide at once, or have decided on a template that it adopts."""
    tea = await tea_house()
    tea.provider.answers = [Submitted("their-9", approved, "It said so.", adopted=True)]
    template_id = await tea.create()
    await tea.work()
    template = await tea.state(template_id)

    assert (status, status, "It said so.") == (
        template.status,
        template.providers_decision,
        template.reason,
    )
    assert [] == await tea.differences()


async def test_a_process_that_dies_after_the_submission_leaves_one_template() -> None:
    """Its outcome was not recorded: the next attempt finds the template, and adopts it (D-284)."""
    tea = await tea_house()
    template_id = await tea.create()

    async def store_goes_away() -> None:
        tea.house.store.reachable = False

    tea.provider.meanwhile = store_goes_away
    with pytest.raises(UnavailableError):
        await tea.work()
    tea.house.store.reachable = True
    between = await tea.submission(template_id)
    restarted = tea.other_node()
    await tea.work(restarted)
    tea.house.clock.move(90)
    await tea.work(restarted)

    assert between.under_way
    assert {("tea_sent", "en"): "their-1"} == tea.provider.templates
    assert [*CREATED, "WhatsappSubmissionBegun", *SUBMITTED[2:]] == await tea.story(template_id)
    assert 2 == len(tea.provider.submissions)
    assert [] == await tea.differences()


async def test_an_answer_that_comes_after_its_attempt_was_lost_counts() -> None:
    """A slow node and the one that took over name the same template."""
    tea = await tea_house()
    template_id = await tea.create()
    other = tea.other_node()

    async def another_node_takes_over() -> None:
        tea.house.clock.move(90)
        await tea.work(other)

    tea.provider.meanwhile = another_node_takes_over
    await tea.work()

    assert [*CREATED, "WhatsappSubmissionBegun", *SUBMITTED[2:]] == await tea.story(template_id)
    assert "their-1" == (await tea.submission(template_id)).provider_template_id


def crowd(tea: TeaHouse) -> None:
    """Take all places that the account may have."""
    for _ in range(MOST_TEMPLATE_CALLS_OF_ONE):
        assert tea.house.service.template_tasks.reserve(tea.house.by.account_id)


def make_room(tea: TeaHouse) -> None:
    """Free all of its places."""
    for _ in range(MOST_TEMPLATE_CALLS_OF_ONE):
        tea.house.service.template_tasks.release(tea.house.by.account_id)


async def test_a_crowded_account_waits_for_its_turn() -> None:
    """A provider that hangs holds up its own account's templates alone."""
    tea = await tea_house()
    template_id = await tea.create()
    crowd(tea)
    await tea.work()
    crowded = len(tea.provider.submissions)
    make_room(tea)
    await tea.later(seconds=5)

    assert (0, 1) == (crowded, len(tea.provider.submissions))
    assert SUBMITTED == await tea.story(template_id)


async def test_the_templates_of_a_crowded_account_come_one_after_the_other() -> None:
    """Otherwise thousands of them would all be put off again every five seconds."""
    tea = await tea_house()
    crowd(tea)
    for number in range(20):
        await tea.create(evolve(TEA, name=f"tea_{number}"))
    await tea.work()
    now = tea.house.clock.now()
    due = await tea.house.service.journal.due(
        DueKind.TEMPLATE_SUBMISSION, now + timedelta(days=1), 100
    )
    make_room(tea)

    waits = sorted((each.at - now).total_seconds() for each in due)
    assert [pytest.approx(5 + 0.2 * number) for number in range(20)] == waits


async def test_a_crowded_account_puts_off_no_submission_that_has_ended() -> None:
    """Another node submitted the template between the two reads of this node."""
    tea = await tea_house()
    await tea.create()
    journal, now = tea.house.service.journal, tea.house.clock.now()
    (due,) = await journal.due(DueKind.TEMPLATE_SUBMISSION, now, 2)
    await tea.work()
    crowd(tea)
    await journal.write(tea.house.by, now, due=(due,))
    await tea.work()

    later = now + timedelta(days=1)
    assert () == tuple(await journal.due(DueKind.TEMPLATE_SUBMISSION, later, 2))


async def test_a_disabled_channel_account_submits_nothing() -> None:
    """Its templates wait until it is enabled again."""
    tea = await tea_house()
    template_id = await tea.create()
    revising = tea.house.service.revising_channel_accounts
    await revising.disable(tea.house.by, tea.channel_account_id)
    await tea.work()
    disabled = await tea.submission(template_id)
    await revising.enable(tea.house.by, tea.channel_account_id)
    await tea.later(seconds=7)

    assert "channel_disabled" == disabled.code
    assert SubmissionStatus.SUBMITTED is (await tea.submission(template_id)).status


async def test_an_operator_submits_an_older_template() -> None:
    """It was created before the account had a channel account that submits (D-285)."""
    tea = await tea_house()
    revising = tea.house.service.revising_channel_accounts
    await revising.disable(tea.house.by, tea.channel_account_id)
    template_id = await tea.create()
    await revising.enable(tea.house.by, tea.channel_account_id)
    await tea.later(hours=1)
    without = len(tea.provider.submissions)
    shown = await tea.submit(template_id)
    await tea.work()
    again = await tea.submit(template_id)

    assert 0 == without
    assert shown.submission is not None
    assert SubmissionStatus.WAITING is shown.submission.status
    assert again.submission is not None
    assert SubmissionStatus.SUBMITTED is again.submission.status
    assert SUBMITTED == await tea.story(template_id)


async def test_a_secret_that_a_provider_quotes_is_not_stored() -> None:
    """Neither in the reason nor as an id (D-236)."""
    tea = await tea_house()
    quoted = CONFIG["businessAccountId"]
    tea.provider.answers = [
        Submitted(f"id-{quoted}"),
        Rejected("reviewing_400", f"Not {quoted}.", Fault.CONTENT),
    ]
    template_id = await tea.create()
    await tea.work()
    first = await tea.submission(template_id)
    await tea.later(seconds=7)

    assert "provider_unknown" == first.code
    assert "reviewing_400: Not ***." == (await tea.state(template_id)).reason
