"""The events of a PIN. `issue` numbers its codes from 1; only the newest can be live (C-15)."""

from __future__ import annotations

from datetime import datetime

from attrs import frozen

from ..channel import Channel, ChannelName, ChannelOutcome
from ..event import Event, personal, secret
from ..pin_template.policy import VerificationReceipt
from ..price import Price
from ..rate_limit import Rate
from ..receipt import ReceiptStatus


@frozen(kw_only=True)
class PinIssued(Event):
    """
    A PIN was created with its first code, before any dispatch.

    `counted` names the budgets of the guard that counted the send, as `domain.guard.counted` spells
    them, and `flags` the recorded rules that would have refused it (D-380). `country` is that of the
    number. With `test`, nothing is sent, because it is a test destination (C-79). `context_ip` and
    `context_user_agent` are HMACs (C-76). `receipt` is the form of the receipt that a verification of
    this code is answered with (C-83). `locale` chooses among the entries of each channel, in resends,
    too (C-86); a private part of it may name the person (D-522).
    """

    account_id: str
    template_id: str
    person_id: str
    destination: str = personal()
    reference_id: str | None = personal(default=None)
    channels: tuple[Channel, ...]
    issue: int = 1
    code_hash: str = secret()
    expires_at: datetime
    attempts: int
    verify_limit: Rate
    country: str | None = None
    test: bool = False
    counted: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    context_ip: str | None = personal(default=None)
    context_user_agent: str | None = personal(default=None)
    receipt: VerificationReceipt | None = None
    locale: str | None = personal(default=None)


@frozen(kw_only=True)
class PinResent(Event):
    """
    A new code replaced the last one, with a new expiry and a new number of attempts.

    `test`, `counted`, `flags` and `receipt` are those of this send, as in `PinIssued`.
    """

    issue: int
    channels: tuple[Channel, ...]
    code_hash: str = secret()
    expires_at: datetime
    attempts: int
    verify_limit: Rate
    test: bool = False
    counted: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    receipt: VerificationReceipt | None = None


@frozen(kw_only=True)
class PinDispatched(Event):
    """
    A code was handed to its channels; `outcomes` says which of them accepted it.

    With `test`, no provider was asked, and the outcomes are those of a send that is accepted (C-79).
    """

    issue: int
    outcomes: tuple[ChannelOutcome, ...]
    test: bool = False


@frozen(kw_only=True)
class PinReported(Event):
    """A provider reported on a code (C-23); `reported_at` is the provider's time, as in `Receipt`."""

    issue: int
    channel: ChannelName
    status: ReceiptStatus
    error_code: str | None = None
    reported_at: datetime
    segments: int | None = None
    price: Price | None = None


@frozen(kw_only=True)
class VerifyFailed(Event):
    """A wrong code was entered, with attempts left."""

    issue: int
    attempts_remaining: int


@frozen(kw_only=True)
class PinVerified(Event):
    """The right code was entered; final."""

    issue: int


@frozen(kw_only=True)
class PinBlocked(Event):
    """A wrong code was entered with no attempts left; final."""

    issue: int


@frozen(kw_only=True)
class PinExpired(Event):
    """The first call after the expiry found the code expired, or a restore expired it (D-64)."""

    issue: int


@frozen(kw_only=True)
class PinSuperseded(Event):
    """A channel accepted the later PIN `by` of the same template and destination, which is live instead."""

    by: str


@frozen(kw_only=True)
class PinErased(Event):
    """The PIN's person was erased (C-74): no code of it can be verified, and none is sent; final."""
