"""The service without HTTP: `watchword.open(...)` (C-44, C-65)."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from attrs import fields, frozen

from ..application.auditing import Auditing, Replay
from ..application.caller import EMBEDDED, Caller
from ..application.issuing_pins import IssueRequest
from ..application.managing_api_keys import NewApiKey
from ..application.managing_pin_templates import PinTemplateRecord, TemplateSearch
from ..application.paging import DEFAULT_PAGE_SIZE, Listed, Paging
from ..application.ports.channels import ChannelProvider
from ..application.ports.clock import Clock
from ..application.ports.code_hasher import CodeHasher
from ..application.ports.event_store import KeyAnswered, Recorded
from ..application.read_models.rows import (
    AccountRow,
    ApiKeyRow,
    ChannelAccountRow,
    VerificationRow,
)
from ..application.resending_pins import ResendRequest
from ..application.searching_verifications import VerificationSearch
from ..application.sending_pins import SentPin
from ..application.verifying_pins import VerifiedPin
from ..domain.pin_policy import PinPolicy
from .bootstrap import Wired, wired
from .management_requests import (
    NewAccount,
    NewChannelAccount,
    NewKey,
    NewPinTemplate,
    PinTemplatePatch,
    VerificationFilters,
    with_policy,
)
from .sandbox import Sandbox
from .saved_results import Saver
from .settings import DEFAULT_PROVIDER_TIMEOUT, Settings, StoreUrl
from .structuring import camel, structure


class HasId(Protocol):
    """A record; wherever an id is wanted, the record itself will do."""

    @property
    def id(self) -> str:
        """Its id."""
        ...


Reference = str | HasId


@contextlib.asynccontextmanager
async def open(  # noqa: A001  the documented name
    store: str,
    *,
    code_key: str | None = None,
    data_dir: Path | str | None = None,
    sandbox: bool = False,
    channels: Mapping[str, ChannelProvider] | None = None,
    clock: Clock | None = None,
    hasher: CodeHasher | None = None,
    provider_timeout: float = DEFAULT_PROVIDER_TIMEOUT,
    run_worker: bool = True,
) -> AsyncIterator[Service]:
    """
    Open a service on a store (`sqlite:///var/watchword.db`, `memory://`) and close it at the end.

    `channels` are your own providers by name, for channel accounts to use. Without a `code_key`
    one is made in `data_dir`, which is the store's own folder by default. Any number of services
    can live in one process, each on a store of its own.

    Raises `SettingsError`, `KeyringError` or `StoreUnavailable`, each with a sentence that says
    what to do.
    """
    path = StoreUrl(store).path
    settings = Settings(
        store=store,
        data_dir=Path(data_dir) if data_dir is not None else path.parent if path else Path("var"),
        code_key=code_key,
        sandbox=sandbox,
        provider_timeout=provider_timeout,
    )
    async with wired(
        settings, providers=channels, clock=clock, hasher=hasher, run_due=run_worker
    ) as parts:
        yield Service(
            accounts=Accounts(parts),
            api_keys=ApiKeys(parts),
            channel_accounts=ChannelAccounts(parts),
            pin_templates=PinTemplates(parts),
            pins=Pins(parts),
            events=Events(parts.auditing),
            sandbox=parts.sandbox,
        )


class Accounts:
    """Accounts: what everything else belongs to."""

    def __init__(self, parts: Wired) -> None:
        self._parts = parts

    async def create(self, name: str) -> AccountRow:
        """Create an account; raises `DuplicateNameError` when the name is taken."""
        return await self._parts.accounts.create(
            _by(self._parts, ""), structure({"name": name}, NewAccount).name
        )

    async def get(self, account: Reference) -> AccountRow:
        """Give an account by id or name; raises `AccountNotFoundError`."""
        return await self._parts.accounts.get(_id(account))

    async def list(self, page: int = 1, page_size: int = DEFAULT_PAGE_SIZE) -> Listed[AccountRow]:
        """List accounts, the newest first."""
        return await self._parts.accounts.list(Paging.clamped(page, page_size))


class ApiKeys:
    """API keys, for those who also serve HTTP on the same store."""

    def __init__(self, parts: Wired) -> None:
        self._parts = parts

    async def create(self, account: Reference, name: str, **options: Any) -> NewApiKey:
        """Make a key, told this once; options `scopes`, `template_auto_match`, `expires_at`."""
        body = structure(_documented(name=name, **options), NewKey)
        return await self._parts.api_keys.create(
            await _acting(self._parts, account),
            body.name,
            scopes=body.scopes,
            template_auto_match=body.template_auto_match,
            expires_at=body.expires_at,
        )

    async def get(self, key: Reference) -> ApiKeyRow:
        """Give a key's record; raises `ApiKeyNotFoundError`."""
        return await self._parts.api_keys.get(_id(key))

    async def list(
        self, account: Reference | None = None, page: int = 1, page_size: int = DEFAULT_PAGE_SIZE
    ) -> Listed[ApiKeyRow]:
        """List keys, the newest first."""
        account_id = await _filter(self._parts, account)
        return await self._parts.api_keys.list(account_id, Paging.clamped(page, page_size))

    async def revoke(self, key: Reference) -> ApiKeyRow:
        """Take a key back; raises `ApiKeyNotFoundError`."""
        return await self._parts.api_keys.revoke(_by(self._parts, ""), _id(key))


