"""
Histories of PINs on a store, which a test makes step by step, and nodes that count them.

Times are whole milliseconds, as an exported log shows them.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from attrs import define

from tests.contracts.event_store.sample_people import person
from tests.fakes.clocks import StillClock
from watchword.application.journal import Journal
from watchword.application.log_follower import LogFollower
from watchword.application.log_wakeup import LogWakeup
from watchword.application.ports.event_store import (
    Append,
    Change,
    EventStore,
    Outline,
    StoreUnavailable,
)
from watchword.application.statistics.asking import AskingStatistics
from watchword.application.statistics.eras import FOLLOWER
from watchword.application.statistics.following import FollowingStatistics
from watchword.domain.accounts.channel_account import (
    ChannelAccountCreated,
    channel_account_decider,
)
from watchword.domain.channel import Channel, ChannelOutcome, OutcomeStatus
from watchword.domain.decider import Decider
from watchword.domain.event import Event
from watchword.domain.guard import Rule
from watchword.domain.guard.counted_decision import SendsRefused, counted_decision_decider
from watchword.domain.pin import (
    Pin,
    PinBlocked,
    PinDispatched,
    PinErased,
    PinIssued,
    PinReported,
    PinResent,
    PinSuperseded,
    PinVerified,
    pin_decider,
)
from watchword.domain.pin.stages import Blocked, Erased, Expired, Pending, Verified
from watchword.domain.price import Price
from watchword.domain.rate_limit import Rate
from watchword.domain.receipt import ReceiptStatus

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
GUEST = person("guest")
PROVIDERS = {"cha_tulip": "alpha", "cha_rose": "beta"}
ACCOUNTS = ("acc_garden", "acc_meadow")
_TEMPLATES = ("tpl_gate", "tpl_shed")
_COUNTRIES = (None, "GB", "IN", "GB")
_CHANNELS = (
    (Channel.SMS,),
    (Channel.SMS, Channel.WHATSAPP),
    (Channel.EMAIL,),
    (Channel.SMS, Channel.WHATSAPP, Channel.EMAIL),
)
_PRICES = (None, Price("0.0075", "EUR"), Price("0.1", "USD"), Price("12.000000000001", "EUR"))
_EVENT = {"verify": PinVerified, "block": PinBlocked, "erase": PinErased}


@define
class FailingStore:
    """A store whose next append does not answer: it is written, or not."""

    inside: EventStore
    fails: str = ""

    def __getattr__(self, name: str) -> Any:
        """Return a method of the store inside."""
        return getattr(self.inside, name)

    async def append(self, append: Append) -> Sequence[int]:
        """Append, unless it fails."""
        fails, self.fails = self.fails, ""
        if fails == "before":
            raise StoreUnavailable("Gone.")
        positions = await self.inside.append(append)
        if fails == "after":
            raise StoreUnavailable("Gone.")
        return positions


class Node:
    """A node that counts, with small batches and little memory, so that it reads often."""

    def __init__(self, store: EventStore, clock: StillClock, batch: int = 5) -> None:
        self.store = FailingStore(store)
        journal = Journal(self.store)
        self.following = FollowingStatistics(journal, clock, most_pins=3)
        self.follower: LogFollower[Outline] = LogFollower(
            FOLLOWER,
            journal,
            clock,
            LogWakeup(),
            self.following.read,
            self.following.react,
            batch=batch,
        )
        self.asking = AskingStatistics(journal, clock)


class Histories:
    """What happened, and may happen next."""

    def __init__(self, store: EventStore) -> None:
        self.store = store
        self.clock = StillClock()
        self.pins: dict[str, Pin] = {}
        self._versions: dict[str, int] = {}
        self._names = 0

    async def begin(self) -> None:
        """Meet a person, and make the channel accounts."""
        await self.store.append(
            Append(at=NOON, actor="gardener", request_id="", new_people=(GUEST,))
        )
        for name, provider in PROVIDERS.items():
            created = ChannelAccountCreated(
                at=NOON,
                account_id=ACCOUNTS[0],
                channel_type=Channel.SMS,
                provider=provider,
                name=name,
                config={},
            )
            await self._add(channel_account_decider, name, None, created)

    async def step(self, name: str, one: int, other: int) -> None:
        """Let something happen, or nothing if it cannot."""
        if name == "wait":
            self.clock.move((1, 0.001, 7, 59.999, 100, 1_800, 3_600, 90_000)[one])
        elif name == "refuse":
            await self._refuse(one, other)
        elif name == "create":
            await self._create(one, other)
        elif self.pins:
            pin_id = list(self.pins)[-1 - one % min(len(self.pins), 4)]
            await self._continue(name, pin_id, self.pins[pin_id], other)

    async def _create(self, one: int, other: int) -> None:
        now = self.clock.now()
        issued = PinIssued(
            at=now,
            account_id=ACCOUNTS[one // 4],
            template_id=_TEMPLATES[one % 2],
            person_id=GUEST.person_id,
            destination="+447700900123",
            channels=_CHANNELS[other % 4],
            code_hash="1$hash",
            expires_at=now + timedelta(seconds=(60, 0.5, 600, 4_000)[one % 4]),
            attempts=3,
            verify_limit=Rate("1/3s"),
            country=_COUNTRIES[other // 2],
            test=other == 7,
        )
        self._names += 1
        await self._add_to_pin(f"pin_{self._names}", issued)

    async def _continue(self, name: str, pin_id: str, pin: Pin, other: int) -> None:
        now, life = self.clock.now(), type(pin.life)
        match name:
            case "dispatch" if pin.undispatched:
                issue = [*pin.undispatched][-(other % 2) % len(pin.undispatched)]
                outcomes = tuple(
                    _outcome(each, other + number)
                    for number, each in enumerate(pin.undispatched[issue])
                )
                await self._add_to_pin(
                    pin_id, PinDispatched(at=now, issue=issue, outcomes=outcomes)
                )
            case "resend" if life not in (Verified, Blocked, Erased):
                resent = PinResent(
                    at=now,
                    issue=pin.issue + 1,
                    channels=_CHANNELS[other % 4],
                    code_hash="1$hash",
                    expires_at=now + timedelta(seconds=(60, 0.5, 600, 4_000)[other // 2]),
                    attempts=3,
                    verify_limit=Rate("1/3s"),
                )
                await self._add_to_pin(pin_id, resent)
            case "report":
                issue = 1 + other % pin.issue
                channels = pin.sent_on(issue)
                reported = PinReported(
                    at=now,
                    issue=issue,
                    channel=channels[other % len(channels)],
                    status=list(ReceiptStatus)[other // 2],
                    reported_at=now,
                    segments=(None, 2, 3)[other % 3],
                    price=_PRICES[other % 4] if other > 3 else None,
                )
                await self._add_to_pin(pin_id, reported)
            case "verify" | "block" if life in (Pending, Expired):
                await self._add_to_pin(pin_id, _EVENT[name](at=now, issue=pin.issue))
            case "supersede" if life in (Pending, Expired):
                await self._add_to_pin(pin_id, PinSuperseded(at=now, by="pin_later"))
            case "erase" if life is not Erased:
                await self._add_to_pin(pin_id, PinErased(at=now))
            case _:
                pass

    async def _refuse(self, one: int, other: int) -> None:
        now = self.clock.now()
        refused = SendsRefused(
            at=now,
            account_id=ACCOUNTS[one % 2],
            rule=list(Rule)[one],
            subject="IN",
            country=_COUNTRIES[other // 2],
            since=now - timedelta(seconds=30),
            until=now,
            count=other + 1,
        )
        self._names += 1
        await self._add(counted_decision_decider, f"dcs_{self._names}", None, refused)

    async def _add_to_pin(self, pin_id: str, event: Event) -> None:
        self.pins[pin_id] = await self._add(pin_decider, pin_id, self.pins.get(pin_id), event)

    async def _add(self, decider: Decider[Any], stream: str, state: Any, event: Event) -> Any:
        version = self._versions.get(stream, 0)
        after = decider.fold((event,), state)
        change = Change(stream, version, (event,), after)
        await self.store.append(
            Append(at=event.at, actor="gardener", request_id="", changes=(change,))
        )
        self._versions[stream] = version + 1
        return after


def _outcome(channel: str, choice: int) -> ChannelOutcome:
    status = (
        OutcomeStatus.ACCEPTED,
        OutcomeStatus.ACCEPTED,
        OutcomeStatus.REJECTED,
        OutcomeStatus.UNKNOWN,
    )[choice % 4]
    if choice == 7:
        return ChannelOutcome(
            channel=channel, status=OutcomeStatus.UNKNOWN, error_code="dispatch_interrupted"
        )
    refused = status is OutcomeStatus.REJECTED
    return ChannelOutcome(
        channel=channel,
        channel_account_id=[*PROVIDERS][choice // 4 % 2],
        status=status,
        error_code=None if status is OutcomeStatus.ACCEPTED else "provider_unknown",
        segments=(None, 2)[choice % 2],
        price=None if refused else _PRICES[choice // 2 % 4],
        rate=None if refused else _PRICES[(choice + 1) % 4],
    )
