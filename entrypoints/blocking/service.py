"""A whole Watchword in one `with` (D-543)."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    contextmanager,
)
from typing import ParamSpec

from attrs import evolve, field, frozen

from ...adapters.channels.sandbox import SandboxProvider
from ...adapters.clock import MovableClock
from ..embedding.service import Service
from ..embedding.service import open as open_service
from ..sandbox.controls import Sandbox
from ..sandbox.phones import SandboxPhones
from .calls import Call, Direct, Part
from .managing import (
    Accounts,
    ApiKeys,
    Audit,
    Callbacks,
    ChannelAccounts,
    DltTemplates,
    FallbackConfigurations,
    GuardOfAccounts,
    LegacyUsers,
    OptLists,
    People,
    TestDestinations,
    Tokens,
)
from .service_thread import ServiceThread, Waiting
from .using import (
    Events,
    Media,
    Messages,
    Pins,
    PinTemplates,
    RcsTemplates,
    ShortLinks,
    Statistics,
    WhatsappTemplates,
)

P = ParamSpec("P")


class SandboxMessages(Part[SandboxProvider]):
    """The messages of a sandbox: what its recipients received and wrote."""

    outbox = Direct(SandboxProvider.outbox)
    written = Direct(SandboxProvider.written)
    find = Direct(SandboxProvider.find)
    reported = Direct(SandboxProvider.reported)
    clear = Direct(SandboxProvider.clear)
    deliver_pending = Call(SandboxProvider.deliver_pending)


class Phones(Part[SandboxPhones]):
    """The phones of a sandbox: receipts, and messages that recipients write."""

    report_on_message = Call(SandboxPhones.report_on_message)
    report = Call(SandboxPhones.report)
    write = Call(SandboxPhones.write)
    answer = Call(SandboxPhones.answer)


class BlockingSandbox(Part[Sandbox]):
    """The parts that only a sandbox has: its provider, its clock and its phones."""

    advance = Call(Sandbox.advance)

    @property
    def clock(self) -> MovableClock | None:
        """The clock; None if the sandbox was opened with the caller's."""
        return self._facade.clock

    @property
    def provider(self) -> SandboxMessages:
        """The messages that recipients received and wrote."""
        return SandboxMessages(self._facade.provider, self._waiting)

    @property
    def phones(self) -> Phones:
        """The actions of recipients: receipts and replies."""
        return Phones(self._facade.phones, self._waiting)


class _Whole(Part[Service]):
    run_due = Call(Service.run_due)


@frozen(kw_only=True)
class BlockingService:
    """
    A whole Watchword for programs without an event loop; `sandbox` only with `sandbox=True`.

    Its parts have the calls of `Service` with the same names, arguments and results. A call waits for its
    result and may come from any thread. Once the `with` has ended, every call raises `ServiceClosedError`.
    """

    accounts: Accounts
    api_keys: ApiKeys
    audit: Audit
    channel_accounts: ChannelAccounts
    fallback_configurations: FallbackConfigurations
    callbacks: Callbacks
    dlt_templates: DltTemplates
    guard: GuardOfAccounts
    legacy_users: LegacyUsers
    pin_templates: PinTemplates
    rcs_templates: RcsTemplates
    whatsapp_templates: WhatsappTemplates
    pins: Pins
    media: Media
    messages: Messages
    short_links: ShortLinks
    stats: Statistics
    opt_lists: OptLists
    people: People
    test_destinations: TestDestinations
    tokens: Tokens
    events: Events
    _service: Service = field(repr=False)
    _waiting: Waiting = field(repr=False)

    @property
    def sandbox(self) -> BlockingSandbox | None:
        """The parts that only a sandbox has."""
        found = self._service.sandbox
        return None if found is None else BlockingSandbox(found, self._waiting)

    def run_due(self) -> int:
        """Do all work that is due by the service's clock; return the number of due rows that were done."""
        return _Whole(self._service, self._waiting).run_due()

    def within(self, seconds: float) -> BlockingService:
        """
        Return this service with a limit for each call: a longer one is cancelled and raises `TimeoutError`.

        It may have had its effect: with an `idempotency_key`, repeat it. `events.follow` waits on. Raises
        `ValueError` unless `seconds` are above 0.
        """
        if not seconds > 0:
            raise ValueError(f"A call cannot end within {seconds} s.")
        return around(self._service, evolve(self._waiting, seconds=seconds))


def around(service: Service, waiting: Waiting) -> BlockingService:
    """Return a service whose calls wait for those of a service in a thread."""
    return BlockingService(
        accounts=Accounts(service.accounts, waiting),
        api_keys=ApiKeys(service.api_keys, waiting),
        audit=Audit(service.audit, waiting),
        channel_accounts=ChannelAccounts(service.channel_accounts, waiting),
        fallback_configurations=FallbackConfigurations(service.fallback_configurations, waiting),
        callbacks=Callbacks(service.callbacks, waiting),
        dlt_templates=DltTemplates(service.dlt_templates, waiting),
        guard=GuardOfAccounts(service.guard, waiting),
        legacy_users=LegacyUsers(service.legacy_users, waiting),
        pin_templates=PinTemplates(service.pin_templates, waiting),
        rcs_templates=RcsTemplates(service.rcs_templates, waiting),
        whatsapp_templates=WhatsappTemplates(service.whatsapp_templates, waiting),
        pins=Pins(service.pins, waiting),
        media=Media(service.media, waiting),
        messages=Messages(service.messages, waiting),
        short_links=ShortLinks(service.short_links, waiting),
        stats=Statistics(service.stats, waiting),
        opt_lists=OptLists(service.opt_lists, waiting),
        people=People(service.people, waiting),
        test_destinations=TestDestinations(service.test_destinations, waiting),
        tokens=Tokens(service.tokens, waiting),
        events=Events(service.events, waiting),
        service=service,
        waiting=waiting,
    )


def _blocking(
    opening: Callable[P, AbstractAsyncContextManager[Service]],
) -> Callable[P, AbstractContextManager[BlockingService]]:
    """Return a context manager with the arguments of an asynchronous one."""

    @contextmanager
    def open_blocking(*args: P.args, **kwargs: P.kwargs) -> Iterator[BlockingService]:
        """
        Open a service as `watchword.open` does, with the same arguments, for programs without an event loop.

        The service runs in a thread of its own, where your channel providers are called, too; the end of the
        `with` closes it. Raises `SettingsError`, `KeyringError` or `StoreUnavailable`; the text says what to
        do.
        """
        thread = ServiceThread(opening(*args, **kwargs))
        service = thread.start()
        try:
            yield around(service, Waiting(thread))
        finally:
            thread.close()

    # For `inspect` and `help`, which then show the arguments of the original.
    return functools.update_wrapper(open_blocking, opening, assigned=())


open_blocking = _blocking(open_service)
"""Open a service as `watchword.open` does, with the same arguments, for programs without an event loop."""