class ChannelAccounts:
    """Contracts with channel providers."""

    def __init__(self, parts: Wired) -> None:
        self._parts = parts

    async def create(
        self, account: Reference, channel_type: str, provider: str, name: str, **options: Any
    ) -> ChannelAccountRow:
        """Create a channel account; options `sender` and `config`."""
        body = structure(
            _documented(channel_type=channel_type, provider=provider, name=name, **options),
            NewChannelAccount,
        )
        return await self._parts.channel_accounts.create(
            await _acting(self._parts, account),
            channel_type=body.channel_type,
            provider=body.provider,
            name=body.name,
            sender=body.sender,
            config=body.config,
        )

    async def get(self, channel_account: Reference) -> ChannelAccountRow:
        """Give a channel account; raises `NotFoundError`."""
        return await self._parts.channel_accounts.get(_id(channel_account))

    async def list(
        self, account: Reference | None = None, page: int = 1, page_size: int = DEFAULT_PAGE_SIZE
    ) -> Listed[ChannelAccountRow]:
        """List channel accounts, the newest first."""
        account_id = await _filter(self._parts, account)
        return await self._parts.channel_accounts.list(account_id, Paging.clamped(page, page_size))


class PinTemplates:
    """PIN templates. A channel is a `ChannelEntry`, or a dictionary in either spelling."""

    def __init__(self, parts: Wired) -> None:
        self._parts = parts

    async def create(
        self, account: Reference, name: str, channels: Sequence[Any], **limits: Any
    ) -> PinTemplateRecord:
        """Create a template; `limits` are the fields of `PinPolicy`, such as `pin_length=8`."""
        raw = _documented(name=name, channels=_entries(channels), **limits)
        body, policy = with_policy(raw, NewPinTemplate)
        return await self._parts.pin_templates.create(
            await _acting(self._parts, account),
            name=body.name,
            policy=policy,
            channels=body.channels,
        )

    async def get(self, template: Reference) -> PinTemplateRecord:
        """Give a template; raises `TemplateNotFoundError`."""
        return await self._parts.pin_templates.get(None, _id(template))

    async def list(
        self,
        account: Reference | None = None,
        search: TemplateSearch = TemplateSearch(),  # noqa: B008  frozen, so it can be shared
        page: int = 1,
        page_size: int = DEFAULT_PAGE_SIZE,
    ) -> Listed[PinTemplateRecord]:
        """List templates (D4)."""
        account_id = await _filter(self._parts, account)
        paging = Paging.clamped(page, page_size)
        return await self._parts.pin_templates.list(account_id, search, paging)

    async def revise(
        self,
        template: Reference,
        name: str | None = None,
        channels: Sequence[Any] | None = None,
        **limits: Any,
    ) -> PinTemplateRecord:
        """Replace what is given, and leave the rest as it is."""
        raw = _documented(
            name=name, channels=None if channels is None else _entries(channels), **limits
        )
        body, _ = with_policy(raw, PinTemplatePatch)

        def revised(present: PinPolicy) -> PinPolicy:
            kept = {camel(each.name): getattr(present, each.name) for each in fields(PinPolicy)}
            return structure({**kept, **_documented(**limits)}, PinPolicy)

        return await self._parts.pin_templates.revise(
            _by(self._parts, ""),
            _id(template),
            name=body.name,
            policy=revised if limits else None,
            channels=body.channels,
        )

    async def enable(self, template: Reference) -> PinTemplateRecord:
        """Allow sends under a template again."""
        return await self._parts.pin_templates.enable(_by(self._parts, ""), _id(template))

    async def disable(self, template: Reference) -> PinTemplateRecord:
        """Stop sends under a template."""
        return await self._parts.pin_templates.disable(_by(self._parts, ""), _id(template))

    async def archive(self, template: Reference) -> PinTemplateRecord:
        """Take a template out of use for good."""
        return await self._parts.pin_templates.archive(_by(self._parts, ""), _id(template))


