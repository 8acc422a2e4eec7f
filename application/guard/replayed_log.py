"""The events of a log, as a replayed policy takes them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import NamedTuple

from ...domain.channel import Channel, ChannelName
from ...domain.destination import canonical
from ...domain.guard import (
    CountryBaselineSet,
    GuardPolicy,
    RecordedSend,
    Replay,
    Rule,
    SendsRefused,
    SubjectReleased,
    destination_refused,
    prefix_of,
)
from ...domain.pin import (
    Pin,
    PinBlocked,
    PinErased,
    PinIssued,
    PinResent,
    PinVerified,
    VerifyFailed,
    pin_decider,
)
from ..journal import Journal
from ..ports.event_store import Recorded
from ..ports.number_plan import NumberPlan
from .budget_keys import BudgetKeys
from .replay_figures import Place, ReplayFigures, ReplayReport

MOST_PREFIXES = 100
# PINs in memory before those that have expired are dropped.
FEWEST_TIDIED = 10_000


class Judged(NamedTuple):
    """A send of a PIN, and the rule that refuses it, if one does."""

    pin_id: str
    rule: Rule | None


class ReplayedLog:
    """Takes the events of a log in order, and counts what a policy makes of the sends of an account."""

    def __init__(
        self,
        journal: Journal,
        keys: BudgetKeys,
        plan: NumberPlan,
        account_id: str,
        policy: GuardPolicy,
        since: datetime,
        until: datetime,
    ) -> None:
        self._journal = journal
        self._keys = keys
        self._plan = plan
        self._account_id = account_id
        self._policy = policy
        self._since, self._until = since, until
        self._replay = Replay(policy)
        self._figures = ReplayFigures()
        # The refused sends of PINs, and until when their codes can be verified.
        self._refused: dict[str, tuple[datetime, tuple[Place, ...]]] = {}
        self._tidied_at = FEWEST_TIDIED

    async def take(self, recorded: Recorded) -> Judged | None:
        """Take an event of any account; return what the policy makes of it, if it is a send that counts."""
        if recorded.account != self._account_id:
            return None
        pin_id, event = recorded.stream, recorded.event
        match event:
            case PinIssued():
                return self._sent(pin_id, event, event)
            case PinResent():
                pin = await self._pin(pin_id)
                return None if pin is None else self._sent(pin_id, pin, event)
            case PinVerified():
                self._verified(pin_id, event.at)
            case VerifyFailed():
                self._replay.guessed_wrong(pin_id, event.at)
            case PinBlocked():
                self._replay.guessed_wrong(pin_id, event.at)
                self._ended(pin_id)
            case PinErased():
                self._ended(pin_id)
            case CountryBaselineSet():
                self._replay.baseline(event.country, event.limit)
            case SubjectReleased():
                self._replay.released(event.rule, event.account_id, event.key)
            case SendsRefused():
                if self._since <= event.since < self._until:
                    self._figures.inexact += event.count
        return None

    def report(self) -> ReplayReport:
        """Return the figures."""
        return self._figures.report(MOST_PREFIXES)

    async def _pin(self, pin_id: str) -> Pin | None:
        """Return a PIN, of which retention may have taken the destination; None if it took all."""
        loaded = await self._journal.find(pin_decider, pin_id)
        if loaded is not None:
            return loaded.state
        history = await self._journal.read_stream(pin_id)
        return pin_decider.fold([each.event for each in history]) if history else None

    def _sent(
        self, pin_id: str, pin: PinIssued | Pin, sent: PinIssued | PinResent
    ) -> Judged | None:
        number = _number_of(pin.destination, sent.channels)
        possible = number is None or self._plan.possible(number)
        country = pin.country
        if country is None and number is not None:
            # No rule was on that asks for the country.
            country = self._plan.country_of(number)
        send = RecordedSend(
            at=sent.at,
            pin_id=pin_id,
            account_id=self._account_id,
            person_id=pin.person_id,
            channels=sent.channels,
            country=country,
            prefix=None if number is None else self._keys.prefix(self._account_id, number),
            ip=pin.context_ip,
            attempts=sent.attempts,
            expires_at=sent.expires_at,
            outright=destination_refused(self._policy, sent.channels, country, possible),
            test=pin.test,
        )
        rule = self._replay.sent(send)
        if pin.test or not self._since <= sent.at < self._until:
            return None
        prefix = None if number is None else f"+{prefix_of(number)}"
        place = self._figures.place(sent.at.astimezone(UTC).date(), country, prefix)
        if rule is not None:
            place.refuse()
            self._remember(pin_id, place, sent)
        return Judged(pin_id, rule)

    def _remember(self, pin_id: str, place: Place, sent: PinIssued | PinResent) -> None:
        _, places = self._refused.get(pin_id, (None, ()))
        self._refused[pin_id] = sent.expires_at, (*places, place)
        if len(self._refused) < self._tidied_at:
            return
        self._refused = {
            each: refused for each, refused in self._refused.items() if refused[0] > sent.at
        }
        self._tidied_at = max(FEWEST_TIDIED, 2 * len(self._refused))

    def _verified(self, pin_id: str, at: datetime) -> None:
        self._replay.verified(pin_id, at)
        _, places = self._refused.pop(pin_id, (at, ()))
        for place in places:
            place.verify()

    def _ended(self, pin_id: str) -> None:
        self._replay.ended(pin_id)
        self._refused.pop(pin_id, None)


def _number_of(destination: str, channels: Iterable[ChannelName]) -> str | None:
    """Return the canonical digits of a number; None for an address, and for what nobody can read now."""
    if all(channel == Channel.EMAIL for channel in channels):
        return None
    form = canonical(destination)
    return form if form.isdecimal() else None
