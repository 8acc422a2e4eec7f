"""Check what adapters answer to sends, and turn it into outcomes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from ...domain.channel import (
    PROVIDER_TIMEOUT,
    PROVIDER_UNKNOWN,
    ChannelOutcome,
    OutcomeStatus,
    TriedAccount,
)
from ...domain.limits import UNSTORABLE, has_controls
from ...domain.price import AMOUNT, CURRENCY, Price
from ...domain.provider_codes import PROVIDER_REJECTED, code_about
from ..channel_accounts.hiding_secrets import quotes_secret, without_secrets
from ..ports.channels import Accepted, Fault, Message, Rejected, Unknown

Answer = Accepted | Rejected | Unknown
# Removes what a refusal may quote of the message (C-31).
Veil = Callable[[Rejected], Rejected]

# The longest id of a provider, which indexes have to hold.
MAX_ID = 256
# The lengths to which a provider's error code and text are cut.
MAX_CODE, MAX_WORDS = 100, 500
_MOST_SEGMENTS = 1_000
_NOBODY_KNOWS = "Nobody knows whether the provider took the message."
_QUOTING_ID = "The id in the provider's answer quotes a secret of the channel account."
_UNKNOWN_CODES = (PROVIDER_UNKNOWN, PROVIDER_TIMEOUT)
# On Python 3.11, each access to a member of an enumeration is a call.
_ACCEPTED, _REJECTED, _UNKNOWN = (
    OutcomeStatus.ACCEPTED,
    OutcomeStatus.REJECTED,
    OutcomeStatus.UNKNOWN,
)

BUSY = Rejected(
    "channel_busy",
    "Too many sends are under way on this channel account. Try again later, or raise its limits.",
    Fault.BUSY,
)
AWAY = Rejected(
    "channel_away",
    "The provider of this channel account does not answer. The next send is tried within a minute.",
    Fault.AWAY,
)
DISABLED = Rejected(
    "channel_disabled", "This channel account is disabled. Enable it to send.", Fault.ACCOUNT
)
NO_PROVIDER = Rejected(
    "provider_not_available",
    "This node has no such provider. Install its package here.",
    Fault.ACCOUNT,
)
NO_SECRETS = Rejected(
    "channel_secret_missing",
    "This node cannot open the secrets of the channel account. Start it with the code key that seals"
    " them; if that key is lost, update the config with its secrets.",
    Fault.ACCOUNT,
)
UNREADABLE_SECRETS = Rejected(
    "unavailable",
    "The secrets of the channel account could not be read, because the store was out of reach. Try"
    " again.",
    Fault.ACCOUNT,
)
LATE = Unknown(PROVIDER_TIMEOUT, "The provider did not answer in time.")


def failed(error: BaseException) -> Unknown:
    """Return the answer that an adapter's exception counts as; its text may quote the message."""
    kind = type(error).__name__
    return Unknown(message=f"The provider's adapter failed ({kind}); nobody knows what it sent.")


def identified(answer: Unknown, own_id: str | None) -> Unknown:
    """Return an answer with the id that an adapter names; one that cannot be stored is left out."""
    return Unknown(answer.code, answer.message, own_id) if _is_id(own_id) else answer


def checked(answer: object, veiled: Veil) -> Answer:
    """
    Return an adapter's answer with values that can be stored and shown.

    One that cannot be read is unknown. Of an accepted message, a wrong number of segments or a wrong
    price is left out.
    """
    if isinstance(answer, Accepted) and _is_id(answer.provider_message_id):
        if answer.segments is None and answer.price is None:
            return answer
        return Accepted(
            answer.provider_message_id,
            checked_segments(answer.segments),
            checked_price(answer.price),
        )
    if isinstance(answer, Rejected) and _are_texts(answer.code, answer.message):
        said = veiled(answer)
        return Rejected(
            said.code[:MAX_CODE],
            said.message[:MAX_WORDS],
            # What is no fault says nothing about other accounts.
            answer.fault if _is_fault(answer.fault) else Fault.CONTENT,
            _seconds(answer.retry_after),
        )
    if (
        isinstance(answer, Unknown)
        and _are_texts(answer.message)
        and (answer.provider_message_id is None or _is_id(answer.provider_message_id))
    ):
        code = answer.code if answer.code in _UNKNOWN_CODES else PROVIDER_UNKNOWN
        said = veiled(Rejected(code, answer.message))
        message = said.message[:MAX_WORDS] if answer.message else ""
        return Unknown(code, message, answer.provider_message_id)
    kind = type(answer).__name__
    return Unknown(message=f"The provider's adapter answered with a {kind} that cannot be read.")


