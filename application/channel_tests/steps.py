"""The steps of a test of a channel account (C-67)."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from functools import partial
from typing import Any

from attrs import define, field

from ...domain.accounts.channel_account import ChannelAccount
from ...domain.channel import ChannelOutcome, OutcomeStatus
from ...domain.errors import ValidationFailedError
from ...domain.event import MASK
from ...domain.provider_codes import code_without
from ...domain.receipt import ReceiptStatus
from ..channel_accounts.callback_urls import CallbackUrlOf
from ..channel_accounts.channel_secrets import ChannelSecretMissingError, ChannelSecrets
from ..channel_accounts.hiding_secrets import without_secrets
from ..journal import Journal
from ..ports.channels import ChannelProvider, Connected, Message, Rejected, Unknown
from ..provider_calls import ProviderCalls
from .awaiting_receipts import AwaitingReceipts
from .views import StepStatus

Told = tuple[StepStatus, str]

_STATUSES = {
    OutcomeStatus.ACCEPTED: StepStatus.OK,
    OutcomeStatus.REJECTED: StepStatus.FAILED,
    OutcomeStatus.UNKNOWN: StepStatus.UNKNOWN,
}
_EARLIER = (StepStatus.SKIPPED, "an earlier step failed")
_NOBODY_KNOWS = "nobody knows whether the provider answers"
# The parts of a test that no stored code repeats. Ordinary words of its text are in many codes.
_PARTS = re.compile(r"[A-Za-z]*[0-9][A-Za-z0-9]{2,}")


@define(kw_only=True)
class Run:
    """A test under way; `failed` says that the steps which follow are skipped."""

    message: Message = field(repr=False)
    account: ChannelAccount
    wait_seconds: int
    config: Mapping[str, Any] = field(factory=dict, repr=False)
    failed: bool = False
    outcome: ChannelOutcome | None = None


class Steps:
    """Does the steps of tests. Each returns its outcome, and words for the operator."""

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
        self._awaiting = AwaitingReceipts(journal)

    async def configure(self, run: Run) -> Told:
        """Open the config, and check it with the provider again."""
        provider = self._providers.get(run.account.provider)
        if provider is None:
            return StepStatus.FAILED, f"this node has no provider {run.account.provider!r}"
        channel_account_id = run.message.channel_account_id
        try:
            run.config = await self._secrets.config_of(channel_account_id, run.account)
            provider.check_config(run.config)
        except ChannelSecretMissingError:
            return (
                StepStatus.FAILED,
                "this node cannot open the secrets; start it with the code key that seals them",
            )
        except ValidationFailedError as refusal:
            wrong = "; ".join(f"{each.path} {each.message}" for each in refusal.problems)
            return StepStatus.FAILED, f"the provider no longer takes the config: {wrong}"
        if not run.account.sealed:
            return StepStatus.OK, "no secrets"
        key = await self._journal.seal_key(channel_account_id)
        number = _masks(run.account.config)
        under = "" if key is None else f" under code key {key.version}"
        return StepStatus.OK, f"{number} secret{'' if number == 1 else 's'} sealed{under}"

    async def connect(self, run: Run) -> Told:
        """Log in to the provider, without a send."""
        if run.failed:
            return _EARLIER
        try:
            async with asyncio.timeout(self._calls.timeout):
                answer: object = await self._providers[run.account.provider].probe(run.config)
        except TimeoutError:
            return StepStatus.UNKNOWN, f"no answer within {self._calls.timeout:g} s"
        except Exception as error:
            # The text of the error may quote a secret; the class and the place do not.
            self._calls.adapter_failed(run.message.channel_account_id, "probe", error)
            kind = type(error).__name__
            return StepStatus.UNKNOWN, f"the provider's adapter failed ({kind}); the log says where"
        status, detail = _connected(answer)
        if status is StepStatus.OK and (reached := await self._reachability(run)):
            detail = f"{detail}; {reached}"
        return status, without_secrets(detail, run.account.config, run.config)

    async def _reachability(self, run: Run) -> str | None:
        """Return what the provider says about the recipient; None if it says nothing, or nothing in time."""
        provider = self._providers[run.account.provider]
        try:
            async with asyncio.timeout(self._calls.timeout):
                said: object = await provider.reachability(run.config, run.message.destination)
        except TimeoutError:
            return None
        except Exception as error:
            self._calls.adapter_failed(run.message.channel_account_id, "reachability", error)
            return None
        return said if isinstance(said, str) else None

    async def send(self, run: Run) -> Told:
        """Send the message through this channel account alone."""
        if run.failed:
            return _EARLIER
        run.outcome = outcome = await self._calls.send_once(
            run.message, partial(_veiled, run.message)
        )
        if outcome.status is OutcomeStatus.ACCEPTED:
            return StepStatus.OK, f"accepted as {outcome.provider_message_id}"
        return _STATUSES[outcome.status], f"{outcome.error_code}: {outcome.error_message}"

    async def receive(self, run: Run) -> Told:
        """Wait for the receipt, unless nothing was sent or nobody asked for it."""
        if run.failed or run.outcome is None:
            return _EARLIER
        if not run.wait_seconds:
            return StepStatus.SKIPPED, "not waited for"
        own = run.outcome.provider_message_id
        ids = [run.message.reference, *([own] if own is not None else [])]
        found = await self._awaiting.newest(run.message.channel_account_id, ids, run.wait_seconds)
        if found is None:
            unheard = self._callback_url(run.message.channel_account_id) is None
            why = (
                "; the service knows no callback URL: start it with --public-url" if unheard else ""
            )
            return StepStatus.UNKNOWN, f"none within {run.wait_seconds} s{why}"
        if found.status is ReceiptStatus.FAILED:
            return StepStatus.FAILED, f"failed: {found.error_code or 'without a code'}"
        if found.status is ReceiptStatus.SENT:
            return StepStatus.UNKNOWN, f"sent, and nothing more within {run.wait_seconds} s"
        return StepStatus.OK, str(found.status)


def _connected(answer: object) -> Told:
    """Return what a provider's answer to a log-in means."""
    match answer:
        case None:
            return StepStatus.SKIPPED, "this provider has nothing to log in to"
        case Connected(detail=detail):
            return StepStatus.OK, str(detail or "logged in")
        case Rejected(code=code, message=message):
            return StepStatus.FAILED, f"{code}: {message}"
        case Unknown(message=message):
            return StepStatus.UNKNOWN, str(message or _NOBODY_KNOWS)
        case _:
            kind = type(answer).__name__
            return (
                StepStatus.UNKNOWN,
                f"the provider's adapter answered the log-in with a {kind}, and not with Connected,"
                " Rejected, Unknown or None; have it corrected",
            )


def _masks(config: Any) -> int:
    """Return the number of secrets in a config whose secrets are masked."""
    if isinstance(config, Mapping):
        return sum(_masks(each) for each in config.values())
    return int(config == MASK)


def _veiled(message: Message, refusal: Rejected) -> Rejected:
    """
    Return a refusal with a code that can be stored: a plain name without a part of the message.

    Only the code is stored. The words are shown to the operator who wrote the message, and to nobody
    else.
    """
    own = (message.text, message.destination)
    return Rejected(code_without(refusal.code, own, _PARTS), refusal.message)
