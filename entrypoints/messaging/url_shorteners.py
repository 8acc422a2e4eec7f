"""The `urlShortener` in the body of a send (SPEC 2.6, C-29, C-60)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from attrs import field, frozen

from ...application.messages.planning.send_requests import LinkRequest
from ...domain.errors import MOST_PROBLEMS
from ...domain.limits import Characters
from ...domain.public_url import MAX_HOST, MAX_URL
from ...domain.short_link import is_web_address
from ..wire.lenient_values import Flag
from .message_rules import members
from .problems import Problems
from .short_domains import ShortDomains

# A limit, because reading more would block the event loop.
MAX_LONG_URLS = 100
_PATH = "urlShortener"
LINKS_PATH = f"{_PATH}.urlDetails"
_NO_ADDRESS = (
    "must be an http or https address without user and password; write other characters as %XX"
)


@frozen(kw_only=True)
class LongUrl:
    """One address to shorten."""

    long_url: str | None = field(default=None, repr=False, validator=Characters(1, MAX_URL))
    domain: str | None = field(default=None, validator=Characters(1, MAX_HOST))
    track_user: Flag | None = None


@frozen(kw_only=True)
class UrlShortener:
    """The addresses to shorten, if any."""

    flag: Flag | None = None
    url_details: tuple[LongUrl, ...] | None = None


def link_requests(problems: Problems, raw: Any, domains: ShortDomains) -> tuple[LinkRequest, ...]:
    """Read the addresses to shorten; there are none unless the flag is 1."""
    if raw is None:
        return ()
    given = members(raw)
    details = given.get("urlDetails")
    if isinstance(details, list) and len(details) > MAX_LONG_URLS:
        problems.note(LINKS_PATH, f"must have at most {MAX_LONG_URLS} entries")
        return ()
    shortener = problems.read(_PATH, raw, UrlShortener)
    if given.get("flag") not in (1, True):
        return ()
    if not isinstance(details, list) or not details:
        problems.note(LINKS_PATH, "must have at least one entry where flag is 1")
        return ()
    for path, said in islice(_wrong(details, domains), MOST_PROBLEMS):
        problems.note(path, said)
    if problems.found or shortener is None:
        return ()
    links = []
    for number, each in enumerate(shortener.url_details or ()):
        base = domains.base_url if each.domain is None else domains.named(each.domain)
        if each.long_url is not None and base is not None:
            links.append(
                LinkRequest(
                    long_url=each.long_url,
                    base=base,
                    per_message=bool(each.track_user),
                    path=f"{LINKS_PATH}[{number}]",
                )
            )
    return tuple(links)


def _wrong(details: Sequence[Any], domains: ShortDomains) -> Iterator[tuple[str, str]]:
    """Yield the problems of entries whose members have the right types."""
    known: set[str] = set()
    for number, each in enumerate(map(members, details)):
        path = f"{LINKS_PATH}[{number}]"
        url, domain = each.get("longUrl"), each.get("domain")
        if url is None:
            yield f"{path}.longUrl", "is required where flag is 1"
        elif isinstance(url, str) and 1 <= len(url) <= MAX_URL:
            if not is_web_address(url):
                yield f"{path}.longUrl", _NO_ADDRESS
            elif url in known:
                yield f"{path}.longUrl", "must not stand there twice"
            known.add(url)
        if domain is None and domains.base_url is None:
            yield f"{path}.domain", "is required: the service has no address of its own"
        elif isinstance(domain, str) and domain and domains.named(domain) is None:
            yield (
                f"{path}.domain",
                "must be the service's own or one that your operator set up (--short-domain)",
            )
