"""The body of a send, for HTTP and embedded calls (SPEC 4 B1, 2.6)."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from attrs import field, frozen

from ...application.messages.planning.send_requests import SendRequest
from ...domain.errors import FieldProblem, ValidationFailedError
from ...domain.limits import OneLine
from .fallback_bodies import fallback_request
from .primary_bodies import all_recipients, message_requests
from .problems import Problems
from .short_domains import ShortDomains
from .url_shorteners import LINKS_PATH, link_requests

PREFIX = re.compile(r"(\+?[0-9]{1,8})?")


def a_prefix(_instance: object, _attribute: object, prefix: str | None) -> None:
    """Check that a text can be a country's prefix; None is allowed."""
    if prefix is not None and not PREFIX.fullmatch(prefix):
        raise ValueError("must be 1 to 8 digits, with or without a + before them")


@frozen(kw_only=True)
class SendOptions:
    """The members beside the messages; an empty text counts as missing."""

    prefix: str | None = field(default=None, validator=a_prefix)
    campaign_name: str | None = field(default=None, validator=OneLine(0, 200))


def send_request(
    raw: Any,
    third_parties: Collection[str],
    short_domains: ShortDomains = ShortDomains(),  # noqa: B008  frozen, so it can be shared
    *,
    auto_match: bool = False,
) -> SendRequest:
    """
    Read the body of a send.

    Objects of the channels `third_parties` pass unchanged to their adapters (C-52). Short links may begin
    with `short_domains`. With `auto_match`, DLT ids are not required, because they may be filled in later
    (C-30). Raises `ValidationFailedError`, which names every wrong field in the wire's spelling.
    """
    if not isinstance(raw, dict):
        raise ValidationFailedError([FieldProblem("body", "must be an object")])
    problems = Problems()
    options = problems.read("", raw, SendOptions)
    prefix = options.prefix if options else None
    messages = message_requests(problems, raw, prefix, auto_match=auto_match)
    in_need = frozenset() if auto_match else all_recipients(raw, prefix)
    fallback = fallback_request(problems, raw.get("fallback"), in_need, third_parties)
    links = link_requests(problems, raw.get("urlShortener"), short_domains)
    problems.refuse()
    return SendRequest(
        messages=messages,
        fallback=fallback,
        prefix=prefix or None,
        campaign=(options.campaign_name if options else None) or None,
        links=links,
        links_path=LINKS_PATH,
    )
