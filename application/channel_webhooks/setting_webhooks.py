"""Have providers post to the addresses of channel accounts, or say where people enter them (C-70, D-282)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from ...domain.accounts.channel_account import (
    ChannelAccountNotFoundError,
    channel_account_decider,
)
from ...domain.errors import FieldProblem, ValidationFailedError
from ...domain.provider_codes import plain_code
from ..caller import Caller
from ..channel_accounts.callback_urls import CallbackUrlOf
from ..channel_accounts.channel_secrets import ChannelSecretMissingError, ChannelSecrets
from ..channel_accounts.hiding_secrets import without_secrets
from ..journal import Journal
from ..ports.channels import ChannelProvider, Rejected, Unknown, Webhook
from ..provider_calls import ProviderCalls
from ..provider_calls.outcomes import NO_PROVIDER, NO_SECRETS
from ..repository import find_visible
from .views import WebhookStatus, WebhookView

_NO_ADDRESS = (
    "does not exist: start the service that hears the provider with --public-url, and ask it"
)
_MOST_STEPS, _MOST_WORDS = 10, 600
_LATE = "The provider did not answer in time. Look there, or try again."
_ODD = "The provider's adapter gave an answer that is none; have it corrected."


class SettingWebhooks:
    """
    Sets the addresses of channel accounts at their providers.

    A repetition sets the same address again. Nothing is recorded: the address stands at the provider.
    """

    def __init__(
        self,
        journal: Journal,
        providers: Mapping[str, ChannelProvider],
        secrets: ChannelSecrets,
        calls: ProviderCalls,
        callback_url: CallbackUrlOf,
    ) -> None:
        self._journal = journal
        self._providers = providers
        self._secrets = secrets
        self._calls = calls
        self._callback_url = callback_url

    async def set(self, by: Caller, channel_account_id: str) -> WebhookView:
        """
        Have the provider of a channel account post to its address; a refusal is an answer.

        Raises `ChannelAccountNotFoundError`, `UnavailableError`, and `ValidationFailedError` without a
        public URL.
        """
        account = await find_visible(self._journal, by, channel_account_decider, channel_account_id)
        if account is None:
            raise ChannelAccountNotFoundError
        url = self._callback_url(channel_account_id)
        if url is None:
            raise ValidationFailedError([FieldProblem("callback_url", _NO_ADDRESS)])
        provider = self._providers.get(account.state.provider)
        if provider is None:
            return _refused(url, NO_PROVIDER)
        try:
            config = await self._secrets.config_of(channel_account_id, account.state)
        except ChannelSecretMissingError:
            return _refused(url, NO_SECRETS)
        answer = await self._asked(provider, channel_account_id, config, url)

        def shown(words: object) -> str:
            return without_secrets(_cut(words), account.state.config, config)

        return _told(url, answer, shown)

    async def _asked(
        self,
        provider: ChannelProvider,
        channel_account_id: str,
        config: Mapping[str, Any],
        url: str,
    ) -> object:
        """Return the adapter's answer; one that comes late, or fails, leaves the address unknown."""
        try:
            query = provider.callback_query(config)
            async with asyncio.timeout(self._calls.timeout):
                return await provider.set_webhook(config, f"{url}?{query}" if query else url)
        except TimeoutError:
            return Unknown(message=_LATE)
        except Exception as error:
            # The text of the error may quote a secret; the class and the place do not.
            self._calls.adapter_failed(channel_account_id, "set_webhook", error)
            kind = type(error).__name__
            return Unknown(message=f"The provider's adapter failed ({kind}); the log says where.")


def _told(url: str, answer: object, shown: Callable[[object], str]) -> WebhookView:
    match answer:
        case Webhook(is_set=is_set, steps=steps):
            status = WebhookStatus.SET if is_set is True else WebhookStatus.MANUAL
            words = tuple(shown(each) for each in steps[:_MOST_STEPS])
            return WebhookView(callback_url=url, status=status, steps=words)
        case Rejected(code=code, message=message):
            return _refused(url, Rejected(plain_code(shown(code)), shown(message)))
        case Unknown(message=message):
            return WebhookView(
                callback_url=url, status=WebhookStatus.UNKNOWN, message=shown(message or _LATE)
            )
        case _:
            return WebhookView(callback_url=url, status=WebhookStatus.UNKNOWN, message=_ODD)


def _refused(url: str, refusal: Rejected) -> WebhookView:
    return WebhookView(
        callback_url=url,
        status=WebhookStatus.REJECTED,
        code=refusal.code,
        message=refusal.message,
    )


def _cut(words: object) -> str:
    """Return an adapter's words, cut, and without characters that no answer can have."""
    return str(words)[:_MOST_WORDS].encode(errors="replace").decode()
