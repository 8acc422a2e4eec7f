"""The languages of templates, as Meta's requests spell them."""

from __future__ import annotations

from collections.abc import Mapping

from ....application.ports.channels import Fault
from ..http_client.failures import NotSentError

_NO_LANGUAGE = (
    "Meta finds a template by its name and its language: set languageCode in the PIN template's WhatsApp"
    " entry, or --language in a test, such as en_US."
)


def language(code: str | None) -> Mapping[str, str]:
    """Return the member `language` of a send; raises `NotSentError` without one."""
    if not code:
        raise NotSentError("no_language", _NO_LANGUAGE, Fault.CONTENT)
    return {"code": in_requests(code)}


def in_requests(code: str) -> str:
    """Return a language in its spelling of requests; Meta writes `en-US` for `en_US` in some posts."""
    return code.replace("-", "_")
