"""The adapters of a service, one per port."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path

from attrs import field, frozen

from ...adapters.answer_sealing import HmacAnswerSealer
from ...adapters.fingerprinting import HmacFingerprinter
from ...adapters.guarded_web import GuardedWeb
from ...adapters.hashing import Argon2PasswordHasher, PasslibCodeHasher
from ...adapters.keyring import Keyring
from ...adapters.media_files import FolderMediaFiles
from ...adapters.number_plan import PhoneNumberPlan
from ...adapters.public_addresses import is_public, is_public_or_own
from ...adapters.randomness import SecretRandomness
from ...adapters.sealing import AesGcmSealer
from ...adapters.standard_webhooks import StandardWebhooksSigner
from ...adapters.vault import Vault
from ...application.evidence.witnesses import Witness
from ...application.ports.answer_sealer import AnswerSealer
from ...application.ports.callback_signer import CallbackSigner
from ...application.ports.channels import ChannelProvider
from ...application.ports.clock import Clock
from ...application.ports.code_hasher import CodeHasher
from ...application.ports.erasures import Erasures
from ...application.ports.event_store import EventStore
from ...application.ports.fingerprinter import Fingerprinter
from ...application.ports.media_files import MediaFiles
from ...application.ports.number_plan import NumberPlan
from ...application.ports.password_hasher import PasswordHasher
from ...application.ports.person_keys import PersonKeys
from ...application.ports.provider_observer import ProviderObserver
from ...application.ports.randomness import Randomness
from ...application.ports.receipt_signer import ReceiptSigner
from ...application.ports.sealer import Sealer
from ...application.ports.store_observer import StoreObserver
from ...application.ports.web import Web
from ...application.provider_calls import Simulates
from ..messaging.short_domains import ShortDomains
from ..settings import Settings
from .stores import erasures_of


@frozen(kw_only=True)
class Ports:
    """
    The adapter of each port, and the settings that use cases need.

    `person_keys` belong to the store. Without a `receipt_signer`, no template may ask for receipts.
    `third_parties` are the providers that are channels of their own. `simulates` says which channel
    accounts have simulated recipients (D-226). `refused_keys` are the hashes of API keys that are never
    accepted.
    """

    store: EventStore
    observers: Sequence[StoreObserver] = ()
    provider_observers: Sequence[ProviderObserver] = ()
    clock: Clock
    providers: Mapping[str, ChannelProvider] = field(factory=dict)
    third_parties: frozenset[str] = frozenset()
    unloaded: frozenset[str] = frozenset()
    hasher: CodeHasher
    password_hasher: PasswordHasher
    fingerprinter: Fingerprinter
    person_keys: PersonKeys
    number_plan: NumberPlan
    answer_sealer: AnswerSealer
    erasures: Erasures | None = None
    sealer: Sealer
    receipt_signer: ReceiptSigner | None = None
    signer: CallbackSigner
    web: Web
    media_files: MediaFiles
    randomness: Randomness
    provider_timeout: float
    simulates: Simulates = lambda _: False
    refused_keys: frozenset[str] = field(default=frozenset(), repr=False)
    short_domains: ShortDomains = field(factory=ShortDomains)
    witnesses: Sequence[Witness] = ()


def default_ports(
    stack: AsyncExitStack,
    settings: Settings,
    keyring: Keyring,
    store: EventStore,
    clock: Clock,
    folder: Path,
    vault: Vault,
) -> Ports:
    """Return our own adapters, without a provider; `stack` closes those that hold resources."""
    web = GuardedWeb(is_public_or_own if settings.allow_private_urls else is_public)
    stack.push_async_callback(web.close)
    media_files = FolderMediaFiles(folder / "media")
    stack.push_async_callback(media_files.close)
    argon2 = Argon2PasswordHasher()
    stack.callback(argon2.close)
    return Ports(
        store=store,
        clock=clock,
        hasher=PasslibCodeHasher(keyring, settings.code_hash_rounds),
        password_hasher=argon2,
        fingerprinter=HmacFingerprinter(keyring),
        erasures=erasures_of(settings),
        sealer=AesGcmSealer(keyring),
        signer=StandardWebhooksSigner(),
        web=web,
        media_files=media_files,
        randomness=SecretRandomness(),
        provider_timeout=settings.provider_timeout,
        person_keys=vault,
        number_plan=PhoneNumberPlan(),
        answer_sealer=HmacAnswerSealer(keyring),
        short_domains=ShortDomains(settings.public_url, settings.short_domains),
    )
