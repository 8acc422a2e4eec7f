"""The parts of an answer that every HTTP API has: its JSON, codes, words and waits."""

from __future__ import annotations

import re
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any

from ....application.ports.channels import Fault
from ....domain.limits import has_controls
from ..json_texts import json_in
from .exchanges import Answer

# The faults of refusals by status, where the provider's own code does not say more.
FAULTS_BY_STATUS: Mapping[int, Fault] = {
    401: Fault.ACCOUNT,
    403: Fault.ACCOUNT,
    429: Fault.BUSY,
    503: Fault.BUSY,
}
_LONGEST_WAIT = 3_600.0
# With its prefix, a code has at most 64 characters (C-100).
_LONGEST_CODE, _LONGEST_WORDS = 48, 300
_NO_WORD = re.compile("[^a-z0-9]+")
_HUMP = re.compile("(?<=[a-z0-9])(?=[A-Z])")


def is_refusal(status: int) -> bool:
    """Return whether a status says that the request was certainly not carried out."""
    return 400 <= status < 500 or status == 503


def json_of(answer: Answer, default: Any = None) -> Any:
    """Return the JSON of an answer; `default` if it cannot be read."""
    return json_in(answer.body, default) if answer.body else default


def object_of(answer: Answer) -> Mapping[str, Any]:
    """Return the JSON object of an answer; an empty one if the answer has none."""
    document = json_of(answer)
    return document if isinstance(document, dict) else {}


def snake(code: str) -> str:
    """Return a provider's code in snake case: `InvalidNumber` becomes `invalid_number`."""
    words = _NO_WORD.sub("_", _HUMP.sub("_", code).lower()).strip("_")
    if len(words) > _LONGEST_CODE:
        # Without the part that does not fit: half a secret would not be found in the code.
        words = words[: _LONGEST_CODE + 1].rpartition("_")[0].rstrip("_")
    return words or "refused"


def one_line(words: str) -> str:
    """Return the first words of a text, all of them whole: half a code would not be found in them."""
    shown = "".join(" " if has_controls(each) else each for each in words[: _LONGEST_WORDS + 1])
    return shown.strip() if len(shown) <= _LONGEST_WORDS else shown.rpartition(" ")[0].strip()


def retry_after(headers: Mapping[str, str]) -> float | None:
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
