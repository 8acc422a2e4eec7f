"""Refusals, with the documented codes and details."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import ClassVar

from attrs import frozen

# An answer names this many wrong entries of a list. A body full of them would take seconds (D-19).
MOST_PROBLEMS = 20

# The names that the documentation spells with an underscore: ours (SPEC 2.6, C-19, C-35), and those in the
# key file of a service account, which is given as it is (C-63).
_SPELLED = (
    "fallback_id|messaging_product|recipient_type|track_user"
    "|client_email|private_key_id|private_key|token_uri"
)
_UNDERSCORED = re.compile(rf"\b(?:{_SPELLED})\b|_([a-z0-9])")


def camel(name: str) -> str:
    """
    Return the documented spelling of a name or a path: `template_id` becomes `templateId`.

    The domain and the use cases name fields in snake case; this rule alone spells them for callers
    (D-185). It is in the domain because embedders see the documented details in errors, too (C-44).
    """
    return _UNDERSCORED.sub(lambda found: (found[1] or "").upper() or found[0], name)


class DomainError(Exception):
    """
    A refusal that changes nothing.

    `code` and `details` are the documented ones (SPEC section 7, C-9, C-44): an embedder sees the same
    as an HTTP client.
    """

    code: ClassVar[str]

    def __init__(self, message: str, details: Mapping[str, object] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.details: Mapping[str, object] = {} if details is None else _spelled(details)


@frozen
class FieldProblem:
    """One wrong field: its path in snake case (`channels[0].content_text`) and the rule that it breaks."""

    field: str
    message: str

    @property
    def parts(self) -> tuple[str | int, ...]:
        """The names and indexes on the path: `channels`, 0 and `content_text`."""
        names = self.field.replace("[", ".").replace("]", "").split(".")
        return tuple(int(each) if each.isdecimal() else each for each in names)

    @property
    def path(self) -> str:
        """The path in the documented spelling (`channels[0].contentText`)."""
        return camel(self.field)


@frozen
class FormProblem(FieldProblem):
    """One wrong field of a form whose fields are documented with underscores (SPEC 2.1)."""

    @property
    def path(self) -> str:
        """The unchanged name."""
        return self.field


class ValidationFailedError(DomainError):
    """The request is malformed. One error names every wrong field (C-9)."""

    code = "validation_failed"

    def __init__(self, problems: Iterable[FieldProblem]) -> None:
        self.problems = tuple(problems)
        named = ", ".join(dict.fromkeys(problem.path for problem in self.problems))
        super().__init__(
            f"The request is not valid: see {named}." if named else "The request is not valid.",
            {"fields": [{"field": p.path, "message": p.message} for p in self.problems]},
        )


class NotFoundError(DomainError):
    """No record of the kind has this id, or it belongs to another account (C-7)."""

    code = "not_found"


class UnknownIdError(NotFoundError):
    """No record of this `kind` has the id. Records of the kind can be listed (C-7)."""

    kind: ClassVar[str]

    def __init__(self) -> None:
        super().__init__(f"No {self.kind} has this id. Look it up in the list of {self.kind}s.")


class DuplicateNameError(DomainError):
    """The name is taken by another record of the same kind (C-18)."""

    code = "duplicate_name"


class RetryLaterError(DomainError):
    """A refusal that ends by itself; it says when to retry (C-11)."""

    def __init__(
        self, message: str, retry_after: timedelta, details: Mapping[str, object] | None = None
    ) -> None:
        self.retry_after_seconds = max(1, math.ceil(retry_after.total_seconds()))
        super().__init__(
            f"{message} Try again in {self.retry_after_seconds} s.",
            {"retry_after_seconds": self.retry_after_seconds, **(details or {})},
        )


# For each limit that a refusal may name: its description (C-102), and the field that sets it.
# Those of the guard tell no limit, because an attacker would go by it.
RATE_RULES: Mapping[str, tuple[str, str]] = {
    "template": (
        "Too many codes were sent under this template ({}).",
        "send_pin_per_template_limit",
    ),
    "phone_number": (
        "Too many codes were sent to this destination ({}).",
        "send_pin_per_phone_number_limit",
    ),
    "verify": ("Codes are tried too fast for this PIN ({}).", "verify_pin_limit"),
    "requests_per_second": ("The account makes too many requests ({}).", "requests_per_second"),
    "stored_bytes_per_day": (
        "The account has had too much stored today ({}).",
        "stored_bytes_per_day",
    ),
    "media_bytes": (
        "The account has too many bytes of media hosted ({}); ask to have some removed.",
        "media_bytes",
    ),
    "guesses": ("Too many wrong codes were tried for this destination.", ""),
    "unverified.country": (
        "Too many codes to numbers of this country were sent and not verified.",
        "",
    ),
    "unverified.prefix": (
        "Too many codes to numbers like this one were sent and not verified.",
        "",
    ),
    "unverified.ip": ("Too many codes were requested from this IP address and not verified.", ""),
    "sends.account": ("The account sends too many codes.", ""),
    "sends.channels": ("The account sends too many codes on this channel.", ""),
}


class RateLimitedError(RetryLaterError):
    """A rate limit is reached (SPEC section 7, C-9, C-14); `details.rule` names it (C-77)."""

    code = "rate_limited"

    def __init__(self, rule: str, retry_after: timedelta) -> None:
        message = _message_of(rule)
        super().__init__(message, retry_after, {"rule": rule} if rule else None)


def _message_of(rule: str) -> str:
    message, name = RATE_RULES.get(rule, ("A limit is reached.", ""))
    return message.format(camel(name))


def _spelled(details: Mapping[str, object]) -> dict[str, object]:
    return {camel(name): _value(value) for name, value in details.items()}


def _value(value: object) -> object:
    if isinstance(value, dict):
        return _spelled(value)
    return [_value(each) for each in value] if isinstance(value, list) else value
