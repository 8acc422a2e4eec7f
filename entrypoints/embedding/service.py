"""A whole Watchword in one `async with` (C-44)."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import field, frozen

from ...adapters.event_store.sqlite.owner_lock import StoreInUse
from ...application.ports.channels import ChannelProvider
from ...application.ports.clock import Clock
from ...application.ports.code_hasher import CodeHasher
from ...application.ports.event_store import StoreUnavailable
from ..addresses.services import is_service_address
from ..admin_tokens import fault_of
from ..composition.bootstrap import wired
from ..sandbox.controls import Sandbox
from ..settings import (
    DEFAULT_PROVIDER_TIMEOUT,
    LONGEST_PROVIDER_TIMEOUT,
    Settings,
    SettingsError,
    StoreUrl,
)
from ..worker import run_due_to_the_end
from .audit import Audit
from .callbacks import Callbacks
from .channel_accounts import ChannelAccounts
from .dlt_templates import DltTemplates
from .events import Events
from .given_adapters import (
    check_addresses,
    check_admin_token,
    check_clock,
    check_file,
    check_hasher,
    check_providers,
    check_texts,
    checked_proxies,
    checked_witnesses,
)
from .guard import GuardOfAccounts
from .leasing import Lease
from .legacy_users import LegacyUsers
from .media import Media
from .messages import Messages
from .opt_lists import OptLists
from .people import People
from .pin_templates import PinTemplates
from .pins import Pins
from .rcs_templates import RcsTemplates
from .setting_up import (
    Accounts,
    ApiKeys,
    FallbackConfigurations,
)
from .short_links import ShortLinks
from .statistics import Statistics
from .test_destinations import TestDestinations
from .tokens import Tokens
from .whatsapp_templates import WhatsappTemplates

if TYPE_CHECKING:
    from aiohttp import web


@frozen(kw_only=True)
class Service:
    """
    A whole Watchword in this process; `sandbox` only with `sandbox=True`.

    Once its `async with` has ended, every call raises `ServiceClosedError` (D-162).
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
    _lease: Lease = field(repr=False)

    @property
    def sandbox(self) -> Sandbox | None:
        """The parts that only a sandbox has: its outbox, its phones and its clock."""
        return self._lease.parts.sandbox

    async def run_due(self) -> int:
        """
        Do all work that is due by the service's clock, and wait for the calls that it starts.

        Use it in tests or with `run_worker=False`. Even beside a worker, each piece of work is done once.
        Return the number of due rows that were done. Failed work is postponed, and its error is raised
        after the rest.
        """
        parts = self._lease.parts
        tasks = (parts.provider_tasks, parts.callback_tasks, parts.template_tasks)
        newest = await parts.journal.newest()
        return await run_due_to_the_end(parts.due_work, tasks, newest)

    def http_app(
        self,
        *,
        admin_token: str | None = None,
        trusted_proxies: Sequence[str] = (),
        console_url: str | None = None,
    ) -> web.Application:
        """
        Return the HTTP endpoint of this service, for your own server or a path of your application.

        `outer.add_subapp("/pins", service.http_app())` mounts it; errors keep the form of their area.
        Without an `admin_token` there is nothing under `/admin/v1`. Wrong legacy logins and downloads are
        limited per client: the peer, or the client that a proxy in one of the `trusted_proxies` networks
        names (D-105). With a `console_url`, the address before `/console` as browsers see it, operators
        get the console there. The endpoint must not outlive the service.
        Raises `SettingsError` for an invalid network or address, for a token that can be guessed, unless
        this is a sandbox (C-96), and for a console without a token.
        """
        parts = self._lease.parts
        check_admin_token(admin_token)
        fault = fault_of(admin_token) if parts.sandbox is None else None
        if fault is not None:
            raise SettingsError(f"{fault} Give admin_token= one from secrets.token_urlsafe(32).")
        proxies = checked_proxies(trusted_proxies)
        if console_url is not None and not is_service_address(console_url):
            raise SettingsError(
                f"{console_url!r} is no address before /console. Give console_url= such as"
                " 'https://pins.example.com'."
            )
        if console_url is not None and admin_token is None:
            raise SettingsError("Nobody could sign in to the console. Give admin_token= too.")
        from ..http.app import (  # noqa: PLC0415  most embedders have no use for a server
            Exposure,
            build_app,
        )
        from ..http.listener.json_response import usual_answers  # noqa: PLC0415  nor for its answers

        around = (usual_answers,)
        exposure = Exposure(admin_token=admin_token, trusted_proxies=proxies)
        if console_url is None:
            return build_app(parts, exposure, around)
        from ..console.mounting import (  # noqa: PLC0415  without the console, its pages are not loaded
            console_routes,
        )

        return build_app(parts, exposure, around, console=console_routes(parts, console_url))


