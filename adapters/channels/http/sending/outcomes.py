"""The outcome of a send, from the provider's answer (C-68)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any

import msgspec
from attrs import field, frozen

from .....application.ports.channels import Accepted, Fault, Rejected, Unknown
from .....domain.channel import PROVIDER_UNKNOWN
from .....domain.limits import has_controls
from .....domain.price import AMOUNT, CURRENCY, Price
from ..paths import MISSING, Path, member, text_of
from .failures import NotSentError
from .placeholders import Filling, Values

_ACCOUNT, _BUSY = (401, 403), (429, 503)
_LONGEST_WAIT = 3_600.0
# With its prefix, a code has at most 64 characters (C-100).
_LEAST_QUOTED = 4
_LONGEST_ID, _LONGEST_CODE, _LONGEST_WORDS = 256, 48, 300
_NO_WORD = re.compile("[^a-z0-9]+")
_HUMP = re.compile("(?<=[a-z0-9])(?=[A-Z])")
_ADVICE = {
    Fault.ACCOUNT: " Check the channel account's credentials and rights.",
    Fault.BUSY: " It takes no more messages now.",
}


@frozen(kw_only=True)
class Answer:
    """An answer of a provider; `body` is None if it is longer than is read."""

    status: int
    headers: Mapping[str, str] = field(factory=dict, repr=False)
    body: bytes | None = field(default=b"", repr=False)


@frozen(kw_only=True)
class AnswerRules:
    """Reads the answers of one channel account's provider."""

    prefix: str
    statuses: frozenset[int] = frozenset(range(200, 300))
    id_path: Path | None = None
    own_id: Filling | None = None
    when_path: Path | None = None
    among: frozenset[str] = frozenset()
    code_path: Path | None = None
    message_path: Path | None = None
    faults: Mapping[str, Fault] = field(factory=dict)
    segments_path: Path | None = None
    price_path: Path | None = None
    currency_path: Path | None = None
    refusal_code_path: Path | None = None
    refusal_message_path: Path | None = None

    def outcome(self, answer: Answer, values: Values) -> Accepted | Rejected | Unknown:
        """Return the outcome that an answer means."""
        status = answer.status
        if status in _ACCOUNT:
            return self._rejected(answer, Fault.ACCOUNT)
        if status in _BUSY:
            return self._rejected(answer, Fault.BUSY, _retry_after(answer.headers))
        if 400 <= status < 500:
            return self._rejected(answer)
        if status in self.statuses:
            return self._accepted(answer, values)
        return self.unknown(f"The provider answered {status}.", values)

    def unknown(self, words: str, values: Values, code: str = PROVIDER_UNKNOWN) -> Unknown:
        """Return an unknown outcome, with the message's id if it is one of our own."""
        own_id = None if self.own_id is None else self.own_id.fill(values)
        return Unknown(code, words, own_id or None)

    def not_sent(self, error: NotSentError) -> Rejected:
        """Return the rejection of a message that never reached the provider."""
        return Rejected(f"{self.prefix}_{error.code}", error.words, error.fault)

    def _accepted(self, answer: Answer, values: Values) -> Accepted | Rejected | Unknown:
        document = _document(answer)
        if self.when_path is not None:
            said = text_of(member(document, self.when_path))
            if said is None:
                return self.unknown("The provider's answer cannot be read.", values)
            if said not in self.among:
                return self._rejected(answer, said=said)
        if self.own_id is not None:
            found: str | None = self.own_id.fill(values)
        else:
            found = _id_in(document, self.id_path or ())
        if not found or len(found) > _LONGEST_ID or has_controls(found):
            return self.unknown("The provider's answer has no id of the message.", values)
        if self.own_id is None and _quotes(found, values["text"]):
            return self.unknown("The answer has the message's text in the place of its id.", values)
        return Accepted(found, self._segments(document), self._price(document))

    def _rejected(
        self,
        answer: Answer,
        fault: Fault | None = None,
        retry_after: float | None = None,
        said: str | None = None,
    ) -> Rejected:
        """Return a rejection with the provider's code and words, which name no content of ours."""
        document = _document(answer)
        whole = (
            _text_at(document, self.code_path)
            or _text_at(document, self.refusal_code_path)
            or said
            or str(answer.status)
        )
        # The address of a problem's description (RFC 9457) ends in the problem's name.
        code = whole.rpartition("#")[2] if "://" in whole and "#" in whole else whole
        if fault is None:
            named = (whole, code, str(answer.status))
            found = (self.faults[each] for each in named if each in self.faults)
            fault = next(found, Fault.CONTENT)
        said_words = _text_at(document, self.message_path) or _text_at(
            document, self.refusal_message_path
        )
        words = _one_line(said_words or "")
        if not words:
            words = f"The provider answered {answer.status}.{_ADVICE.get(fault, '')}"
        return Rejected(f"{self.prefix}_{snake(code)}", words, fault, retry_after)

    def _segments(self, document: Any) -> int | None:
        found = _text_at(document, self.segments_path)
        return int(found) if found and re.fullmatch("[0-9]{1,3}", found) else None

    def _price(self, document: Any) -> Price | None:
        # Some providers spell what they charge as a negative amount.
        amount = (_text_at(document, self.price_path) or "").removeprefix("-")
        currency = _text_at(document, self.currency_path) or ""
        is_price = AMOUNT.fullmatch(amount) and CURRENCY.fullmatch(currency)
        return Price(amount, currency) if is_price else None


def snake(code: str) -> str:
    """Return a provider's code in snake case: `InvalidNumber` becomes `invalid_number`."""
    words = _NO_WORD.sub("_", _HUMP.sub("_", code).lower()).strip("_")
    if len(words) > _LONGEST_CODE:
        # Without the part that does not fit: half a secret would not be found in the code.
        words = words[: _LONGEST_CODE + 1].rpartition("_")[0].rstrip("_")
    return words or "refused"


def _document(answer: Answer) -> Any:
    """Return the JSON of an answer; `MISSING` if it cannot be read."""
    if not answer.body:
        return MISSING
    try:
        return msgspec.json.decode(answer.body)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return MISSING


def _quotes(found: str, text: str) -> bool:
    """Return whether an id is a text, or a part of it, such as its code; ids are stored (D-243)."""
    return min(len(found), len(text)) >= _LEAST_QUOTED and (found in text or text in found)


def _id_in(document: Any, path: Path) -> str | None:
    """Return an id, which is a text or a whole number."""
    found = member(document, path)
    return None if isinstance(found, bool | float) else text_of(found)


def _text_at(document: Any, path: Path | None) -> str | None:
    return None if path is None else text_of(member(document, path))


def _one_line(words: str) -> str:
    """Return the first words of a text, all of them whole: half a code would not be found in them."""
    shown = "".join(" " if has_controls(each) else each for each in words[: _LONGEST_WORDS + 1])
    return shown.strip() if len(shown) <= _LONGEST_WORDS else shown.rpartition(" ")[0].strip()


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """
    Return the seconds of a `Retry-After` header, which has a number or a date.

    A date is compared with the answer's own date, because both are of the provider's clock.
    """
    said = headers.get("Retry-After", "").strip()
    if re.fullmatch("[0-9]{1,9}", said):
        return min(float(said), _LONGEST_WAIT)
    try:
        until, now = (parsedate_to_datetime(each) for each in (said, headers.get("Date", "")))
        seconds = (until - now).total_seconds()
    except (ValueError, TypeError):
        # One of them is no date, or one alone has a zone.
        return None
    return min(max(seconds, 0.0), _LONGEST_WAIT)
