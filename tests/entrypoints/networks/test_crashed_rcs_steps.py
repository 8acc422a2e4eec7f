"""A process dies while it sends a step by RCS: another one repeats it, and one message is sent (C-20)."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta

from tests.entrypoints.conftest import listening
from tests.entrypoints.messaging.sends import FALLBACK, FALLBACK_RCS, SMS
from tests.entrypoints.networks.accounts import account_of
from tests.entrypoints.networks.phones import Phones
from tests.entrypoints.networks.rbm import rbm
from tests.fakes.hashers import FakePasswordHasher
from watchword.adapters.clock import SystemClock
from watchword.application.ports.event_store import DueKind
from watchword.domain.channel import OutcomeStatus
from watchword.domain.fallback_run import FallbackDispatched
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.settings import Settings
from watchword.testing import HttpAnswer, HttpRequest

STORES = ("sqlite",)
ORPHANED = DueKind.ORPHANED_DISPATCH
PHONE = "+4915112345610"
STEP = {
    **FALLBACK_RCS,
    "sender": "Watchword",
    "templateCode": "demo",
    "customParams": '{"name": "Asha", "order": "4711"}',
}


class Later(SystemClock):
    """Is a minute ahead, when the step counts as left behind."""

    def real(self) -> datetime:
        """Return the time in a minute."""
        return super().real() + timedelta(minutes=1)


async def test_a_step_is_repeated_after_a_crash_and_sent_once(settings: Settings) -> None:
    """Google took it and its answer was lost with the process; the second request has the same id."""
    async with rbm(Phones()) as network:
        asked = asyncio.Event()

        def silent(request: HttpRequest) -> HttpAnswer:
            said = network.answer(request)
            if not request.path.endswith("/agentMessages"):
                return said
            asked.set()
            return HttpAnswer.silence()

        network.google.web.says(silent)
        hasher = FakePasswordHasher()
        async with wired(settings, password_hasher=hasher) as first, listening(first) as caller:
            await account_of(caller, "rcs", "rcs_business", network.config)
            configuration = {"fallback_id": "to-rcs", "steps": ["rcs"]}
            await caller.operated("POST", "/fallback-configurations", configuration)
            body = await caller.sent(
                sms=[{**SMS, "recipient": PHONE}],
                fallback={**FALLBACK, "fallback_id": "to-rcs", "rcs": STEP},
            )
            waiting = asyncio.create_task(caller.advance(60))
            await asked.wait()
            first.provider_tasks.abandon()
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
        (message_id,) = network.google.taken
        network.google.web.says(network.answer)
        async with wired(settings, clock=Later(), run_due=False) as second:
            (recovering,) = [each for each in second.due_work if each.kind is ORPHANED]
            assert 1 == await recovering.run_due()
            await second.provider_tasks.finish()
            run = await second.store.read_stream(body["data"][0]["fallbackRunId"])

    assert {message_id: 2} == network.sends
    assert [message_id] == [*network.google.taken]
    dispatched = run[-1].event
    assert isinstance(dispatched, FallbackDispatched)
    assert OutcomeStatus.ACCEPTED is dispatched.outcome.status
