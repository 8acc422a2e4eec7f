"""Use cases around a store that a test can trouble, with one account, template and key."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from attrs import frozen

from tests.fakes.clocks import MachineSeconds, StillClock
from tests.fakes.providers import ScriptedProvider
from tests.fakes.stores import TroubledStore
from watchword.adapters.event_store.memory import MemoryEventStore
from watchword.adapters.hashing import PasslibCodeHasher
from watchword.adapters.keyring import Keyring
from watchword.adapters.randomness import SecretRandomness
from watchword.application.authenticating import Authenticating
from watchword.application.caller import Caller
from watchword.application.dispatching import Dispatching
from watchword.application.idempotency import Idempotency
from watchword.application.issuing_pins import IssueRequest, IssuingPins
from watchword.application.journal import Journal
from watchword.application.managing_accounts import ManagingAccounts
from watchword.application.managing_api_keys import ManagingApiKeys
from watchword.application.managing_channel_accounts import ManagingChannelAccounts
from watchword.application.managing_pin_templates import ManagingPinTemplates
from watchword.application.ports.event_store import Reservation
from watchword.application.ports.witness import Witness
from watchword.application.provider_calls import ProviderCalls
from watchword.application.recovering_dispatches import RecoveringDispatches
from watchword.application.resending_pins import ResendingPins
from watchword.application.searching_verifications import SearchingVerifications
from watchword.application.sending_pins import SendingPins, SentPin
from watchword.application.template_channels import ChannelEntry
from watchword.application.verifying_pins import VerifyingPins
from watchword.domain.channel import Channel
from watchword.domain.pin_policy import PinPolicy
from watchword.domain.rate_limit import Duration, Rate

POLICY = PinPolicy(
    pin_length=10,
    pin_attempts=3,
    verify_pin_limit=Rate("1000/s"),
    resend_cooldown=Duration("0s"),
)
KEYRING = Keyring(1, {1: b"k" * 32})


@frozen(kw_only=True)
class House:
    """Everything that a test of use cases needs."""

    store: TroubledStore
    clock: StillClock
    machine_seconds: MachineSeconds
    provider: ScriptedProvider
    issuing: IssuingPins
    resending: ResendingPins
    verifying: VerifyingPins
    recovering: RecoveringDispatches
    verifications: SearchingVerifications
    accounts: ManagingAccounts
    api_keys: ManagingApiKeys
    authenticating: Authenticating
    pin_templates: ManagingPinTemplates
    by: Caller
    template_id: str

    async def issue(self, once: str | None = None, owner: str = "one") -> SentPin:
        """Issue a PIN by SMS, under an Idempotency-Key where one is named."""
        request = IssueRequest(destination="+919812345610", template_id=self.template_id)
        return await self.issuing.issue(self.by, request, claim(once, owner) if once else None)

    async def story(self, stream: str) -> list[str]:
        """Name what happened to a stream."""
        return [each.type for each in await self.store.read_stream(stream)]

    async def pins(self) -> list[str]:
        """Name the PINs there are, the oldest first."""
        log = await self.store.read_log(0, 1000)
        return [each.stream for each in log if each.type == "PinIssued"]

    def other_node(self) -> VerifyingPins:
        """Give the verify of another node on the same store."""
        return VerifyingPins(Journal(self.store), PasslibCodeHasher(KEYRING), self.clock)

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
        Reservation(scope=f"orchid:{key}", fingerprints=("body",), owner=owner), present
    )


async def build_house(
    provider: ScriptedProvider | None = None,
    witnesses: Sequence[Witness] = (),
    provider_timeout: float = 5.0,
) -> House:
    """Build it, on a memory store."""
    machine_seconds, clock = MachineSeconds(), StillClock()
    provider = provider or ScriptedProvider()
    store = TroubledStore(MemoryEventStore(machine_seconds))
    journal, randomness = Journal(store, witnesses), SecretRandomness()
    hasher = PasslibCodeHasher(KEYRING)
    authenticating = Authenticating(journal, clock)
    providers = {"scripted": provider}
    sending = SendingPins(
        journal, Dispatching(ProviderCalls(journal, providers, provider_timeout)), clock
    )
    accounts = ManagingAccounts(journal, randomness, clock)
    pin_templates = ManagingPinTemplates(journal, randomness, clock)
    operator = Caller("", "admin", "req_setup")
    by = Caller((await accounts.create(operator, "orchid")).id, "key_web", "req_one")
    await ManagingChannelAccounts(journal, providers, randomness, clock).create(
        by, channel_type=Channel.SMS, provider="scripted", name="sms", config={}
    )
    template = await pin_templates.create(
        by, name="tea", policy=POLICY, channels=[ChannelEntry(channel_type=Channel.SMS)]
    )
    return House(
        store=store,
        clock=clock,
        machine_seconds=machine_seconds,
        provider=provider,
        issuing=IssuingPins(journal, sending, hasher, randomness, clock),
        resending=ResendingPins(journal, sending, hasher, randomness, clock),
        verifying=VerifyingPins(journal, hasher, clock),
        recovering=RecoveringDispatches(journal, clock, randomness),
        verifications=SearchingVerifications(journal, clock),
        accounts=accounts,
        api_keys=ManagingApiKeys(journal, authenticating, randomness, clock),
        authenticating=authenticating,
        pin_templates=pin_templates,
        by=by,
        template_id=template.id,
    )
