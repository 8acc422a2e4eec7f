"""Test a channel account: its config, the log-in, a send, and the receipt (C-67)."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from functools import partial
from time import perf_counter

from ...domain.accounts import channel_account
from ...domain.accounts.channel_account import (
    ChannelAccount,
    ChannelAccountNotFoundError,
    ChannelAccountTested,
    channel_account_decider,
)
from ...domain.channel import Channel, ChannelOutcome, OutcomeStatus
from ...domain.destination import destination_problem
from ...domain.errors import FieldProblem, ValidationFailedError
from ..caller import Caller
from ..channel_accounts.callback_urls import CallbackUrlOf
from ..channel_accounts.channel_secrets import ChannelSecrets
from ..journal import Journal, change, retry_on_conflict
from ..ports.channels import ChannelProvider, Message, ProviderTemplate
from ..ports.clock import Clock
from ..ports.randomness import Randomness
from ..provider_calls import ProviderCalls
from ..repository import Repository
from .references import PREFIX
from .steps import Run, Steps
from .views import (
    ChannelTestRequest,
    ChannelTestStep,
    ChannelTestView,
    StepResult,
    StepStatus,
)

_TEXT = "This is a test message. You need not do anything."
_SUBJECT = "Test message"
MAX_DETAIL = 600

# Yields each step when it has happened, and the whole test last.
ChannelTest = AsyncGenerator[StepResult | ChannelTestView, None]


class ChannelTests:
    """
    Sends a message through one channel account alone, without failover; also while it is disabled.

    A test is no message and stands in no list of messages. The stream of the channel account records
    its outcome, and neither its text nor its recipient (D-223).
    """

    def __init__(
        self,
        journal: Journal,
        providers: Mapping[str, ChannelProvider],
        secrets: ChannelSecrets,
        calls: ProviderCalls,
        callback_url: CallbackUrlOf,
        randomness: Randomness,
        clock: Clock,
    ) -> None:
        self._journal = journal
        self._steps = Steps(journal, providers, secrets, calls, callback_url)
        self._channel_accounts = Repository(
            journal, clock, channel_account_decider, ChannelAccountNotFoundError
        )
        self._randomness = randomness
        self._clock = clock

    async def begin(
        self, by: Caller, channel_account_id: str, request: ChannelTestRequest
    ) -> ChannelTest:
        """
        Check a request, and return its test, which runs while it is read.

        Raises `ChannelAccountNotFoundError`, `UnavailableError`, and `ValidationFailedError`, also for a
        recipient whom the channel cannot reach (C-89). Reading the test may raise `UnavailableError`.
        """
        account = await self._channel_accounts.state(by, channel_account_id)
        if problems := _problems(account, request):
            raise ValidationFailedError(problems)
        reference = self._randomness.new_id(PREFIX)
        message = _message(reference, channel_account_id, account, request)
        return self._run(
            by, Run(message=message, account=account, wait_seconds=request.wait_seconds)
        )

    async def whole(
        self,
        by: Caller,
        channel_account_id: str,
        request: ChannelTestRequest,
        on_step: Callable[[StepResult], None] | None = None,
    ) -> ChannelTestView:
        """Do a test to its end, and call `on_step` after each step; raises the errors of `begin`."""
        async with aclosing(await self.begin(by, channel_account_id, request)) as test:
            async for each in test:
                if isinstance(each, ChannelTestView):
                    return each
                if on_step is not None:
                    on_step(each)
        raise RuntimeError("A test ended without its result.")

    async def _run(self, by: Caller, run: Run) -> ChannelTest:
        done: list[StepResult] = []
        for step, act in (
            (ChannelTestStep.CONFIG, self._steps.configure),
            (ChannelTestStep.CONNECT, self._steps.connect),
            (ChannelTestStep.SEND, self._steps.send),
            (ChannelTestStep.RECEIPT, self._steps.receive),
        ):
            began = perf_counter()
            status, detail = await act(run)
            milliseconds = round((perf_counter() - began) * 1_000)
            if step is ChannelTestStep.SEND and run.outcome is not None:
                # Before anybody is told, so that a reader who goes away leaves no send unrecorded.
                await retry_on_conflict(partial(self._record, by, run.message, run.outcome))
            run.failed = run.failed or status is StepStatus.FAILED
            told = StepResult(
                step=step, status=status, detail=_shown(detail), milliseconds=milliseconds
            )
            done.append(told)
            yield told
        outcome = run.outcome
        yield ChannelTestView(
            steps=tuple(done),
            outcome=OutcomeStatus.REJECTED if outcome is None else outcome.status,
            provider_message_id=None if outcome is None else outcome.provider_message_id,
        )

    async def _record(self, by: Caller, message: Message, outcome: ChannelOutcome) -> None:
        now, stream = self._clock.now(), message.channel_account_id
        loaded = await self._journal.load(channel_account_decider, stream)
        decision = channel_account.record_test(
            loaded.state,
            ChannelAccountTested(
                at=now,
                status=outcome.status,
                code=outcome.error_code,
                provider_message_id=outcome.provider_message_id,
            ),
        )
        acting = by.acting_for(loaded.state.account_id)
        await self._journal.write(
            acting, now, change(channel_account_decider, stream, loaded, decision)
        )


def _shown(detail: str) -> str:
    """Return an adapter's words, cut, and without characters that no answer can have."""
    return detail[:MAX_DETAIL].encode(errors="replace").decode()


def _problems(account: ChannelAccount, request: ChannelTestRequest) -> list[FieldProblem]:
    problems = []
    if (wrong := destination_problem(request.to, account.channel_type)) is not None:
        problems.append(FieldProblem("to", wrong))
    if request.template is not None and account.channel_type != Channel.WHATSAPP:
        problems.append(FieldProblem("template", "is for channel accounts of whatsapp only"))
    if request.language is not None and request.template is None:
        problems.append(
            FieldProblem("language", "is the language of a template; give template too")
        )
    return problems


def _message(
    reference: str, channel_account_id: str, account: ChannelAccount, request: ChannelTestRequest
) -> Message:
    template = None
    if request.template is not None:
        template = ProviderTemplate(
            name=request.template, language=request.language, code=request.text or ""
        )
    return Message(
        reference=reference,
        channel=account.channel_type,
        channel_account_id=channel_account_id,
        sender=account.sender,
        destination=request.to,
        text=request.text or _TEXT,
        subject=_SUBJECT if account.channel_type == Channel.EMAIL else None,
        template=template,
    )