def unquoted(answer: Answer, shown: Mapping[str, Any], config: Mapping[str, Any]) -> Answer:
    """Return an answer without the secrets of the config, some of which providers quote (D-236)."""
    if shown is config:
        return answer
    own_id = None if isinstance(answer, Rejected) else answer.provider_message_id
    if own_id is not None and quotes_secret(own_id, shown, config):
        # Ids are stored and shown, and receipts would have this one, too (D-243).
        return Unknown(message=_QUOTING_ID)
    if isinstance(answer, Accepted):
        return answer
    message = without_secrets(answer.message, shown, config)
    if isinstance(answer, Unknown):
        return replace(answer, message=message)
    code = answer.code
    if code != without_secrets(code, shown, config):
        code = PROVIDER_REJECTED
    return replace(answer, code=code, message=message)


def without_number(answer: Answer, destination: str) -> Answer:
    """Return a refusal whose code shows no number; a code that is a text goes to the message (C-100)."""
    if type(answer) is not Rejected:
        return answer
    code = code_about(answer.code, destination)
    if code == answer.code:
        return answer
    return replace(answer, code=code, message=f"{answer.code}: {answer.message}"[:MAX_WORDS])


def outcome_of(
    answer: Answer, message: Message, tried: tuple[TriedAccount, ...] = ()
) -> ChannelOutcome:
    """Return the outcome of a send from its checked answer; the message names the channel account."""
    if isinstance(answer, Accepted):
        return ChannelOutcome(
            channel=message.channel,
            channel_account_id=message.channel_account_id,
            status=_ACCEPTED,
            provider_message_id=answer.provider_message_id,
            tried=tried,
            segments=answer.segments,
            price=answer.price,
        )
    return ChannelOutcome(
        channel=message.channel,
        channel_account_id=message.channel_account_id,
        status=_REJECTED if isinstance(answer, Rejected) else _UNKNOWN,
        provider_message_id=None if isinstance(answer, Rejected) else answer.provider_message_id,
        error_code=answer.code,
        error_message=answer.message or _NOBODY_KNOWS,
        tried=tried,
    )


def as_tried(answer: Answer, channel_account_id: str) -> TriedAccount:
    """Return the line of an attempt in the `tried` of its outcome."""
    if isinstance(answer, Accepted):
        return TriedAccount(channel_account_id, _ACCEPTED)
    status = _REJECTED if isinstance(answer, Rejected) else _UNKNOWN
    return TriedAccount(channel_account_id, status, answer.code)


def standing(answers: Sequence[Answer]) -> int:
    """
    Return the place of the answer that decides: the acceptance, else the last unknown, else the last.

    An unknown attempt may have reached the recipient, which a later rejection does not change (D-225).
    """
    for place in reversed(range(len(answers))):
        if not isinstance(answers[place], Rejected):
            return place
    return len(answers) - 1


def checked_segments(segments: object) -> int | None:
    """Return a provider's number of segments; None if it is none."""
    if isinstance(segments, bool) or not isinstance(segments, int):
        return None
    return segments if 0 < segments <= _MOST_SEGMENTS else None


def checked_price(price: object) -> Price | None:
    """Return a provider's price; None if its amount or currency is none."""
    if not isinstance(price, Price) or not _are_texts(price.amount, price.currency):
        return None
    is_price = AMOUNT.fullmatch(price.amount) and CURRENCY.fullmatch(price.currency)
    return price if is_price else None


def _is_fault(fault: object) -> bool:
    return isinstance(fault, Fault)


def _seconds(retry_after: object) -> float | None:
    if isinstance(retry_after, bool) or not isinstance(retry_after, int | float):
        return None
    return float(retry_after) if math.isfinite(retry_after) and retry_after > 0 else None


def _is_id(value: object) -> bool:
    """Return whether an adapter's unchecked id is one line that can be stored."""
    if not isinstance(value, str) or len(value) > MAX_ID:
        return False
    # `isprintable` is fast, and nearly all ids are printable.
    return value.isprintable() or not (has_controls(value) or UNSTORABLE.search(value))


def _are_texts(*members: object) -> bool:
    """Return whether an adapter's unchecked values are texts that can be stored."""
    for each in members:
        if not isinstance(each, str):
            return False
        # `isprintable` is fast, and nearly all texts are printable.
        if not each.isprintable() and UNSTORABLE.search(each):
            return False
    return True
