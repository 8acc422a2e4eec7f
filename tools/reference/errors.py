"""docs/reference/errors.md: every documented code, with its status, its meaning and what to do about it."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from pathlib import Path

import watchword
from tools.openapi.prose import Prose
from tools.reference.markdown import code, codes, page, prose, table
from watchword.domain.errors import DomainError
from watchword.entrypoints.http.statuses import STATUSES
from watchword.entrypoints.legacy.answer_bodies import RESPONSE_CODES, UPSTREAM

ADVICE = Path(__file__).with_name("refusals.toml")
# Whether a request may be sent again, in the words of the page.
RETRIES = {
    "no": "no",
    "after": "after `Retry-After`",
    "later": "later",
    "key": "yes",
    "new": "as a new request",
}
_HEAD = """\
`/v1` and `/admin/v1` answer `{"error": {"code", "message", "requestId", "details"}}`. The messaging
endpoints answer `{"status": "error", "code", "message", "errors", "requestId"}`. Both have the codes below.
Go by `code`: the `message` is for people and may change. An embedder gets the same codes and details as
exceptions, a client by its classes.
"""
_RETRIES = """\
**yes**: the service did not say what became of the request. Send the same request again, with its
`Idempotency-Key` if the route takes one: then nothing happens twice. A verify takes none, and costs an
attempt if the code is wrong; if the first was right, the second is `pin_already_verified`. **after
`Retry-After`**: wait for the seconds that the header says, then send the same. **as a new request**: with
another `Idempotency-Key`, since the answer is saved for the first. **later**: after the time that the table
names. **no**: the same request is refused again.
"""
_LEGACY = """\
Its answers are always HTTP 200, with a `responseCode`: 100 is a success, and every code that is not in the
table is {upstream}.
"""
_ENTRIES = """\
A send of messages is answered 200 whatever became of each, and each has a status of its own. The codes of
one that was not sent (`errorCode`) are those of its provider and of Watchword:
[channels](../how-to/channels/README.md#error-codes).
"""


def errors() -> str:
    """Return the page."""
    said = Prose.read().shared["refusals"]
    advice = tomllib.loads(ADVICE.read_text())
    classes = _classes()
    rows = [
        (
            code(name),
            str(status),
            prose(said[name]["about"] if name in said else _sentence(name)),
            RETRIES[advice[name]["retry"]],
            advice[name]["next"],
            codes(classes[name]),
        )
        for name, status in STATUSES.items()
    ]
    legacy = defaultdict(list)
    for name, number in RESPONSE_CODES.items():
        legacy[number].append(name)
    return page(
        "Errors",
        "the table of statuses and the classes of errors",
        _HEAD,
        "## Codes",
        table(("code", "status", "meaning", "send again", "what to do", "Python"), rows),
        "## Which requests to send again",
        _RETRIES,
        "## Codes of single messages",
        _ENTRIES,
        "## The legacy platform",
        _LEGACY.format(upstream=UPSTREAM),
        table(
            ("`responseCode`", "codes"),
            ((str(number), codes(names)) for number, names in sorted(legacy.items())),
        ),
        "## In Python alone",
        "These are raised by `watchword.open` and its services, and are no answers of the interface.",
        table(
            ("code", "Python", "meaning"),
            (
                (code(name), codes(found), _sentence(name))
                for name, found in sorted(classes.items())
                if name not in STATUSES and name not in RESPONSE_CODES
            ),
        ),
    )


def _classes() -> dict[str, list[str]]:
    """Return the public classes of errors by their code, those that a program catches first."""
    found = defaultdict(list)
    for name in sorted(watchword.__all__):
        kind = getattr(watchword, name)
        if isinstance(kind, type) and issubclass(kind, DomainError) and hasattr(kind, "code"):
            found[kind.code].append(name)
    return found


def _sentence(code_of_error: str) -> str:
    """Return the first sentence of the class of an error."""
    kind = getattr(watchword, _classes()[code_of_error][0])
    return " ".join((kind.__doc__ or "").strip().split("\n\n")[0].split())
