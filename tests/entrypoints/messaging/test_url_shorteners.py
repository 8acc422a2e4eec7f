"""The `urlShortener` of a send: its allowed members, and the refusals of others (C-29, C-60)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.entrypoints.messaging.sends import SMS
from watchword.application.messages.planning.send_requests import LinkRequest, SendRequest
from watchword.domain.errors import ValidationFailedError
from watchword.entrypoints.messaging.send_bodies import send_request
from watchword.entrypoints.messaging.short_domains import ShortDomains

MENU = "https://tea.example/menu"
DOMAINS = ShortDomains("http://127.0.0.1:8080", ("https://Go.example", "https://tea.example/to"))


def read(details: Any, domains: ShortDomains = DOMAINS, flag: Any = 1) -> SendRequest:
    """Read a send with these details."""
    body = {"sms": [SMS], "urlShortener": {"flag": flag, "urlDetails": details}}
    return send_request(body, (), domains)


def wrong(details: Any, domains: ShortDomains = DOMAINS) -> list[str]:
    """Return the fields of the shortener that are named as wrong."""
    with pytest.raises(ValidationFailedError) as refusal:
        read(details, domains)
    fields: Any = refusal.value.details["fields"]
    return [each["field"].removeprefix("urlShortener.urlDetails") for each in fields]


@pytest.mark.parametrize(
    ("domain", "base"),
    [
        (None, "http://127.0.0.1:8080"),
        ("127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("http://127.0.0.1:8080/", "http://127.0.0.1:8080"),
        ("go.example", "https://Go.example"),
        ("HTTPS://GO.EXAMPLE", "https://Go.example"),
        ("tea.example/to", "https://tea.example/to"),
    ],
)
def test_a_domain_is_the_services_own_or_one_of_its_others(domain: str | None, base: str) -> None:
    """It is named by its URL, or without the scheme; the default is the service's own."""
    (link,) = read([{"longUrl": MENU, "domain": domain}]).links

    assert base == link.base


@pytest.mark.parametrize(
    "domain", ["evil.example", "ftp://go.example", "tea.example", "go.example/x"]
)
def test_any_other_domain_is_refused(domain: str) -> None:
    """Its path is named."""
    assert ["[1].domain"] == wrong([{"longUrl": MENU}, {"longUrl": f"{MENU}/2", "domain": domain}])


def test_a_service_without_an_address_wants_a_domain() -> None:
    """An embedder may have none."""
    others = ShortDomains(None, ("https://go.example",))

    assert ["[0].domain"] == wrong([{"longUrl": MENU}], others)
    assert read([{"longUrl": MENU, "domain": "go.example"}], others).links


@pytest.mark.parametrize(
    ("track_user", "per_message"),
    [(1, True), (True, True), (0, False), (False, False), (None, False)],
)
def test_a_link_is_one_users_or_the_calls(track_user: Any, per_message: bool) -> None:
    """`track_user` is a boolean or 0 or 1 (C-60)."""
    for flag in (1, True):
        assert (
            LinkRequest(
                long_url=MENU,
                base="http://127.0.0.1:8080",
                per_message=per_message,
                path="urlShortener.urlDetails[0]",
            ),
        ) == read([{"longUrl": MENU, "track_user": track_user}], flag=flag).links


@pytest.mark.parametrize(
    "url",
    [
        "ftp://tea.example/menu",
        "javascript:alert(1)",
        "//tea.example",
        "tea.example",
        "https://",
        "https:///menu",
        "https://user:pass@tea.example/",
        "https://tea.example@evil.example/",
        "https://tea.example\\@evil.example/",
        "https://tea.example/ menu",
        "https://tea.example/\r\nSet-Cookie: a=b",
        "https://tea.example/menü",
        " https://tea.example/",
        "https://tea.example:port/",
        'https://tea.example/"><script>',
    ],
)
def test_only_addresses_of_the_web_are_taken(url: str) -> None:
    """Http and https alone, nothing that a header cannot carry or that shows a name for a host."""
    assert ["[0].longUrl"] == wrong([{"longUrl": url}])


@pytest.mark.parametrize(
    "url",
    [
        "http://tea.example",
        "HTTPS://TEA.example:8443/a/b?c=%20d&e=[1]#f",
        "https://127.0.0.1/",
        "http://[::1]:80?x",
        f"https://tea.example/{'x' * 2028}",
    ],
)
def test_addresses_of_the_web_are_taken(url: str) -> None:
    """Up to 2,048 characters, private hosts too: they are never fetched."""
    assert [url] == [each.long_url for each in read([{"longUrl": url}]).links]


def test_all_that_is_wrong_is_named_at_once() -> None:
    """Missing, repeated and misplaced members, and wrong types."""
    assert ["[2].longUrl", "[0].longUrl", "[3].longUrl", "[4].domain"] == wrong(
        [
            {},
            {"longUrl": MENU},
            {"longUrl": 5},
            {"longUrl": MENU},
            {"longUrl": f"{MENU}/2", "domain": "evil.example"},
        ]
    )
    assert [""] == wrong([])
    assert [""] == wrong(None)
    assert ["[0].longUrl"] == wrong([{"longUrl": f"https://tea.example/{'x' * 2029}"}])
