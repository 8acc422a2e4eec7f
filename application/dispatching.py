"""Dispatch: one rendered code to its channels, in parallel, each on its own time and terms."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from ..domain.channel import PROVIDER_TIMEOUT, Channel, ChannelOutcome, OutcomeStatus
from ..domain.channel_account import ChannelAccount, channel_account_decider
from ..domain.event import MASK
from ..domain.pin_template import TemplateChannel, render
from .journal import Journal
from .ports.channels import Accepted, ChannelProvider, Message, ProviderTemplate

# More sends than this at once on one channel account mean that its provider has stopped answering.
MAX_IN_FLIGHT = 512


class Dispatching:
    """
    Hands codes to channel providers.

    Never raises for a channel's sake: what goes wrong on one is its outcome, and hurts no other.
    The clear code lives on this call stack alone.
    """

    def __init__(
        self,
        journal: Journal,
        providers: Mapping[str, ChannelProvider],
        provider_timeout: float,
    ) -> None:
        self._journal = journal
        self._providers = providers
        self._provider_timeout = provider_timeout
        self._in_flight: Counter[str] = Counter()

    async def dispatch(
        self,
        reference: str,
        destination: str,
        entries: Sequence[TemplateChannel],
        code: str,
        params: Mapping[str, str],
    ) -> tuple[ChannelOutcome, ...]:
        """Send a code on every entry's channel; one outcome each, in their order."""
        sends = [self._send(reference, destination, entry, code, params) for entry in entries]
        if len(sends) == 1:
            return (await sends[0],)
        return tuple(await asyncio.gather(*sends))

    async def _send(
        self,
        reference: str,
        destination: str,
        entry: TemplateChannel,
        code: str,
        params: Mapping[str, str],
    ) -> ChannelOutcome:
        account_id = entry.channel_account_id
        account = (await self._journal.load(channel_account_decider, account_id)).state
        provider = self._providers.get(account.provider)
        if provider is None:
            return _rejected(entry, "provider_not_available", "This node has no such provider.")
        if self._in_flight[account_id] >= MAX_IN_FLIGHT:
            return _rejected(entry, "channel_busy", "Too many sends wait for this provider.")
        self._in_flight[account_id] += 1
        try:
            async with asyncio.timeout(self._provider_timeout):
                answer = await provider.send(
                    account.config, _message(reference, destination, entry, account, code, params)
                )
        except TimeoutError:
            return _not_accepted(
                entry,
                OutcomeStatus.UNKNOWN,
                PROVIDER_TIMEOUT,
                "The provider did not answer in time.",
            )
        except Exception as error:
            # Only the kind of the error is kept: its text may hold what was sent.
            return _rejected(
                entry, "provider_error", f"The provider failed ({type(error).__name__})."
            )
        finally:
            self._in_flight[account_id] -= 1
            if not self._in_flight[account_id]:
                del self._in_flight[account_id]
        if isinstance(answer, Accepted):
            return ChannelOutcome(
                channel=entry.channel_type,
                channel_account_id=account_id,
                status=OutcomeStatus.ACCEPTED,
                provider_message_id=answer.provider_message_id,
            )
        # A provider may quote what it refused; the code must not come back with it (C-31).
        return _rejected(entry, _without(code, answer.code), _without(code, answer.message))


def _message(
    reference: str,
    destination: str,
    entry: TemplateChannel,
    account: ChannelAccount,
    code: str,
    params: Mapping[str, str],
) -> Message:
    rendered = render(entry, code, params)
    template = None
    if entry.channel_type is Channel.WHATSAPP and entry.provider_template_ref:
        template = ProviderTemplate(
            name=entry.provider_template_ref,
            language=entry.language_code,
            code=code,
            params=rendered.params,
            copy_code_button_index=entry.copy_code_button_index,
        )
    return Message(
        reference=f"{reference}:{entry.channel_type}",
        channel=entry.channel_type,
        channel_account_id=entry.channel_account_id,
        sender=account.sender,
        destination=destination,
        text=rendered.text,
        subject=rendered.subject,
        template=template,
        entity_id=entry.entity_id,
        unicode=entry.unicode,
    )


def _without(code: str, text: str) -> str:
    return re.sub(re.escape(code), MASK, text, flags=re.IGNORECASE)


def _rejected(entry: TemplateChannel, code: str, message: str) -> ChannelOutcome:
    return _not_accepted(entry, OutcomeStatus.REJECTED, code, message)


def _not_accepted(
    entry: TemplateChannel, status: OutcomeStatus, code: str, message: str
) -> ChannelOutcome:
    return ChannelOutcome(
        channel=entry.channel_type,
        channel_account_id=entry.channel_account_id,
        status=status,
        error_code=code,
        error_message=message,
    )
