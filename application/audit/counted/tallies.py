"""Compare the tallies of the guard's budgets with the sends that the log says they counted (C-102, C-91)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from operator import itemgetter
from typing import Any

from attrs import field, frozen

from ....domain.channel import ChannelName
from ....domain.destination import canonical
from ....domain.event import ERASED
from ....domain.guard import (
    UNVERIFIED,
    Guard,
    Rule,
    SubjectReleased,
    bucket_at,
    budget_of,
    counts_until,
    rule_and_window,
)
from ....domain.pin import Pin, PinIssued, PinResent, PinVerified
from ...guard.budget_keys import BudgetKeys
from ...ports.event_store import TallyCorrection
from ...ports.person_keys import PersonKeys
from ...ports.snapshot import KeptEvent, KeptTally, Snapshot
from ...records.guard import GUARD, guard_stream
from ...records.pin import PIN
from ..differences import Difference, Kind
from ..lookahead import Lookahead
from ..sorting import Entry, Sorting

# What an event did to a budget; one event does one thing to each.
_SENT, _VERIFIED, _RELEASED = "sent", "verified", "released"
_MICROSECOND = timedelta(microseconds=1)
_WHOSE = tuple(f"{each}_" for each in (PIN.prefix, GUARD.prefix))
_NONE = 0, 0

Counts = tuple[int, int]
# A bucket of all budgets of a rule, an account and a window.
_Group = tuple[str, str, int, int]


@frozen(kw_only=True)
class TallyDifference(Difference):
    """
    A bucket that counts too much or too little; `correction` puts it right.

    That holds as long as the account's guard is at `version`: releases of subjects stand there.
    """

    correction: TallyCorrection = field(repr=False)
    guard: str
    version: int


class CountedTallies:
    """
    Reads all events, and counts again what budgets count in the buckets that a window still reaches.

    No event says whether a wrong guess was counted, on which of several channels a send was, or, after an
    erasure, to which prefix or from which IP. Buckets of such sends are not compared, nor is anything if
    the events of a PIN or a guard cannot be replayed.
    """

    def __init__(
        self, keys: PersonKeys | None, now: datetime, sorting: Callable[[], Sorting] = Sorting
    ) -> None:
        self._keys = None if keys is None else BudgetKeys(keys)
        self._now = now
        self._changes = sorting()
        self._unsure: set[_Group] = set()
        self._guards: dict[str, int] = {}
        self._doubted = False

    def take(self, kept: KeptEvent, state: Any, *, broken: bool) -> None:
        """Read an event and the state after it."""
        if not kept.stream.startswith(_WHOSE):
            return
        self._doubted |= broken
        match kept.event:
            case PinIssued() | PinResent() as sent if isinstance(state, Pin):
                for text in sent.counted:
                    self._change(kept, state, text, sent.at, _SENT, sent.channels)
            case PinVerified() if isinstance(state, Pin) and not state.test:
                for at, texts in state.counted:
                    for text in texts:
                        if rule_and_window(text)[0] in UNVERIFIED:
                            self._change(kept, state, text, at, _VERIFIED)
            case SubjectReleased() as released if isinstance(state, Guard):
                rate = state.rate_of(released.rule, released.key)
                if rate is not None and released.rule is not Rule.GUESSES:
                    name = budget_of(released.rule, released.account_id, released.key, rate.window)
                    self._add(name, kept, _RELEASED, 0)
        if isinstance(state, Guard):
            self._guards[state.account_id] = kept.version

    async def differences(self, snapshot: Snapshot) -> AsyncIterator[Difference]:
        """Yield the buckets that count others than the sends in the log."""
        if self._keys is None or self._doubted:
            return
        await self._changes.ready()
        kept = Lookahead(snapshot.tallies(), _subject)
        for subject, changes in groupby(self._changes.sorted(), key=itemgetter(0)):
            async for stray in kept.before(subject):
                for each in self._differing(stray.subject, {}, (stray,)):
                    yield each
            for each in self._differing(subject, _tallied(changes), await kept.under(subject)):
                yield each
        async for stray in kept.before(None):
            for each in self._differing(stray.subject, {}, (stray,)):
                yield each

    def close(self) -> None:
        """Drop the sorted data."""
        self._changes.close()

    def _change(
        self,
        kept: KeptEvent,
        pin: Pin,
        text: str,
        at: datetime,
        what: str,
        channels: Sequence[ChannelName] = (),
    ) -> None:
        rule, window = rule_and_window(text)
        bucket = bucket_at(at, window)
        if counts_until(bucket, window) <= self._now:
            return
        key = self._key(rule, pin, channels)
        if key is None:
            self._unsure.add((rule, pin.account_id, window // _MICROSECOND, bucket))
        else:
            self._add(budget_of(rule, pin.account_id, key, window), kept, what, bucket)

    def _key(self, rule: Rule, pin: Pin, channels: Sequence[ChannelName]) -> str | None:
        """Return what a budget knows the subject of a send by; None if no event says it."""
        match rule:
            case Rule.COUNTRY:
                return pin.country
            case Rule.PREFIX if self._keys is not None and pin.destination != ERASED:
                return self._keys.prefix(pin.account_id, canonical(pin.destination))
            case Rule.IP if pin.context_ip != ERASED:
                return pin.context_ip
            case Rule.ACCOUNT:
                return ""
            case Rule.CHANNELS if len(channels) == 1:
                return channels[0]
            case _:
                return None

    def _add(self, name: str, kept: KeptEvent, what: str, bucket: int) -> None:
        self._changes.add(name, f"{kept.position:020}", what, str(bucket))

    def _differing(
        self, subject: str, wanted: dict[int, Counts], found: Iterable[KeptTally]
    ) -> Iterator[Difference]:
        """Yield the buckets of a budget that are not as wanted."""
        named = _rule_account_window(subject)
        if named is None:
            # Guesses, and names that no budget has: nothing is counted in those.
            return
        rule, account_id, window = named
        has = {each.bucket: (each.sent, each.verified) for each in found}
        for bucket in sorted({*wanted, *has}):
            expected, kept = wanted.get(bucket, _NONE), has.get(bucket, _NONE)
            group = (rule, account_id, window // _MICROSECOND, bucket)
            if expected == kept or group in self._unsure or not self._reaches(bucket, window):
                continue
            yield TallyDifference(
                kind=Kind.TALLY,
                what="Tally",
                id=account_id,
                field=f"{rule} {bucket}",
                expected=_shown(expected),
                found=_shown(kept),
                correction=TallyCorrection(
                    subject, bucket, window, expected[0] - kept[0], expected[1] - kept[1]
                ),
                guard=guard_stream(account_id),
                version=self._guards.get(account_id, 0),
            )

    def _reaches(self, bucket: int, window: timedelta) -> bool:
        try:
            return counts_until(bucket, window) > self._now
        except OverflowError:
            # No calendar has the time of such a bucket.
            return True


def _tallied(changes: Iterable[Entry]) -> dict[int, Counts]:
    """Return what a budget counts after some changes, in the order of the log."""
    buckets: dict[int, Counts] = {}
    for _, _, what, number in changes:
        bucket = int(number)
        sent, verified = buckets.get(bucket, _NONE)
        if what == _RELEASED:
            buckets.clear()
        elif what == _SENT:
            buckets[bucket] = sent + 1, verified
        elif verified < sent:
            buckets[bucket] = sent, verified + 1
    return buckets


def _rule_account_window(subject: str) -> tuple[Rule, str, timedelta] | None:
    """Return what the name of a budget says; None for another name, and for guesses."""
    try:
        rule, _, account_id, window = subject.split(":")
        named = Rule(rule), account_id, int(window) * _MICROSECOND
    except (ValueError, OverflowError):
        return None
    return None if named[0] is Rule.GUESSES or named[2] <= timedelta(0) else named


def _shown(counts: Counts) -> str:
    return f"{counts[0]} sent, {counts[1]} verified"


def _subject(tally: KeptTally) -> str:
    return tally.subject