def http_routes(
    service: Service,
    *,
    admin_token: str | None = None,
    trusted_proxies: Sequence[str] = (),
    console_url: str | None = None,
) -> web.Application:
    """
    Return the routes of a service, to mount them under a prefix of an aiohttp application.

    `yours.add_subapp("/codes", watchword.http_routes(service))` does that. They come as an application, whose
    limits, gate and form of errors stay its own there (D-540); `Service.http_app` says what the arguments do.
    Raises `TypeError` for what is no service.
    """
    given: object = service
    if not isinstance(given, Service):
        raise TypeError(
            f"service= is of the type {type(given).__name__}. Give what `async with watchword.open(...)`"
            " yields."
        )
    return service.http_app(
        admin_token=admin_token, trusted_proxies=trusted_proxies, console_url=console_url
    )


@contextlib.asynccontextmanager
async def open(  # noqa: A001  the documented name
    store: str,
    *,
    code_key: str | None = None,
    receipt_key: str | None = None,
    log_key: str | None = None,
    data_dir: Path | str | None = None,
    heads_dir: Path | str | None = None,
    sandbox: bool = False,
    channels: Mapping[str, ChannelProvider] | None = None,
    clock: Clock | None = None,
    hasher: CodeHasher | None = None,
    provider_timeout: float = DEFAULT_PROVIDER_TIMEOUT,
    public_url: str | None = None,
    short_domains: Sequence[str] = (),
    witnesses: Sequence[str] = (),
    allow_private_urls: bool = False,
    run_worker: bool = True,
) -> AsyncIterator[Service]:
    """
    Open a service on a store, and close it at the end of the block.

    A store is `sqlite:///var/watchword.db`, `postgresql://user@host:port/db` or `memory://`.
    `channels` are your own providers by name, for channel accounts to use. Without a `code_key`, one is
    created in `data_dir`, by default the folder of the store, and so is the `log_key` that signs the log.
    PostgreSQL requires both keys and the extra `postgres`, and a `receipt_key` once a template asks for
    receipts. `heads_dir` gets a copy of every signed head. Short links begin with `public_url` or one of
    `short_domains`; route `/s/{code}` there to `service.short_links.follow`. Hosted files are in `media`
    under `data_dir`; those of a store in memory end with it. One process can run any number of services,
    each on its own store.

    Raises `SettingsError`, `KeyringError` or `StoreUnavailable`; the text says what to do. An incomplete
    `ChannelProvider` is refused here (D-154).
    """
    check_texts(store, code_key, receipt_key, log_key)
    check_providers({} if channels is None else channels)
    check_addresses(public_url, short_domains)
    check_clock(clock)
    check_hasher(hasher)
    if not 0 < provider_timeout <= LONGEST_PROVIDER_TIMEOUT:
        raise SettingsError(
            f"provider_timeout= must be above 0 and at most {LONGEST_PROVIDER_TIMEOUT} seconds."
        )
    path = StoreUrl(store).path
    check_file(path)
    settings = Settings(
        store=store,
        data_dir=Path(data_dir) if data_dir is not None else path.parent if path else Path("var"),
        code_key=code_key,
        receipt_key=receipt_key,
        log_key=log_key,
        heads_dir=None if heads_dir is None else Path(heads_dir),
        sandbox=sandbox,
        provider_timeout=provider_timeout,
        public_url=public_url and public_url.rstrip("/"),
        short_domains=tuple(each.rstrip("/") for each in short_domains),
        witnesses=checked_witnesses(witnesses),
        allow_private_urls=allow_private_urls,
        embedded=True,
    )
    async with contextlib.AsyncExitStack() as stack:
        try:
            parts = await stack.enter_async_context(
                wired(settings, providers=channels, clock=clock, hasher=hasher, run_due=run_worker)
            )
        except StoreInUse:
            raise StoreUnavailable(
                f"The store {path} is open already, in this process or another. Use the service that"
                " has it, or end that first."
            ) from None
        lease = Lease(parts)
        # Ends before the rest closes, so that no call starts on a half-closed service.
        stack.callback(lease.end)
        yield Service(
            accounts=Accounts(lease),
            api_keys=ApiKeys(lease),
            audit=Audit(lease),
            channel_accounts=ChannelAccounts(lease),
            fallback_configurations=FallbackConfigurations(lease),
            callbacks=Callbacks(lease),
            dlt_templates=DltTemplates(lease),
            guard=GuardOfAccounts(lease),
            legacy_users=LegacyUsers(lease),
            pin_templates=PinTemplates(lease),
            rcs_templates=RcsTemplates(lease),
            whatsapp_templates=WhatsappTemplates(lease),
            pins=Pins(lease),
            media=Media(lease),
            messages=Messages(lease),
            short_links=ShortLinks(lease),
            stats=Statistics(lease),
            opt_lists=OptLists(lease),
            people=People(lease),
            test_destinations=TestDestinations(lease),
            tokens=Tokens(lease),
            events=Events(lease),
            lease=lease,
        )
