"""Every answer is in the log: its prefix up to a request replays to what the request was told (C-82)."""

from __future__ import annotations

import asyncio
import os
import random
from collections import Counter

from attrs import define, field, frozen

from tests.entrypoints.caller import Caller, Reply, code_in
from watchword.application.audit.cut import Cut
from watchword.domain.pin import pin_decider
from watchword.entrypoints.wired import Wired

# The pass mark of evidence asks for 100,000.
CALLS = int(os.environ.get("WATCHWORD_REPLAYED_CALLS", "600"))
SEED = int(os.environ.get("WATCHWORD_REPLAYED_SEED", "4711"))
CLIENTS = 8
PINS = 20
LIMITS = {
    "pinAttempts": 3,
    "pinTimeToLive": "15m",
    "resendCooldown": "0s",
    "verifyPinLimit": "1000/1s",
    "sendPinPerTemplateLimit": "100000/1s",
    "sendPinPerPhoneNumberLimit": "100000/1s",
}
# What a refusal says about the PIN, where it changed something.
ENDED = {"pin_blocked": "BLOCKED", "pin_expired": "EXPIRED"}


@frozen
class Told:
    """What the answer to a request said about a PIN; refusals need not name the attempts."""

    request_id: str
    pin_id: str
    status: str
    attempts: int | None


@define
class Clients:
    """Callers who do something at random, at the same PINs, and note what they are told."""

    caller: Caller
    service: Wired
    dice: random.Random
    # The newest PINs, with the number that each went to.
    pins: dict[str, str] = field(factory=dict)
    told: list[Told] = field(factory=list)

    async def call(self) -> None:
        """Do one of the things that a caller may do."""
        what = self.dice.random()
        if what < 0.25 or len(self.pins) < PINS:
            await self._issue()
            return
        pin_id, number = self.dice.choice([*self.pins.items()])
        if what < 0.35:
            self._note(await self.caller.resend(pin_id), pin_id)
        elif what < 0.37:
            await self.caller.advance(self.dice.choice((60, 600, 1_800)))
        else:
            right = self._newest_code(number) if what < 0.6 else "0"
            self._note(await self.caller.verify(pin_id, right), pin_id)

    async def _issue(self) -> None:
        # The last digits of a number tell a sandbox to refuse; these do not.
        number = f"+9198{self.dice.randrange(1_000_000):06d}55"
        reply = await self.caller.create(number)
        assert 201 == reply.status, reply.body
        pin_id = str(reply.json["pinId"])
        self._note(reply, pin_id)
        self.pins[pin_id] = number
        if len(self.pins) > PINS:
            del self.pins[next(iter(self.pins))]

    def _newest_code(self, number: str) -> str:
        assert self.service.sandbox is not None
        provider = self.service.sandbox.provider
        found = provider.outbox(number)
        if len(provider.outbox()) > 10 * PINS:
            provider.clear()
        return code_in(found[-1].text) if found else "0"

    def _note(self, reply: Reply, pin_id: str) -> None:
        if reply.status < 300:
            status, attempts = reply.json["status"], reply.json["attemptsRemaining"]
        else:
            details = reply.error.get("details", {})
            status = ENDED.get(reply.error["code"], details.get("status"))
            attempts = details.get("attemptsRemaining")
        if status is not None:
            self.told.append(Told(reply.headers["X-Request-Id"], pin_id, status, attempts))


async def replayed(service: Wired, told: Told) -> tuple[str, int] | None:
    """Return status and attempts at the last event of a request; None if it changed nothing."""
    history = await service.reading_log.stream(told.pin_id)
    own = [each for each in history if each.request_id == told.request_id]
    if not own:
        return None
    # The same prefix as `asOf` shows.
    prefix = await service.reading_log.stream(told.pin_id, Cut(position=own[-1].position))
    state = pin_decider.fold(each.event for each in prefix)
    return str(state.status_at(own[-1].event.at)), state.attempts_remaining


async def test_the_log_up_to_a_request_is_what_its_answer_told(
    caller: Caller, service: Wired
) -> None:
    """Sends, resends, right and wrong guesses and the passing of time, at the same time."""
    tea = await caller.with_template(**LIMITS)
    clients = Clients(tea, service, random.Random(SEED))

    async def calling() -> None:
        for _ in range(CALLS // CLIENTS):
            await clients.call()

    await asyncio.gather(*(calling() for _ in range(CLIENTS)))
    compared: Counter[str] = Counter()
    for told in clients.told:
        found = await replayed(service, told)
        if found is not None:
            status, attempts = found
            assert (told.status, attempts if told.attempts is None else told.attempts) == (
                status,
                attempts,
            ), told
            compared[status] += 1

    assert CALLS // 2 < compared.total()
    assert {"PENDING", "VERIFIED", "BLOCKED", "EXPIRED"} <= set(compared)
