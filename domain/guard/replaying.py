"""
Replay the sends of an account under a policy, as if the policy had held at the time (guard.md section 2).

The replay keeps the tallies that a store would have. A send that it refuses counts nothing, and what
followed from that send alone, such as its verification, counts nothing either.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from datetime import datetime

from attrs import define, field, frozen

from ..channel import ChannelName
from ..conditions import PASS_STEP
from .budgets import under_any_window
from .code_sends import Budget, CodeSend, budgets_of, guesses_budget, without_unverified
from .destinations import ALLOWED, DestinationVerdict
from .policy import GuardPolicy, longest_window
from .rules import UNVERIFIED, Mode, Rule
from .sweeping import sweep
from .tally_book import TallyBook

# A send adds a PIN, a person and up to eight budgets. So many of each are looked at with each send.
_SWEPT, _BUDGETS_SWEPT = 2, 16


@frozen(kw_only=True)
class RecordedSend:
    """
    A send of a code in the log; `prefix` and `ip` are any keys that tell two of them apart.

    `outright` says what the rules about numbers themselves make of the destination.
    """

    at: datetime
    pin_id: str
    account_id: str
    person_id: str
    channels: tuple[ChannelName, ...]
    country: str | None
    prefix: str | None = field(repr=False)
    ip: str | None = field(default=None, repr=False)
    attempts: int
    expires_at: datetime
    outright: DestinationVerdict = ALLOWED
    test: bool = False


@define
class _PinOfReplay:
    """A PIN that the replay let at least one send of."""

    person_id: str
    account_id: str
    attempts: int
    expires_at: datetime
    test: bool
    attempts_left: int = 0
    # What a verification gives back.
    counted: list[tuple[str, datetime]] = field(factory=list)


class Replay:
    """Decides the recorded sends of one account in the order of the log."""

    def __init__(self, policy: GuardPolicy) -> None:
        self._policy = policy
        # A send or a code that is older than this has no effect any more.
        self._reach = longest_window(policy)
        self._tallies = TallyBook()
        self._baselines: dict[str, int] = {}
        self._verified_at: OrderedDict[str, datetime] = OrderedDict()
        self._pins: OrderedDict[str, _PinOfReplay] = OrderedDict()

    @property
    def size(self) -> int:
        """The number of budgets, PINs and people in memory."""
        return len(self._tallies.names()) + len(self._pins) + len(self._verified_at)

    def sent(self, send: RecordedSend) -> Rule | None:
        """Return the rule that refuses a send; None if the policy lets it through."""
        self._tidy(send.at)
        budgets = () if send.test else self._budgets(send)
        guesses = guesses_budget(self._policy, send.account_id, send.person_id, send.attempts)
        reached = [
            each for each in (guesses, *budgets) if each and self._tallies.is_reached(each, send.at)
        ]
        refusing = [each.rule for each in reached if each.mode is Mode.ENFORCE]
        if send.outright.refused or refusing:
            return send.outright.refused or refusing[0]
        pin = self._pins.get(send.pin_id)
        if pin is None:
            pin = self._pins[send.pin_id] = _PinOfReplay(
                send.person_id, send.account_id, send.attempts, send.expires_at, send.test
            )
        pin.attempts = pin.attempts_left = send.attempts
        pin.expires_at = send.expires_at
        flagged = bool(reached or send.outright.flags)
        for each in budgets:
            if each.counts(flagged=flagged):
                self._tallies.add(each, send.at)
                if each.rule in UNVERIFIED:
                    pin.counted.append((each.name, send.at))
        return None

    def guessed_wrong(self, pin_id: str, at: datetime) -> None:
        """Judge a wrong guess at the newest code that the policy let through."""
        pin = self._live(pin_id, at)
        if pin is None or not self._is_judged(pin, at):
            return
        budget = self._guesses(pin)
        if budget is not None and not self._tallies.is_reached(budget, at):
            self._tallies.add(budget, at)
        if pin.attempts_left:
            pin.attempts_left -= 1
        else:
            del self._pins[pin_id]

    def verified(self, pin_id: str, at: datetime) -> bool:
        """Judge a right guess; return False if the policy would not have told it, or the code was over."""
        pin = self._live(pin_id, at)
        if pin is None or not self._is_judged(pin, at):
            return False
        budget = self._guesses(pin)
        if budget is not None:
            self._tallies.start_anew(budget.name)
        del self._pins[pin_id]
        for name, sent_at in pin.counted:
            self._tallies.give_back(name, sent_at)
        before = self._verified_at.get(pin.person_id)
        if not pin.test and (before is None or at - before >= PASS_STEP):
            self._verified_at[pin.person_id] = at
        return True

    def ended(self, pin_id: str) -> None:
        """Forget a PIN that nobody can verify any more."""
        self._pins.pop(pin_id, None)

    def baseline(self, country: str, limit: int) -> None:
        """Set the adaptive limit of a country."""
        self._baselines[country] = limit

    def released(self, rule: Rule, account_id: str, key: str) -> None:
        """Begin the count of a subject anew, under every window."""
        budgets = under_any_window(rule, account_id, key)
        for name in self._tallies.names():
            if name.startswith(budgets):
                self._tallies.start_anew(name)

    def _budgets(self, send: RecordedSend) -> Sequence[Budget]:
        code_send = CodeSend(
            account_id=send.account_id,
            channels=send.channels,
            country=send.country,
            prefix=send.prefix,
            ip=send.ip,
        )
        budgets = budgets_of(self._policy, self._baselines, code_send)
        return without_unverified(budgets) if self._passes(send.person_id, send.at) else (*budgets,)

    def _live(self, pin_id: str, at: datetime) -> _PinOfReplay | None:
        """Return a PIN whose newest code can be guessed; a resend that was refused revived none."""
        pin = self._pins.get(pin_id)
        return pin if pin is not None and at < pin.expires_at else None

    def _is_judged(self, pin: _PinOfReplay, at: datetime) -> bool:
        budget = self._guesses(pin)
        return (
            budget is None
            or budget.mode is not Mode.ENFORCE
            or not self._tallies.is_reached(budget, at)
        )

    def _passes(self, person_id: str, at: datetime) -> bool:
        verified_at = self._verified_at.get(person_id)
        return verified_at is not None and self._passes_since(verified_at, at)

    def _passes_since(self, verified_at: datetime, at: datetime) -> bool:
        span = self._policy.verified_pass
        return span is not None and verified_at > at - span.span

    def _guesses(self, pin: _PinOfReplay) -> Budget | None:
        return guesses_budget(self._policy, pin.account_id, pin.person_id, pin.attempts)

    def _tidy(self, at: datetime) -> None:
        """Drop a little of what no window and no code reaches any more."""
        past = at - self._reach
        self._tallies.tidy(at, _BUDGETS_SWEPT)
        sweep(self._pins, lambda pin: pin.expires_at <= past, _SWEPT)
        sweep(
            self._verified_at,
            lambda verified_at: not self._passes_since(verified_at, at - PASS_STEP),
            _SWEPT,
        )
