"""
The guard in the life of a PIN: what a send and a guess are checked against (guard rules, C-102).

Nothing is read for it. A use case expects that every budget has room, and that a person last verified
when this process remembers. The append checks what was expected, and a refusal teaches (D-380).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from ...domain.channel import ChannelName
from ...domain.conditions import Condition, VerifiedAfter, WithinBudget
from ...domain.destination import canonical
from ...domain.event import ERASED
from ...domain.guard import (
    UNVERIFIED,
    Budget,
    CodeSend,
    DestinationVerdict,
    Guard,
    Guarded,
    GuessesLimit,
    Mode,
    Rule,
    budgets_of,
    counted,
    destination_refused,
    guesses_budget,
    without_unverified,
)
from ...domain.pin import Pin
from ...domain.test_destination import never_verified
from ..ports.event_store import Loaded
from ..ports.number_plan import NumberPlan
from ..remembered_people import RememberedPeople
from .budget_keys import BudgetKeys
from .checked import Checked, CheckedGuess, LookedAt, Target, label
from .guards import Guards, unchanged
from .heeding import Heeding

_ALLOWED = DestinationVerdict()


class Guarding:
    """Checks sends and guesses against the guard policy of their account."""

    def __init__(
        self,
        guards: Guards,
        remembered: RememberedPeople,
        keys: BudgetKeys,
        numbers: NumberPlan,
        heeding: Heeding,
    ) -> None:
        self._guards = guards
        self._remembered = remembered
        self._numbers = numbers
        self._heeding = heeding
        self.keys = keys
        self.not_allowed = heeding.not_allowed
        self.append = heeding.append

    async def look_at(
        self,
        account_id: str,
        person_id: str,
        destination: str,
        channels: Sequence[ChannelName],
        at: datetime,
        ip: str | None = None,
    ) -> LookedAt:
        """
        Return what the rules say of a destination itself, before any budget; `ip` is an HMAC.

        A refusal goes by the stored policy, not by a remembered one. A test is in no rule but `guesses`,
        because nothing is sent (C-103).
        """
        target = self._target(account_id, destination, ip)
        guard = await self._guards.recall(account_id)
        looked = self._looked_at(guard, target, person_id, channels, at)
        if looked.refused is None:
            return looked
        return self._looked_at(await self._guards.load(account_id), target, person_id, channels, at)

    def check(
        self, looked: LookedAt, attempts: int, at: datetime, *, known: bool = True
    ) -> Checked:
        """
        Return what the append of a send has to check and count.

        `attempts` are those of the template. A person who is not `known` was neither guessed at nor
        verified: the append itself requires that nobody has the destination yet.
        """
        target, person_id, policy = looked.target, looked.person_id, looked.guard.state.policy
        guesses = guesses_budget(policy, target.account_id, person_id, attempts) if known else None
        budgets, passes = self._budgets(looked, at, known=known)
        every = budgets if guesses is None else (guesses, *budgets)
        flagged = self._heeding.flagged(every, at)
        against = bool(flagged or looked.flags)
        counting = tuple([each for each in budgets if each.counts(flagged=against)])
        before = () if guesses is None else (_within(guesses, at, flagged, counts=False),)
        after = [_within(each, at, flagged, counts=each in counting) for each in budgets]
        return Checked(
            at=at,
            target=target,
            required=_required(looked.guard, looked.test_id, person_id),
            person_id=person_id,
            known=known,
            budgets=every,
            flagged=flagged,
            outright=looked.flags,
            guarded=Guarded(
                counted=_names(counting),
                flags=_flags(looked.flags, flagged),
                before=before,
                after=(*passes, *after),
            ),
        )

    async def check_guess(self, pin: Pin, at: datetime) -> CheckedGuess:
        """Return what the append of a verdict has to check and count."""
        guard = await self._guards.recall(pin.account_id)
        target = Target(
            account_id=pin.account_id, destination=canonical(pin.destination), country=pin.country
        )
        guesses = guesses_budget(guard.state.policy, pin.account_id, pin.person_id, pin.attempts)
        budgets = () if guesses is None else (guesses,)
        flagged = self._heeding.flagged(budgets, at)
        test_id = self._test_id(guard, pin.person_id, at) if pin.test else None
        return CheckedGuess(
            at=at,
            target=target,
            required=_required(guard, test_id, pin.person_id),
            person_id=pin.person_id,
            budgets=budgets,
            flagged=flagged,
            may_match=not pin.test or test_id is not None,
            limit=None if guesses is None else _limit(guesses, over=bool(flagged)),
            prefix=self._prefix_of(pin),
        )

    def _target(self, account_id: str, destination: str, ip: str | None) -> Target:
        form = canonical(destination)
        prefix = self.keys.prefix(account_id, form)
        country = None if prefix is None else self._numbers.country_of(form)
        return Target(
            account_id=account_id, destination=form, country=country, prefix=prefix, ip=ip
        )

    def _looked_at(
        self,
        guard: Loaded[Guard],
        target: Target,
        person_id: str,
        channels: Sequence[ChannelName],
        at: datetime,
    ) -> LookedAt:
        policy, verdict = guard.state.policy, _ALLOWED
        test_id = self._test_id(guard, person_id, at)
        if target.prefix is not None and test_id is None:
            asked = policy.numbers.mode is not Mode.OFF
            possible = not asked or self._numbers.possible(target.destination)
            verdict = destination_refused(policy, channels, target.country, possible)
        return LookedAt(
            guard=guard,
            target=target,
            person_id=person_id,
            channels=channels,
            refused=verdict.refused,
            flags=verdict.flags,
            test_id=test_id,
        )

    def _test_id(self, guard: Loaded[Guard], person_id: str, at: datetime) -> str | None:
        """Return the id of a test destination; a person who verified for real is none any more (C-79)."""
        test_id = guard.state.test_of(person_id, at)
        verified = test_id is not None and self._remembered.verified_at(person_id) is not None
        return None if verified else test_id

    def _budgets(
        self, looked: LookedAt, at: datetime, *, known: bool
    ) -> tuple[tuple[Budget, ...], tuple[Condition, ...]]:
        """Return the budgets of a send, and the condition on which a known person passes, or does not."""
        if looked.test_id is not None:
            return (), ()
        guard, target = looked.guard.state, looked.target
        send = CodeSend(
            account_id=target.account_id,
            channels=tuple(looked.channels),
            country=target.country,
            prefix=target.prefix,
            ip=target.ip,
        )
        budgets = tuple(budgets_of(guard.policy, guard.baselines, send))
        span = guard.policy.verified_pass
        # The budgets of unverified sends come first.
        if span is None or not known or not budgets or budgets[0].rule not in UNVERIFIED:
            return budgets, ()
        after = at - span.span
        verified_at = self._remembered.verified_at(looked.person_id)
        passes = verified_at is not None and verified_at > after
        if passes:
            budgets = without_unverified(budgets)
        return budgets, (VerifiedAfter(looked.person_id, after, passes),)

    def _prefix_of(self, pin: Pin) -> str | None:
        """Return the key of a PIN's prefix if a budget of it counted a send; an erased one has none."""
        if pin.destination == ERASED or not pin.counted:
            return None
        return self.keys.prefix(pin.account_id, canonical(pin.destination))


def _required(guard: Loaded[Guard], test_id: str | None, person_id: str) -> tuple[Condition, ...]:
    if test_id is None:
        return (unchanged(guard),)
    return unchanged(guard), never_verified(person_id)


def _within(
    budget: Budget, at: datetime, flagged: tuple[Budget, ...], *, counts: bool
) -> WithinBudget:
    return WithinBudget(budget.name, budget.rate, at, label(budget), counts, budget in flagged)


def _limit(budget: Budget, *, over: bool) -> GuessesLimit:
    return GuessesLimit(budget.name, budget.rate, over)


def _names(budgets: tuple[Budget, ...]) -> tuple[str, ...]:
    """Return the names of budgets in an event, each once: two channels may share a rule and a window."""
    return tuple(dict.fromkeys([counted(each.rule, each.rate) for each in budgets]))


def _flags(outright: tuple[Rule, ...], flagged: tuple[Budget, ...]) -> tuple[str, ...]:
    if not outright and not flagged:
        return ()
    return tuple(dict.fromkeys([str(each) for each in (*outright, *(b.rule for b in flagged))]))
