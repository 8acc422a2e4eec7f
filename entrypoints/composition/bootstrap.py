"""Opens a service: connects adapters to ports, builds the use cases on them, and runs the worker."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from attrs import evolve

from ...adapters.channels.sandbox import SandboxProvider
from ...adapters.clock import MovableClock, SystemClock
from ...adapters.keyring import Keyring
from ...adapters.logging_observer import LoggingObserver
from ...adapters.logs import logger
from ...adapters.randomness import SecretRandomness
from ...adapters.vault import Vault
from ...application.accounts.authenticating import hash_of
from ...application.audit.checking import AuditInputs
from ...application.audit.disclosing import Disclosing
from ...application.audit.marking_log import MarkingLog
from ...application.audit.reading_log import ReadingLog
from ...application.due_work import DueWork
from ...application.evidence.declaring_restores import DeclaringRestores
from ...application.journal import Journal
from ...application.log_follower import LogFollower
from ...application.ports.channels import ChannelProvider
from ...application.ports.clock import Clock
from ...application.ports.code_hasher import CodeHasher
from ...application.ports.password_hasher import PasswordHasher
from ...application.restoring import Restoring
from ...application.rewrapping_keys import RewrappingKeys
from ..demo.seeding import ACCOUNT as SANDBOX_ACCOUNT
from ..demo.seeding import API_KEY, set_up
from ..providers.making import make_providers, simulates_recipients, third_parties
from ..providers.opening import contexts_of, open_providers
from ..providers.plugins import load_plugins, unloaded_plugins
from ..release import release
from ..sandbox.controls import kept_offset
from ..saved_answers import read_answer
from ..settings import Settings, StoreKind
from ..wired import Wired
from ..worker import run_worker
from .code_keys import check_keyring, find_keyring, lost_versions, note_loss, older_version
from .data_directory import check_data_directory
from .evidence import heads_folders, with_sealing
from .ports import default_ports
from .receipt_keys import find_receipt_signer, refuse_missing_key
from .stores import files_to_audit, log_mark, open_store, open_to_read
from .use_cases import wire
from .vaults import learn_index_secret, unlock
from .witnesses import find_witnesses

if TYPE_CHECKING:
    from ...adapters.meters import Meters
    from ..tracing import Tracing

_log = logger("watchword.service")


@asynccontextmanager
async def wired(
    settings: Settings,
    *,
    providers: Mapping[str, ChannelProvider] | None = None,
    clock: Clock | None = None,
    hasher: CodeHasher | None = None,
    password_hasher: PasswordHasher | None = None,
    run_due: bool = True,
    answers: bool = True,
    meters: Meters | None = None,
    tracing: Tracing | None = None,
) -> AsyncIterator[Wired]:
    """
    Build a service, run its worker, and close everything at the end.

    Given adapters replace the defaults; without a clock, a sandbox gets the movable one. `meters` and
    `tracing` observe the store beside the log. A process that only does due work `answers` no call.

    Raises `SettingsError`, `KeyringError` or `StoreUnavailable`.
    """
    check_data_directory(settings)
    keyring = find_keyring(settings)
    vault = Vault(keyring)
    async with AsyncExitStack() as stack:
        logging_observer = LoggingObserver()
        observers = [each for each in (logging_observer, meters, tracing) if each is not None]
        store = await open_store(settings, vault, logging_observer, meters)
        stack.push_async_callback(store.close)
        movable = MovableClock(await kept_offset(store)) if settings.sandbox else None
        the_clock = clock or movable or SystemClock()
        await check_keyring(keyring, store, the_clock.now())
        await learn_index_secret(vault, store)

        embedded = providers or {}
        given = {**load_plugins(embedded), **embedded}
        sandbox = None if movable is None else SandboxProvider(the_clock.now)
        senders = make_providers(given, sandbox)
        if tracing is not None:
            senders = {name: tracing.provider(sender) for name, sender in senders.items()}

        # The files that a store in memory names end with it (D-88).
        folder = (
            Path(stack.enter_context(TemporaryDirectory(prefix="watchword-")))
            if settings.store_url.kind is StoreKind.MEMORY
            else settings.data_dir
        )
        ports = default_ports(stack, settings, keyring, store, the_clock, folder, vault)
        ports = evolve(
            ports,
            observers=observers,
            provider_observers=[each for each in (logging_observer, meters) if each is not None],
            providers=senders,
            third_parties=third_parties(given),
            unloaded=unloaded_plugins(given),
            witnesses=find_witnesses(settings),
            receipt_signer=find_receipt_signer(settings) if answers else None,
            simulates=simulates_recipients,
            hasher=hasher or ports.hasher,
            password_hasher=password_hasher or ports.password_hasher,
            # The documented key opens only a sandbox that has no key of its own.
            refused_keys=frozenset()
            if settings.sandbox and settings.sandbox_key is None
            else frozenset({hash_of(API_KEY)}),
        )
        service = await with_sealing(wire(ports), settings, folder, meters)
        await refuse_missing_key(settings, ports, service.journal, answers=answers)
        await open_providers(stack, senders, contexts_of(service), listening=run_due)
        if meters is not None:
            _watch_followers(service, meters)
            meters.watch_sends(lambda: service.provider_calls.load)
        if sandbox is not None:
            shown = await set_up(
                service,
                sandbox,
                movable if clock is None else None,
                settings.sandbox_key or API_KEY,
            )
            service = evolve(service, sandbox=shown)
            if settings.store_url.kind is StoreKind.POSTGRESQL:
                stack.push_async_callback(_stop, asyncio.create_task(shown.follow()))
        if (mark := log_mark(settings)) is not None:
            marking = MarkingLog(mark, service.journal.newest)
            service = evolve(service, due_work=(*service.due_work, marking))
            stack.push_async_callback(marking.end)
        if (older := older_version(keyring)) is not None:
            rewrapping = RewrappingKeys(service.journal, ports.sealer, older, _rewrapped)
            service = evolve(service, due_work=(*service.due_work, rewrapping))
        service = _recording_to_the_end(stack, service)
        stack.push_async_callback(service.provider_tasks.close, settings.provider_timeout + 1)
        # The next process that serves the store repeats the calls that are cut off.
        stack.push_async_callback(service.callback_tasks.close, 1)
        stack.push_async_callback(service.template_tasks.close, 1)
        # A process that does no due work counts decisions, and is read from, too.
        work = service.due_work if run_due else _recorders(service)
        worker = asyncio.create_task(run_worker(service.journal, the_clock, work))
        stack.push_async_callback(_stop, worker)
        _log.info(
            "started",
            version=release(),
            store=str(settings.store_url.kind),
            key_versions=sorted(keyring.keys),
            sandbox=settings.sandbox,
        )
        yield service
    _log.info("stopped")


@asynccontextmanager
async def auditing(settings: Settings, *, to_check: bool = False) -> AsyncIterator[ReadingLog]:
    """
    Open a store for reading only, beside the process that owns it.

    Without the store's code key, what is personal reads `***` (C-100). With `to_check`, the store's
    tables need not be real tables.

    Raises `SettingsError` for a store in memory, and `StoreUnavailable` for a missing one.
    """
    vault = Vault(None)
    store = await open_to_read(settings, vault, to_check=to_check)
    files = files_to_audit(settings)
    try:
        keyring = await unlock(vault, settings, store)
        inputs = AuditInputs(
            files=files,
            mark=log_mark(settings),
            read_answer=read_answer,
            person_keys=None if vault.index_key is None else vault,
            check_values=None if keyring is None else keyring.check_values(),
            sandbox_account=SANDBOX_ACCOUNT,
        )
        yield ReadingLog(Journal(store), inputs)
    finally:
        await store.close()
        if files is not None:
            await files.close()


@asynccontextmanager
async def disclosing(settings: Settings) -> AsyncIterator[Disclosing]:
    """Open a store for reading only, to disclose single events; raises the errors of `auditing`."""
    async with AsyncExitStack() as stack:
        vault = Vault(None)
        store = await open_to_read(settings, vault)
        stack.push_async_callback(store.close)
        await unlock(vault, settings, store)
        yield Disclosing(Journal(store), vault)


@asynccontextmanager
async def reading(settings: Settings) -> AsyncIterator[Wired]:
    """
    Open a store to read its lists, beside its owner or in a backup (D-152).

    Without the store's code key, what is personal reads `***`, and nobody is found by number. Every
    write raises an error and changes nothing. Raises the errors of `auditing`.
    """
    async with AsyncExitStack() as stack:
        vault = Vault(None)
        store = await open_to_read(settings, vault)
        stack.push_async_callback(store.close)
        await unlock(vault, settings, store)
        # Lists show no code and no secret, so any key will do for these.
        keyring = Keyring.random()
        # PINs expire by the service's clock, which a sandbox may have moved.
        clock = MovableClock(await kept_offset(store))
        yield wire(default_ports(stack, settings, keyring, store, clock, settings.data_dir, vault))


@asynccontextmanager
async def restoring(settings: Settings, *, erase_people: bool = False) -> AsyncIterator[Restoring]:
    """
    Open a restored store, to end its unfinished work; needs no code key.

    With `erase_people`, whomever a version of the code key sealed that was not given is erased (D-314).
    Raises `SettingsError`, `KeyringError` or `StoreUnavailable`.
    """
    check_data_directory(settings)
    observer = LoggingObserver()
    vault = Vault(None)
    store = await open_store(settings, vault, observer, None)
    try:
        keyring = await unlock(vault, settings, store)
        lost = await lost_versions(keyring, store) if erase_people else ()
        if lost:
            await note_loss(lost, store)
        journal, clock = Journal(store, (observer,)), SystemClock()
        heads = heads_folders(settings, settings.data_dir)
        declaring = DeclaringRestores(journal, clock, heads)
        mark = log_mark(settings)
        yield Restoring(journal, SecretRandomness(), clock, mark, lost, declaring)
    finally:
        await store.close()


def _recorders(service: Wired) -> tuple[DueWork, ...]:
    return service.recording_decisions, service.recording_reads


def _recording_to_the_end(stack: AsyncExitStack, service: Wired) -> Wired:
    """Have what is counted in memory recorded when the service ends, and reads until then, too."""
    stack.push_async_callback(service.recording_reads.end)
    stack.push_async_callback(service.recording_decisions.end)
    # A sandbox, which has its due work by now, does not record reads as often as its clock is moved.
    return evolve(service, due_work=(*service.due_work, service.recording_reads))


def _rewrapped(keys: int, left: bool) -> None:
    # Keys that are left do not open, or another node that still wraps with the older version made them.
    (_log.warning if left else _log.info)("keys_rewrapped", keys=keys, left=left)


def _watch_followers(service: Wired, meters: Meters) -> None:
    for each in service.due_work:
        if isinstance(each, LogFollower):
            meters.log.watch_follower(each)


async def _stop(worker: asyncio.Task[None]) -> None:
    worker.cancel()
    with suppress(asyncio.CancelledError):
        await worker
