"""Builds the refusals of an operation from the table: each status with its codes and its form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any

from attrs import frozen

from tools.openapi.prose import examples
from tools.openapi.schemas import reference
from tools.openapi.types.refusals import error_name
from watchword.entrypoints.http.error_forms import Form
from watchword.entrypoints.http.statuses import STATUSES

# The refusals that every route can return (C-9).
ANYWHERE = ("method_not_allowed", "expectation_failed", "headers_too_large", "internal_error")
OF_BODIES = ("request_timeout", "payload_too_large", "unsupported_media_type")
OF_ACCOUNTS = ("unauthorized", "account_suspended", "forbidden", "rate_limited")
# By the kind of credential that a route needs.
OF_KEYS: Mapping[str, tuple[str, ...]] = {
    "ApiKey": OF_ACCOUNTS,
    "ApiKeyHeader": OF_ACCOUNTS,
    "AdminToken": ("unauthorized", "not_found"),
    "Sandbox": ("unauthorized", "forbidden", "not_found"),
}
OF_SAVED_ANSWERS = ("idempotency_in_progress", "idempotency_key_reuse")
_RETRIED = {"idempotency_in_progress", "resend_cooldown", "rate_limited", "unavailable"}
_SAVED = {"internal_error", "dispatch_failed"}
_CHALLENGES = {"ApiKeyHeader": "WWW-Authenticate-ApiKey", "Provider": "WWW-Authenticate-Signature"}


@frozen(kw_only=True)
class Refusals:
    """The refusals of one operation, in the form of its area; `shown` are examples of its own by code."""

    form: Form
    codes: tuple[str, ...]
    key: str
    saved: bool
    said: Mapping[str, str]
    shown: Mapping[str, str]

    def responses(self, prose: Mapping[str, Any]) -> dict[str, Any]:
        """Return the response of each status, with its codes in the order of the table."""
        known = [code for code in STATUSES if code in self.codes]
        return {
            str(status): self._response(status, tuple(codes), prose)
            for status, codes in groupby(known, STATUSES.__getitem__)
        }

    def _response(
        self, status: int, codes: tuple[str, ...], prose: Mapping[str, Any]
    ) -> dict[str, Any]:
        words = self.said.get(str(status)) or " ".join(prose[code]["about"] for code in codes)
        return {
            "description": words,
            "headers": {name: _header(ref) for name, ref in self._headers(codes).items()},
            "content": {"application/json": self._content(codes, prose)},
        }

    def _headers(self, codes: Iterable[str]) -> dict[str, str]:
        found = {"X-Request-Id": "X-Request-Id"}
        for code in codes:
            if code in _RETRIED:
                found["Retry-After"] = "Retry-After"
            if code in _SAVED and self.saved:
                found["Idempotent-Replayed"] = "Idempotent-Replayed"
            if code == "unauthorized":
                found["WWW-Authenticate"] = _CHALLENGES.get(self.key, "WWW-Authenticate")
            if code == "method_not_allowed":
                found["Allow"] = "Allow"
            if code == "range_not_satisfiable":
                found["Content-Range"] = "Content-Range"
        return found

    def _content(self, codes: tuple[str, ...], prose: Mapping[str, Any]) -> dict[str, Any]:
        schemas = [reference(error_name(code, self.form)) for code in codes]
        shown = {
            name: self.shown.get(code, text)
            for code in codes
            for name, text in prose[code].get(self.form.name.lower(), {}).items()
        }
        content = {"schema": schemas[0] if len(schemas) == 1 else {"anyOf": schemas}}
        return content | ({"examples": examples(shown)} if shown else {})


def _header(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/headers/{name}"}
