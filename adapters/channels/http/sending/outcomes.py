"""The outcome of a send, from the provider's answer (C-68)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from attrs import field, frozen

from .....application.ports.channels import Accepted, Fault, Rejected, Unknown
from .....domain.channel import PROVIDER_UNKNOWN
from .....domain.price import AMOUNT, CURRENCY, Price
from ...http_client.exchanges import Answer
from ...http_client.failures import NotSentError
from ...http_client.reading_answers import (
    FAULTS_BY_STATUS,
    is_refusal,
    json_of,
    one_line,
    retry_after,
    snake,
)
from ...ids import id_in
from ...quotations import quotes
from ..paths import MISSING, Path, member, text_of
from .placeholders import Filling, Values

_ADVICE = {
    Fault.ACCOUNT: " Check the channel account's credentials and rights.",
    Fault.BUSY: " It takes no more messages now.",
}


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
        if is_refusal(status):
            fault = FAULTS_BY_STATUS.get(status)
            wait = retry_after(answer.headers) if fault is Fault.BUSY else None
            return self._rejected(answer, fault, wait)
        if status in self.statuses:
            return self._accepted(answer, values)
        return self.unknown(f"The provider answered {status}.", values)

    def unknown(self, words: str, values: Values, code: str = PROVIDER_UNKNOWN) -> Unknown:
        """Return an unknown outcome, with the message's id if it is one of our own."""
        own_id = None if self.own_id is None else id_in(self.own_id.fill(values))
        return Unknown(code, words, own_id)

    def not_sent(self, error: NotSentError) -> Rejected:
        """Return the rejection of a message that never reached the provider."""
        return Rejected(f"{self.prefix}_{error.code}", error.words, error.fault)

    def _accepted(self, answer: Answer, values: Values) -> Accepted | Rejected | Unknown:
        document = json_of(answer, MISSING)
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
        found = id_in(found)
        if found is None:
            return self.unknown("The provider's answer has no id of the message.", values)
        if self.own_id is None and quotes(found, values["text"]):
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
        document = json_of(answer, MISSING)
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
        words = one_line(said_words or "")
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


def _id_in(document: Any, path: Path) -> str | None:
    """Return an id, which is a text or a whole number."""
    found = member(document, path)
    return None if isinstance(found, bool | float) else text_of(found)


def _text_at(document: Any, path: Path | None) -> str | None:
    return None if path is None else text_of(member(document, path))