class Pins:
    """The PIN service: issue, resend, verify, look up."""

    def __init__(self, parts: Wired) -> None:
        self._parts = parts
        self._saver = Saver(parts.fingerprinter, parts.randomness)

    async def issue(
        self,
        account: Reference,
        template: Reference,
        destination: str,
        channels: Sequence[str] | None = None,
        reference_id: str | None = None,
        params: Mapping[str, str] | None = None,
        idempotency_key: str | None = None,
    ) -> SentPin:
        """
        Create a PIN and send its code (D1).

        With an `idempotency_key`, the same call within 24 hours gives the first result again.
        """
        raw = _documented(
            template_id=_id(template),
            destination=destination,
            channels=channels,
            reference_id=reference_id,
            template_params=params,
        )
        wanted = structure(raw, IssueRequest)
        by = await _acting(self._parts, account)
        idempotency = self._saver.idempotency(by, "issue", idempotency_key, raw)
        try:
            return await self._parts.issuing.issue(by, wanted, idempotency)
        except KeyAnswered as known:
            return self._saver.result(known.answer)

    async def resend(
        self,
        account: Reference,
        pin: str,
        channels: Sequence[str] | None = None,
        params: Mapping[str, str] | None = None,
        idempotency_key: str | None = None,
    ) -> SentPin:
        """Replace a PIN's code by a new one and send it (D2)."""
        raw = _documented(channels=channels, template_params=params)
        wanted = structure(raw, ResendRequest)
        by = await _acting(self._parts, account)
        idempotency = self._saver.idempotency(by, f"resend {pin}", idempotency_key, raw)
        try:
            return await self._parts.resending.resend(by, pin, wanted, idempotency)
        except KeyAnswered as known:
            return self._saver.result(known.answer)

    async def verify(self, account: Reference, pin: str, code: str) -> VerifiedPin:
        """Verify a code as the user typed it (D3); a wrong one raises `PinIncorrectError`."""
        return await self._parts.verifying.verify(await _acting(self._parts, account), pin, code)

    async def get(self, account: Reference, pin: str) -> VerificationRow:
        """Give a PIN as searches show it; raises `PinNotFoundError`."""
        account_id = await self._parts.accounts.resolve(_id(account))
        return await self._parts.verifications.get(account_id, pin)

    async def list(
        self, page: int = 1, page_size: int = DEFAULT_PAGE_SIZE, **filters: Any
    ) -> Listed[VerificationRow]:
        """
        Search PINs, the newest first.

        Filters: `account`, `reference_id`, `destination`, `template_id`, `status`, `channel`,
        `since`, `until`.
        """
        account_id = await _filter(self._parts, filters.pop("account", None))
        wanted = structure(_documented(**filters), VerificationFilters)
        return await self._parts.verifications.search(
            VerificationSearch(
                account_id=account_id,
                reference_id=wanted.reference_id,
                destination=wanted.destination,
                template_id=wanted.template_id,
                status=wanted.status,
                channel=wanted.channel,
                since=wanted.since,
                until=wanted.until,
            ),
            Paging.clamped(page, page_size),
        )


class Events:
    """The history."""

    def __init__(self, auditing: Auditing) -> None:
        self._auditing = auditing

    async def list(self, after: int = 0, limit: int = 100) -> Sequence[Recorded]:
        """Give the log behind a position, in commit order."""
        return await self._auditing.events(after, limit)

    async def get(self, stream: str) -> Sequence[Recorded]:
        """Give one stream's events, a PIN's by its id; raises `StreamNotFoundError`."""
        return await self._auditing.stream(stream)

    async def replay(self, stream: str, at: datetime | None = None) -> Replay:
        """Rebuild an aggregate from its events, as of a time."""
        return await self._auditing.replay(stream, at)


@frozen(kw_only=True)
class Service:
    """A whole Watchword in this process; `sandbox` only with `sandbox=True`."""

    accounts: Accounts
    api_keys: ApiKeys
    channel_accounts: ChannelAccounts
    pin_templates: PinTemplates
    pins: Pins
    events: Events
    sandbox: Sandbox | None


def _id(reference: Reference) -> str:
    return reference if isinstance(reference, str) else reference.id


def _by(parts: Wired, account_id: str) -> Caller:
    return Caller(account_id, EMBEDDED, parts.randomness.new_id("req"))


async def _acting(parts: Wired, account: Reference) -> Caller:
    return _by(parts, await parts.accounts.resolve(_id(account)))


async def _filter(parts: Wired, account: Reference | None) -> str | None:
    return None if account is None else await parts.accounts.resolve(_id(account))


def _documented(**values: Any) -> dict[str, Any]:
    """Give keyword arguments in the documented spelling, without those left out."""
    return {camel(name): value for name, value in values.items() if value is not None}


def _entries(channels: Sequence[Any]) -> list[Any]:
    return [_documented(**each) if isinstance(each, Mapping) else each for each in channels]
