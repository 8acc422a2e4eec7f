"""Ask providers about templates: within a time limit, and with answers that can be stored (C-99)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from attrs import evolve

from ....domain.accounts.channel_account import channel_account_decider
from ....domain.approval import MAX_REASON
from ....domain.limits import UNSTORABLE, has_controls
from ....domain.provider_codes import plain_code
from ....domain.whatsapp_template import TemplateDefinition
from ...channel_accounts.channel_secrets import ChannelSecretMissingError, ChannelSecrets
from ...channel_accounts.hiding_secrets import quotes_secret, without_secrets
from ...journal import Journal
from ...ports.channels import (
    ChannelProvider,
    Fault,
    Rejected,
    Submitted,
    TemplateReview,
    Unknown,
)
from ...ports.provider_observer import ProviderObserver
from ...provider_calls.outcomes import (
    DISABLED,
    LATE,
    MAX_ID,
    NO_PROVIDER,
    NO_SECRETS,
    checked,
    failed,
    unquoted,
)

# Submissions may upload media first; look-ups read many pages.
SUBMIT_SECONDS = 30.0
LOOK_UP_SECONDS = 60.0
NO_LONGER = Rejected(
    "templates_not_submitted",
    "The channel account submits no templates. Give it its business account, or submit the template"
    " again through another one.",
    Fault.ACCOUNT,
)
_MAX_CATEGORY = 64
_UNREADABLE = "The provider's answer about the template cannot be read."

_Ask = Callable[[ChannelProvider, Mapping[str, Any]], Awaitable[object]]


class TemplateCalls:
    """Calls providers about the templates of one channel account; a failure becomes the answer."""

    def __init__(
        self,
        journal: Journal,
        providers: Mapping[str, ChannelProvider],
        secrets: ChannelSecrets,
        observers: Sequence[ProviderObserver] = (),
    ) -> None:
        self._journal = journal
        self._providers = providers
        self._secrets = secrets
        self._observers = observers

    async def submit(
        self, channel_account_id: str, template: TemplateDefinition
    ) -> Submitted | Rejected | Unknown:
        """Submit a template; raises `UnavailableError` if the channel account cannot be read."""

        def ask(provider: ChannelProvider, config: Mapping[str, Any]) -> Awaitable[object]:
            return provider.submit_template(config, template)

        answer, shown, config = await self._asked(
            channel_account_id, "submit_template", SUBMIT_SECONDS, ask
        )
        if isinstance(answer, Submitted):
            return _readable(answer, shown, config)
        return _refused(answer, shown, config)

    async def states(
        self, channel_account_id: str
    ) -> Sequence[TemplateReview] | Rejected | Unknown:
        """Return the provider's decisions; raises `UnavailableError` as `submit` does."""

        def ask(provider: ChannelProvider, config: Mapping[str, Any]) -> Awaitable[object]:
            return provider.template_states(config)

        answer, shown, config = await self._asked(
            channel_account_id, "template_states", LOOK_UP_SECONDS, ask
        )
        if isinstance(answer, list | tuple):
            reviews = (each for each in answer if isinstance(each, TemplateReview))
            return [_storable(each, shown, config) for each in reviews]
        return _refused(answer, shown, config)

    async def _asked(
        self, channel_account_id: str, call: str, seconds: float, ask: _Ask
    ) -> tuple[object, Mapping[str, Any], Mapping[str, Any]]:
        """Return the provider's answer, and the config with masks and without."""
        account = (await self._journal.load(channel_account_decider, channel_account_id)).state
        shown = account.config
        provider = self._providers.get(account.provider)
        if not account.enabled:
            return DISABLED, shown, shown
        if provider is None:
            return NO_PROVIDER, shown, shown
        try:
            config = await self._secrets.config_of(channel_account_id, account)
        except ChannelSecretMissingError:
            return NO_SECRETS, shown, shown
        try:
            if not provider.submits_templates(shown):
                return NO_LONGER, shown, config
            async with asyncio.timeout(seconds):
                return await ask(provider, config), shown, config
        except TimeoutError:
            return LATE, shown, config
        except Exception as error:
            # The text of the error may quote a secret; the class and the place do not.
            for observer in self._observers:
                observer.adapter_failed(channel_account_id, call, error)
            return failed(error), shown, config


def _storable(
    review: TemplateReview, shown: Mapping[str, Any], config: Mapping[str, Any]
) -> TemplateReview:
    reason: object = review.reason
    if reason is None:
        return review
    if not isinstance(reason, str) or UNSTORABLE.search(reason):
        return evolve(review, reason=None)
    return evolve(review, reason=without_secrets(reason[:MAX_REASON], shown, config))


def _refused(
    answer: object, shown: Mapping[str, Any], config: Mapping[str, Any]
) -> Rejected | Unknown:
    """Return a refusal that can be stored, without the secrets of the config."""
    told = unquoted(checked(answer, _plain), shown, config)
    if isinstance(told, Rejected | Unknown):
        return told
    return Unknown(message=_UNREADABLE)


def _plain(refusal: Rejected) -> Rejected:
    return Rejected(plain_code(refusal.code), refusal.message)


def _readable(
    answer: Submitted, shown: Mapping[str, Any], config: Mapping[str, Any]
) -> Submitted | Unknown:
    own_id, approved = answer.provider_template_id, answer.approved
    if _line(own_id, MAX_ID) is None or quotes_secret(own_id, shown, config):
        return Unknown(message=_UNREADABLE)
    reason = _line(answer.reason, MAX_REASON)
    return Submitted(
        provider_template_id=own_id,
        approved=approved if isinstance(approved, bool) else None,
        reason=None if reason is None else without_secrets(reason, shown, config),
        category=_line(answer.category, _MAX_CATEGORY),
        adopted=answer.adopted is True,
    )


def _line(text: object, most: int) -> str | None:
    """Return a text of one line that can be stored; None for anything else."""
    if not isinstance(text, str) or not 0 < len(text) <= most:
        return None
    return None if has_controls(text) or UNSTORABLE.search(text) else text
