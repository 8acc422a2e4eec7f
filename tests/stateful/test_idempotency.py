"""Idempotency-Keys through jumps of both clocks: one owner, one answer a day, never stuck (C-10)."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from attrs import define
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule

from tests.contracts.event_store.histories import NOON, step
from tests.fakes.clocks import MachineSeconds
from tests.vaults import new_vault
from watchword.adapters.event_store.sqlite.store import SqliteEventStore
from watchword.application.ports.event_store import (
    KeyAnswered,
    KeyInProgress,
    KeyReused,
    LeaseLost,
    Reservation,
)

KEYS, BODIES = ("key-1", "key-2"), ("tea", "coffee")
A_DAY = timedelta(days=1)


@define
class Claim:
    """The newest successful claim on a key, by the service's and the machine's clock."""

    reservation: Reservation
    taken_at: Any
    alive_at: float
    alive: bool = True
    answer: bytes | None = None


class KeyMachine(RuleBasedStateMachine):
    """Requests that take, renew, complete or abandon two keys."""

    requests = Bundle("requests")
    # The only node, started again, knows that no process holds a key any more.
    frees_at_start = True

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.runner = asyncio.Runner()
        self.real = MachineSeconds()
        self.now = NOON
        self.made = 0
        self.claims: dict[str, Claim] = {}

    @initialize()
    def open(self) -> None:
        """Open the store."""
        self.store = self.runner.run(self.opened())

    async def opened(self) -> Any:
        """Open the kind of store that is under test."""
        path = Path(self.folder.name) / "store.db"
        return await SqliteEventStore.open(path, real_time=self.real, vault=new_vault())

    @rule(seconds=st.sampled_from((1, 9, 29.5, 30, 31)))
    def real_time_goes_by(self, seconds: float) -> None:
        """Let real time go by, as it always does."""
        self.real.forward(seconds)
        self.now += timedelta(seconds=seconds)

    @rule(hours=st.sampled_from((-25, -1, 12, 23.999, 24, 100)))
    def service_clock_is_moved(self, hours: float) -> None:
        """Move the service's clock alone, also back."""
        self.now += timedelta(hours=hours)

    @rule()
    def restart(self) -> None:
        """Close the store and open it a second later."""
        self.runner.run(self.store.close())
        self.real_time_goes_by(1)
        self.open()
        for claim in self.claims.values():
            claim.alive = claim.alive and not self.frees_at_start

    @rule(target=requests, key=st.sampled_from(KEYS), body=st.sampled_from(BODIES))
    def take(self, key: str, body: str) -> Reservation:
        """Let a new request claim a key."""
        self.made += 1
        mine = Reservation(scope=key, fingerprints=(body,), owner=f"request {self.made}")
        asked = self._told(self.store.check_key(mine, self.now))
        told = self._told(self.store.append(step(at=self.now, taking=mine)))
        claim = self.claims.get(key)
        if told is None:
            assert claim is None or not self._stands(claim)
            self.claims[key] = Claim(mine, self.now, self.real())
        else:
            assert claim is not None
            assert self._stands(claim)
            self._explain(told, claim, body)
        assert repr(told) == repr(asked)
        return mine

    @rule(request=requests, answer=st.binary(max_size=3))
    def complete(self, request: Reservation, answer: bytes) -> None:
        """Let any request, however old, try to save its answer."""
        told = self._told(self.store.append(step(at=self.now, completing=request, answer=answer)))
        if self._owns(request):
            assert told is None
            self.claims[request.scope].answer = answer
        else:
            assert isinstance(told, LeaseLost)

    @rule(request=requests)
    def renew(self, request: Reservation) -> None:
        """Let any request, however old, try to renew its lease."""
        told = self._told(self.store.append(step(at=self.now, renewing=request)))
        if self._owns(request):
            assert told is None
            self.claims[request.scope].alive_at = self.real()
            self.claims[request.scope].alive = True
        else:
            assert isinstance(told, LeaseLost)

    @invariant()
    def nobody_waits_longer_than_a_lease(self) -> None:
        """A key in progress is free within 30 s of real time, after any actions."""
        for key in KEYS:
            asking = Reservation(scope=key, fingerprints=BODIES, owner="asking")
            told = self._told(self.store.check_key(asking, self.now))
            if isinstance(told, KeyInProgress):
                assert 0 < told.seconds_left <= 30

    def teardown(self) -> None:
        """Close the store and clear up."""
        self.runner.run(self.store.close())
        self.runner.close()
        self.folder.cleanup()

    def _told(self, call: Coroutine[Any, Any, Any]) -> Any:
        try:
            self.runner.run(call)
        except (KeyAnswered, KeyInProgress, KeyReused, LeaseLost) as refusal:
            return refusal
        return None

    def _stands(self, claim: Claim) -> bool:
        if claim.answer is None:
            return claim.alive and self.real() - claim.alive_at < 30
        return bool(self.now - claim.taken_at < A_DAY)

    def _owns(self, request: Reservation) -> bool:
        claim = self.claims.get(request.scope)
        return claim is not None and claim.answer is None and claim.reservation is request

    def _explain(self, told: Exception, claim: Claim, body: str) -> None:
        match told:
            case KeyReused():
                assert (body,) != claim.reservation.fingerprints
            case KeyAnswered(answer=answer):
                assert claim.answer == answer
                assert (body,) == claim.reservation.fingerprints
            case KeyInProgress(seconds_left=seconds_left):
                assert claim.answer is None
                assert 30 - (self.real() - claim.alive_at) == seconds_left
                assert (body,) == claim.reservation.fingerprints
            case _:
                raise told


TestIdempotency = KeyMachine.TestCase
# Every step goes to the disk and back: fewer lives than other machines have.
TestIdempotency.settings = settings(max_examples=settings().max_examples // 4)
