"""Commands of a PIN; each carries every fact that its decision needs (design section 2)."""

from __future__ import annotations

from datetime import datetime

from attrs import field

from ..channel import Channel, ChannelName, ChannelOutcome
from ..guard.guarded import UNGUARDED, Guarded, GuessesLimit
from ..pin_template.policy import PinPolicy
from ..receipt import Receipt
from ..value import value


@value(kw_only=True)
class IssuePin:
    """Create a PIN with its first code; `context_ip` and `context_user_agent` are HMACs (C-76)."""

    at: datetime
    pin_id: str
    account_id: str
    template_id: str
    person_id: str
    destination: str = field(repr=False)
    reference_id: str | None = field(default=None, repr=False)
    channels: tuple[Channel, ...]
    code_hash: str = field(repr=False)
    policy: PinPolicy
    country: str | None = None
    test: bool = False
    context_ip: str | None = field(default=None, repr=False)
    context_user_agent: str | None = field(default=None, repr=False)
    locale: str | None = field(default=None, repr=False)
    guarded: Guarded = UNGUARDED


@value(kw_only=True)
class ResendPin:
    """Replace the code with a new one."""

    at: datetime
    channels: tuple[Channel, ...]
    code_hash: str = field(repr=False)
    policy: PinPolicy
    test: bool = False
    guarded: Guarded = UNGUARDED


@value
class EarlyReceipts:
    """Receipts for a provider's id, parked on the stream `parked_id` until the outcome named that id."""

    subject: str
    parked_id: str
    receipts: tuple[Receipt, ...]


@value(kw_only=True)
class RecordDispatch:
    """
    Record the outcomes of sending code number `issue` of the PIN `pin_id` to its channels.

    `retiring` are the PINs that this one displaces; `early` are the receipts that arrived before the
    outcome. The store's refusals name both. If another PIN or message holds a provider's id, leave the
    id out of the outcome (D-37).
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
    """Record a provider's receipt for a code, found by its `subject` (`receipt.provider_message`)."""

    at: datetime
    subject: str
    receipt: Receipt


@value(kw_only=True)
class ExplainPin:
    """Record a receipt for code number `issue` on a channel, found by the reference of the send."""

    at: datetime
    issue: int
    channel: ChannelName
    receipt: Receipt


@value(kw_only=True)
class VerifyPin:
    """
    Judge a typed code; `matched` is whether it equals the live code.

    `guesses` is the guard's limit of wrong guesses against the destination, if it has one. `prefix` is
    the HMAC of the number's prefix, if a budget of it counted a send of the PIN.
    """

    at: datetime
    pin_id: str
    matched: bool
    guesses: GuessesLimit | None = None
    prefix: str | None = field(default=None, repr=False)


@value(kw_only=True)
class ExpirePin:
    """End the live code before its expiry."""

    at: datetime


@value(kw_only=True)
class SupersedePin:
    """Replace this PIN with the PIN `by` of the same template and destination."""

    at: datetime
    by: str


@value(kw_only=True)
class ErasePin:
    """End the PIN because its person was erased."""

    at: datetime
    pin_id: str
