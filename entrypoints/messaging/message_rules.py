"""Rules for a message object that concern more than one of its fields (SPEC 2.6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

from ...domain.destination import MAX_LENGTH, prefixed
from ...domain.dlt.numbers import needs_dlt_ids
from ...domain.errors import MOST_PROBLEMS
from ...domain.limits import NO_CONTROLS, has_controls
from .problems import Problems

# The prefixes of the names of custom references; there are five of each.
SMS_REFERENCE = "custRef"
REFERENCE = "custref"
MAX_REFERENCE = 200
MAX_REFERENCES = 10


def members(part: Any) -> Mapping[str, Any]:
    """Return the members of an object; none for another value, which its reader reports."""
    return part if isinstance(part, dict) else {}


def check_recipients(problems: Problems, recipients: Mapping[str, Any], prefix: str | None) -> None:
    """
    Note the paths of recipients that an answer could not even name (C-28, C-98, D-19).

    They are empty, too long with their prefix, or contain control characters. Other malformed numbers
    are rejected in their entries of the answer (C-89).
    """
    wrong = (
        path
        for path, recipient in recipients.items()
        if isinstance(recipient, str)
        and not (
            1 <= len(recipient) <= len(prefixed(recipient, prefix)) <= MAX_LENGTH
            and not has_controls(recipient)
        )
    )
    said = f"must have 1 to {MAX_LENGTH} characters, its prefix included, and no control characters"
    for path in islice(wrong, MOST_PROBLEMS):
        problems.note(path, said)


def check_dlt_ids(
    problems: Problems, path: str, sms: Mapping[str, Any], recipients: Iterable[str]
) -> None:
    """Note the missing DLT ids of an SMS with an Indian recipient (C-30)."""
    missing = [name for name in ("templateId", "entityId") if not sms.get(name)]
    if missing and any(map(needs_dlt_ids, recipients)):
        for name in missing:
            problems.note(
                f"{path}.{name}",
                "is required for an Indian number. Give the id that your DLT operator registered, or"
                " use a key with template auto-match.",
            )


def custom_references(
    problems: Problems, path: str, part: Mapping[str, Any], name: str
) -> dict[str, str]:
    """
    Return the custom references of an object as one mapping, under the names that were sent (C-60).

    `name` is the prefix of their names. On SMS, an object of texts such as `{"CustomReference1": "…"}`
    may replace a text.
    """
    found: dict[str, str] = {}
    for each in (f"{name}{number}" for number in range(1, 6)):
        given = part.get(each)
        if given is None:
            continue
        texts = given if isinstance(given, dict) and name == SMS_REFERENCE else {each: given}
        wrong = _wrong_texts(texts, found)
        if wrong:
            problems.note(f"{path}.{each}", wrong)
        else:
            found |= texts
    return found


def _wrong_texts(texts: Mapping[str, Any], found: Mapping[str, str]) -> str | None:
    if not all(isinstance(text, str) for text in texts.values()):
        return "must be a text; on SMS, an object of texts will do"
    if any(len(text) > MAX_REFERENCE for pair in texts.items() for text in pair):
        return f"must have names and texts of at most {MAX_REFERENCE} characters"
    if any(has_controls(text) for pair in texts.items() for text in pair):
        return NO_CONTROLS
    if len(texts) > MAX_REFERENCES:
        return f"must have at most {MAX_REFERENCES} members"
    if texts.keys() & found.keys():
        return "must not have a name that another reference has"
    return None
