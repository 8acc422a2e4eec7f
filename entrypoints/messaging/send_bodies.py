"""A send as it comes, over HTTP and from embedders alike (SPEC 4 B1, 2.6)."""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import islice
from typing import Any

from attrs import field, frozen

from ...application.messages.send_requests import SendRequest
from ...domain.errors import FieldProblem, ValidationFailedError
from ...domain.limits import characters
from ..structuring import MOST_PROBLEMS
from .fallback_bodies import fallback_request
from .lenient_values import Flag
from .message_rules import members
from .primary_bodies import all_recipients, message_requests
from .problems import Problems

# More would only keep the event loop busy.
MAX_LONG_URLS = 100
_PREFIX = re.compile(r"(\+?[0-9]{1,8})?")


def _a_prefix(_instance: object, _attribute: object, prefix: str | None) -> None:
    if prefix is not None and not _PREFIX.fullmatch(prefix):
        raise ValueError("must be 1 to 8 digits, with or without a + before them")


@frozen(kw_only=True)
class SendOptions:
    """What stands beside the messages; an empty text is none."""

    prefix: str | None = field(default=None, validator=_a_prefix)
    campaign_name: str | None = field(default=None, validator=characters(0, 200))


@frozen(kw_only=True)
class LongUrl:
    """One address to shorten."""

    long_url: str | None = field(default=None, repr=False, validator=characters(1, 2_048))
    domain: str | None = field(default=None, validator=characters(1, 253))
    track_user: Flag | None = None


@frozen(kw_only=True)
class UrlShortener:
    """Which addresses to shorten, if any."""

    flag: Flag | None = None
    url_details: tuple[LongUrl, ...] | None = None


def send_request(raw: Any, third_parties: Collection[str]) -> SendRequest:
    """
    Read a send.

    `third_parties` are the channels whose objects go to their adapters untouched (C-52). Raises
    `ValidationFailedError` naming every wrong field in the wire's spelling.
    """
    if not isinstance(raw, dict):
        raise ValidationFailedError([FieldProblem("body", "must be an object")])
    problems = Problems()
    options = problems.read("", raw, SendOptions)
    prefix = options.prefix if options else None
    messages = message_requests(problems, raw, prefix)
    fallback = fallback_request(
        problems, raw.get("fallback"), all_recipients(raw, prefix), third_parties
    )
    _check_url_shortener(problems, raw.get("urlShortener"))
    problems.refuse()
    return SendRequest(
        messages=messages,
        fallback=fallback,
        prefix=prefix or None,
        campaign=(options.campaign_name if options else None) or None,
    )


def _check_url_shortener(problems: Problems, raw: Any) -> None:
    """Note what is wrong with the object; a flag of 1 is, until there are short links (D-48)."""
    given = members(raw)
    details = given.get("urlDetails")
    if isinstance(details, list) and len(details) > MAX_LONG_URLS:
        problems.note("urlShortener.urlDetails", f"must have at most {MAX_LONG_URLS} entries")
        return
    if raw is not None:
        problems.read("urlShortener", raw, UrlShortener)
    if given.get("flag") not in (1, True):
        return
    problems.note(
        "urlShortener.flag",
        "must be 0: short links are not available in this version. Set it to 0, or leave"
        " urlShortener out.",
    )
    if not isinstance(details, list) or not details:
        problems.note("urlShortener.urlDetails", "must have at least one entry where flag is 1")
        return
    lacking = (n for n, each in enumerate(details) if members(each).get("longUrl") is None)
    for index in islice(lacking, MOST_PROBLEMS):
        problems.note(f"urlShortener.urlDetails[{index}].longUrl", "is required where flag is 1")
