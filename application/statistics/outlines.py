"""Read the facts of PINs from the open lines of their events; nothing is opened (D-405)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from ...domain.channel import DISPATCH_INTERRUPTED, OutcomeStatus
from ...domain.price import Price
from ...domain.receipt import ReceiptStatus
from ...domain.statistics import (
    OnChannel,
    PinFacts,
    blocked,
    dispatched,
    erased,
    issued,
    reported,
    resent,
    superseded,
    verified,
)
from ..ports.event_store import Outline

# Returns the provider of a channel account, which never changes.
ProviderOf = Callable[[str | None], str | None]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_STATUSES = {str(each): each for each in OutcomeStatus}
_RECEIPTS = {str(each): each for each in ReceiptStatus}
_ACCEPTED, _UNKNOWN = OutcomeStatus.ACCEPTED, OutcomeStatus.UNKNOWN


def microseconds(text: str) -> int:
    """Return a stored time as microseconds since 1970."""
    return (datetime.fromisoformat(text) - _EPOCH) // _MICROSECOND


def time_of(seconds: int) -> datetime:
    """Return the time so many seconds after the beginning of 1970."""
    return _EPOCH + timedelta(seconds=seconds)


def issued_in(outline: Outline) -> PinFacts:
    """Return the facts of the PIN that an event issued."""
    data = outline.data
    return issued(
        data["account_id"],
        data["template_id"],
        data.get("country"),
        test=data.get("test", False),
        at=microseconds(outline.at),
        expires_at=microseconds(data["expires_at"]),
        channels=data["channels"],
    )


def evolved(pin: PinFacts, outline: Outline, provider_of: ProviderOf) -> PinFacts:
    """Return the facts after a later event."""
    evolve = _EVOLVE.get(outline.type)
    return pin if evolve is None else evolve(pin, outline, provider_of)


def channel_accounts_in(outline: Outline) -> set[str]:
    """Return the channel accounts that the outcomes in an event name."""
    if outline.type != _DISPATCHED:
        return set()
    return {
        each["channel_account_id"]
        for each in outline.data["outcomes"]
        if each["channel_account_id"] is not None
    }


def _resent(pin: PinFacts, outline: Outline, _: ProviderOf) -> PinFacts:
    data = outline.data
    expires_at = microseconds(data["expires_at"])
    return resent(pin, microseconds(outline.at), expires_at, data["channels"])


def _dispatched(pin: PinFacts, outline: Outline, provider_of: ProviderOf) -> PinFacts:
    may_arrive = False
    outcomes = []
    for each in outline.data["outcomes"]:
        status, account_id = _STATUSES[each["status"]], each["channel_account_id"]
        may_arrive |= status is _ACCEPTED or (
            status is _UNKNOWN and each["error_code"] != DISPATCH_INTERRUPTED
        )
        outcomes.append(
            OnChannel(
                each["channel"],
                status,
                account_id,
                provider_of(account_id),
                None,
                each.get("segments"),
                _price(each.get("price")),
                _price(each.get("rate")),
            )
        )
    return dispatched(pin, outline.data["issue"], outcomes, may_arrive=may_arrive)


def _reported(pin: PinFacts, outline: Outline, _: ProviderOf) -> PinFacts:
    data = outline.data
    status, segments = _RECEIPTS[data["status"]], data.get("segments")
    return reported(
        pin, data["issue"], data["channel"], status, segments, _price(data.get("price"))
    )


def _price(data: Mapping[str, Any] | None) -> Price | None:
    return None if data is None else Price(data["amount"], data["currency"])


ISSUED, _DISPATCHED = "PinIssued", "PinDispatched"
_EVOLVE: Mapping[str, Callable[[PinFacts, Outline, ProviderOf], PinFacts]] = {
    "PinResent": _resent,
    _DISPATCHED: _dispatched,
    "PinReported": _reported,
    "PinVerified": lambda pin, outline, _: verified(pin, microseconds(outline.at)),
    "PinBlocked": lambda pin, *_: blocked(pin),
    "PinSuperseded": lambda pin, *_: superseded(pin),
    "PinErased": lambda pin, *_: erased(pin),
}
# The events of a PIN that change a figure. Wrong guesses are counted once the last one blocks.
OF_PINS = frozenset({ISSUED, *_EVOLVE})
