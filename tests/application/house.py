"""Use cases around a store that a test can trouble, with one account, template and key."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from tests.fakes.clocks import MachineSeconds, StillClock
from tests.fakes.hashers import FakePasswordHasher
from tests.fakes.providers import ScriptedProvider
from tests.fakes.stores import TroubledStore
from tests.fakes.webs import ScriptedWeb
from tests.vaults import INDEX_KEY, KEYRING, SHARED, new_vault
from watchword.adapters.answer_sealing import HmacAnswerSealer
from watchword.adapters.event_store.memory.store import MemoryEventStore
from watchword.adapters.fingerprinting import HmacFingerprinter
from watchword.adapters.hashing import PasslibCodeHasher
from watchword.adapters.keyring import Keyring
from watchword.adapters.media_files import FolderMediaFiles
from watchword.adapters.number_plan import PhoneNumberPlan
from watchword.adapters.randomness import SecretRandomness
from watchword.adapters.sealing import AesGcmSealer
from watchword.adapters.standard_webhooks import StandardWebhooksSigner
from watchword.application.caller import Caller
from watchword.application.due_work import DueWork
from watchword.application.forgetting import forgetting
from watchword.application.idempotency import Idempotency
from watchword.application.pins.issuing_pins import IssueRequest
from watchword.application.pins.sending_pins import SentPin
from watchword.application.pins.template_channels import ChannelEntry
from watchword.application.pins.verifying_pins import VerifyingPins
from watchword.application.ports.channels import ChannelProvider
from watchword.application.ports.event_store import DueKind, EventStore, Reservation
from watchword.application.ports.provider_observer import ProviderObserver
from watchword.application.ports.store_observer import StoreObserver
from watchword.domain.channel import Channel
from watchword.domain.pin_template.policy import PinPolicy
from watchword.domain.rate_limit import Duration, Rate
from watchword.entrypoints.composition.ports import Ports
from watchword.entrypoints.composition.use_cases import wire
from watchword.entrypoints.wired import Wired

POLICY = PinPolicy(
    pin_length=10,
    pin_attempts=3,
    verify_pin_limit=Rate("1000/s"),
    resend_cooldown=Duration("0s"),
)
# Where no file can be: tests of media bring a folder of their own.
NO_FOLDER = Path("/proc/nowhere/media")


@frozen(kw_only=True)
class House:
    """Everything that a test of use cases needs."""

    service: Wired
    store: TroubledStore
    clock: StillClock
    machine_seconds: MachineSeconds
    provider: ScriptedProvider
    provider_timeout: float
    web: ScriptedWeb
    by: Caller
    template_id: str

    @property
    def recovering(self) -> DueWork:
        """The work on orphaned dispatches."""
        return self._work(DueKind.ORPHANED_DISPATCH)

    @property
    def firing(self) -> DueWork:
        """The work on fallback runs."""
        return self._work(DueKind.FALLBACK)

    def _work(self, kind: DueKind) -> DueWork:
        return next(each for each in self.service.due_work if each.kind is kind)

    async def issue(
        self, once: str | None = None, owner: str = "one", destination: str = "+919812345610"
    ) -> SentPin:
        """Issue a PIN by SMS, under an Idempotency-Key if one is given."""
        request = IssueRequest(destination=destination, template_id=self.template_id)
        return await self.service.issuing.issue(
            self.by, request, claim(once, owner) if once else None
        )

    async def forget(self) -> int:
        """Drop some of the old rows, and return their number."""
        work = forgetting(self.service.journal, self.clock)
        return sum([await each.run_due() for each in work])

    async def story(self, stream: str) -> list[str]:
        """Name the events of a stream."""
        return [each.type for each in await self.store.read_stream(stream)]

    async def pins(self) -> list[str]:
        """Name the PINs there are, the oldest first."""
        log = await self.store.read_log(0, 1000)
        return [each.stream for each in log if each.type == "PinIssued"]

    def other_node(self) -> VerifyingPins:
        """Return the verify of another node on the same store."""
        return node_on(self).service.verifying

    def code(self) -> str:
        """Read the code that was sent last."""
        return code_in(self.provider.messages[-1].text)


def code_in(text: str) -> str:
    """Read the code out of the default wording."""
    return text.removeprefix("Your verification code is ").removesuffix(".")


def claim(
    key: str, owner: str, present: Callable[[Any], bytes] = lambda result: repr(result).encode()
) -> Idempotency:
    """Claim an Idempotency-Key for one request."""
    return Idempotency(
        Reservation(scope=f"orchid:{key}", fingerprints=("body",), owner=owner),
        present,
        lambda saved: saved,
    )


def node_on(
    house: House,
    keyring: Keyring = KEYRING,
    others: Mapping[str, ChannelProvider] | None = None,
) -> House:
    """Return another process on the same store, with the same provider, and `others`."""
    service = _wired(
        house.store,
        house.clock,
        house.provider,
        (),
        house.provider_timeout,
        others or {},
        house.web,
        keyring,
    )
    return evolve(house, service=service)


async def build_house(
    provider: ScriptedProvider | None = None,
    observers: Sequence[StoreObserver] = (),
    provider_timeout: float = 5.0,
    others: Mapping[str, ChannelProvider] | None = None,
    inside: EventStore | None = None,
    provider_observers: Sequence[ProviderObserver] = (),
) -> House:
    """
    Build it, on a memory store or the one given.

    `others` are providers that no channel account uses yet.
    """
    machine_seconds, clock = MachineSeconds(), StillClock()
    provider = provider or ScriptedProvider()
    store = TroubledStore(inside or MemoryEventStore(machine_seconds, vault=new_vault(SHARED)))
    await store.keep_key(INDEX_KEY)
    web = ScriptedWeb()
    service = _wired(
        store,
        clock,
        provider,
        observers,
        provider_timeout,
        others or {},
        web,
        provider_observers=provider_observers,
    )
    operator = Caller("", "admin", "req_setup")
    by = Caller((await service.accounts.create(operator, "orchid")).id, "key_web", "req_one")
    for channel in (Channel.SMS, Channel.WHATSAPP, Channel.RCS):
        await service.channel_accounts.create(
            by, channel_type=channel, provider="scripted", name=str(channel), config={}
        )
    template = await service.pin_templates.create(
        by, name="tea", policy=POLICY, channels=[ChannelEntry(channel_type=Channel.SMS)]
    )
    return House(
        service=service,
        store=store,
        clock=clock,
        machine_seconds=machine_seconds,
        provider=provider,
        provider_timeout=provider_timeout,
        web=web,
        by=by,
        template_id=template.id,
    )


def _wired(
    store: TroubledStore,
    clock: StillClock,
    provider: ScriptedProvider,
    observers: Sequence[StoreObserver],
    provider_timeout: float,
    others: Mapping[str, ChannelProvider],
    web: ScriptedWeb,
    keyring: Keyring = KEYRING,
    provider_observers: Sequence[ProviderObserver] = (),
) -> Wired:
    ports = Ports(
        store=store,
        observers=observers,
        provider_observers=provider_observers,
        clock=clock,
        providers={"scripted": provider, **others},
        third_parties=frozenset(),
        hasher=PasslibCodeHasher(keyring),
        password_hasher=FakePasswordHasher(),
        fingerprinter=HmacFingerprinter(keyring),
        sealer=AesGcmSealer(keyring),
        signer=StandardWebhooksSigner(),
        web=web,
        media_files=FolderMediaFiles(NO_FOLDER),
        randomness=SecretRandomness(),
        person_keys=new_vault(keyring),
        answer_sealer=HmacAnswerSealer(keyring),
        number_plan=PhoneNumberPlan(),
        provider_timeout=provider_timeout,
    )
    return wire(ports)
