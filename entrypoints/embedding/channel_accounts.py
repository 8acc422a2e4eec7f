"""Channel accounts for embedders: contracts with channel providers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import asdict, fields, has

from ...application.channel_accounts.views import ChannelAccountView, ProviderView
from ...application.channel_tests.views import (
    ChannelTestRequest,
    ChannelTestView,
    StepResult,
)
from ...application.channel_webhooks.views import WebhookView
from ...application.paging import DEFAULT_PAGE_SIZE, Listed, Paging
from ...application.ports.channels import Heard, Post
from ...domain.accounts.channel_account import ChannelLimits, PrefixPrice
from ...domain.errors import camel
from ..addresses.callbacks import callbacks_under
from ..wire.structuring import structure
from ..wire.typed_requests import ChannelAccountChange, NewChannelAccount, channel_facts
from .leasing import Facade
from .references import (
    Reference,
    account_filter,
    acting_for,
    documented,
    embedder,
    id_of,
)


class ChannelAccounts(Facade):
    """Contracts with channel providers."""

    async def create(
        self,
        account: Reference,
        channel_type: str,
        provider: str,
        name: str,
        *,
        sender: str | None = None,
        config: Mapping[str, Any] | None = None,
        limits: ChannelLimits | Mapping[str, Any] | None = None,
        failover: Sequence[Reference] = (),
        failover_on_unknown: bool | None = None,
        prices: Sequence[PrefixPrice | Mapping[str, Any]] = (),
    ) -> ChannelAccountView:
        """
        Create a channel account.

        `limits` is a `ChannelLimits`, or a dictionary in either spelling; `prices` are `PrefixPrice`, or
        dictionaries. The channel accounts in `failover` are tried in their order (C-69).
        """
        given = documented(
            channel_type=channel_type,
            provider=provider,
            name=name,
            sender=sender,
            config=config,
            limits=_spelled(limits),
            failover=_ids(failover),
            failover_on_unknown=failover_on_unknown,
            prices=list(prices),
        )
        facts = channel_facts(structure(given, NewChannelAccount))
        return await self._parts.channel_accounts.create(
            await acting_for(self._parts, account), **facts
        )

    async def update(self, /, channel_account: Reference, **changes: Any) -> ChannelAccountView:
        """
        Change the given settings, and leave the others as they are; None removes one (C-66).

        They are those of `create`. `config` and `limits` are merged by member, and `***` keeps a secret.
        Raises `ChannelAccountNotFoundError`, `ValidationFailedError`, and `TypeError` for any other name.
        """
        known = {each.name for each in fields(ChannelAccountChange)}
        if unknown := changes.keys() - known:
            raise TypeError(f"update() has no {', '.join(sorted(unknown))}.")
        given = {camel(name): value for name, value in changes.items()}
        if "limits" in given:
            given["limits"] = _spelled(given["limits"])
        if given.get("failover") is not None:
            given["failover"] = _ids(given["failover"])
        return await self._parts.revising_channel_accounts.update(
            embedder(self._parts, ""),
            id_of(channel_account),
            structure(given, ChannelAccountChange).patch(given),
        )

    async def enable(self, channel_account: Reference) -> ChannelAccountView:
        """Allow sends through a channel account again; raise `ChannelAccountNotFoundError`."""
        return await self._parts.revising_channel_accounts.enable(
            embedder(self._parts, ""), id_of(channel_account)
        )

    async def disable(self, channel_account: Reference) -> ChannelAccountView:
        """Stop sends through a channel account; raise `ChannelAccountNotFoundError`."""
        return await self._parts.revising_channel_accounts.disable(
            embedder(self._parts, ""), id_of(channel_account)
        )

    async def providers(self) -> Sequence[ProviderView]:
        """Return the providers, your own included, with the settings that each asks for."""
        return self._parts.channel_accounts.providers()

    async def get(self, channel_account: Reference) -> ChannelAccountView:
        """Return a channel account; raise `ChannelAccountNotFoundError`."""
        return await self._parts.channel_accounts.get(
            embedder(self._parts, ""), id_of(channel_account)
        )

    async def list(
        self, account: Reference | None = None, page: int = 1, page_size: int = DEFAULT_PAGE_SIZE
    ) -> Listed[ChannelAccountView]:
        """List channel accounts, the newest first."""
        account_id = await account_filter(self._parts, account)
        return await self._parts.channel_accounts.list(account_id, Paging.clamped(page, page_size))

    async def hear(
        self,
        channel_account: Reference,
        headers: Mapping[str, str],
        body: bytes,
        *,
        method: str = "POST",
        url: str | None = None,
    ) -> Heard:
        """
        Process a post of the account's provider, as `/callbacks/{channelAccountId}` does (C-70).

        `url` is the address that the provider called, with its query; by default it is the account's
        address under the public URL. Answer as the result says. Raises `ChannelAccountNotFoundError`,
        `UnauthorizedError` for a wrong signature, `ValidationFailedError`; after any other error the
        provider should post it again.
        """
        channel_account_id = id_of(channel_account)
        own = callbacks_under(self._parts.short_domains.base_url)(channel_account_id)
        post = Post(
            method=method,
            url=url or own or "",
            headers={name.lower(): value for name, value in headers.items()},
            body=body,
        )
        request_id = self._parts.randomness.new_id("req")
        return await self._parts.provider_webhooks.receive(channel_account_id, post, request_id)

    async def set_webhook(self, channel_account: Reference) -> WebhookView:
        """
        Have the provider post to the account's address, or tell the steps by which people enter it.

        A refusal of the provider is a result. Raises `ChannelAccountNotFoundError`, and
        `ValidationFailedError` for a service without a `public_url`.
        """
        return await self._parts.setting_webhooks.set(
            embedder(self._parts, ""), id_of(channel_account)
        )

    async def test(
        self,
        channel_account: Reference,
        to: str,
        *,
        text: str | None = None,
        template: str | None = None,
        language: str | None = None,
        wait_seconds: int = 0,
        on_step: Callable[[StepResult], None] | None = None,
    ) -> ChannelTestView:
        """
        Send a test message through this channel account alone; `on_step` is called after each step (C-67).

        Raises `ChannelAccountNotFoundError` and `ValidationFailedError`. A rejected send is a result.
        """
        given = documented(
            to=to, text=text, template=template, language=language, wait_seconds=wait_seconds
        )
        asked = structure(given, ChannelTestRequest)
        by = embedder(self._parts, "")
        return await self._parts.channel_tests.whole(by, id_of(channel_account), asked, on_step)


def _spelled(limits: Any) -> Any:
    """Return limits in the documented spelling; an object says something about all of them."""
    if has(type(limits)):
        limits = asdict(limits)
    return (
        {camel(name): each for name, each in limits.items()}
        if isinstance(limits, Mapping)
        else limits
    )


def _ids(channel_accounts: Sequence[Reference]) -> list[str]:
    return [id_of(each, f"failover[{number}]") for number, each in enumerate(channel_accounts)]
