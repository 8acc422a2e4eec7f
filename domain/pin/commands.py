"""What a PIN is asked to do; every fact a decision needs travels inside (design section 2)."""

from __future__ import annotations

from datetime import datetime

from attrs import field

from ..channel import Channel, ChannelName, ChannelOutcome
from ..pin_policy import PinPolicy
from ..receipt import Receipt
from ..value import value


@value(kw_only=True)
class IssuePin:
    """Create a PIN with its first code."""

    at: datetime
    pin_id: str
    account_id: str
    template_id: str
    destination: str = field(repr=False)
    reference_id: str | None = field(default=None, repr=False)
    channels: tuple[Channel, ...]
    code_hash: str = field(repr=False)
    policy: PinPolicy


@value(kw_only=True)
class ResendPin:
    """Replace the code by a new one."""

    at: datetime
    channels: tuple[Channel, ...]
    code_hash: str = field(repr=False)
    policy: PinPolicy


@value
class EarlyReceipts:
    """Receipts for a provider's id, parked on the stream `parked_id` until the outcome named that id."""

    subject: str
    parked_id: str
    receipts: tuple[Receipt, ...]


@value(kw_only=True)
class RecordDispatch:
    """
    Take down how the channels took code number `issue` of the PIN `pin_id`.

    `retiring` are the PINs that its acceptance displaces, `early` the receipts that came before it;
    the store's refusals name both. A provider's id that another PIN or message holds is left out
    of its outcome (D-37).
    """

    at: datetime
    pin_id: str
    issue: int
    outcomes: tuple[ChannelOutcome, ...]
    retiring: frozenset[str] = frozenset()
    early: tuple[EarlyReceipts, ...] = ()


@value(kw_only=True)
class RecoverDispatch:
    """Close a dispatch whose process died before it recorded the outcome (C-15)."""

    at: datetime
    issue: int


@value(kw_only=True)
class TakePinReceipt:
    """Take down a provider's receipt for what it knows as `subject` (`receipt.provider_message`)."""

    at: datetime
    subject: str
    receipt: Receipt


@value(kw_only=True)
class ExplainPin:
    """Take down a receipt for code number `issue` on a channel, by the reference that it was sent with."""

    at: datetime
    issue: int
    channel: ChannelName
    receipt: Receipt


@value(kw_only=True)
class VerifyPin:
    """Judge a typed code; `matched` says whether it is the live one."""

    at: datetime
    pin_id: str
    matched: bool


@value(kw_only=True)
class ExpirePin:
    """End the code that is live, whatever time it has left."""

    at: datetime


@value(kw_only=True)
class SupersedePin:
    """Let the PIN `by` replace this one for its template and destination."""

    at: datetime
    by: str
