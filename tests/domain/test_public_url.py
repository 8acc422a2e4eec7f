"""URLs that everybody can open, judged by their form alone (C-56)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from watchword.domain.public_url import MAX_URL, url_file_name, url_problem


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/tea.png",
        "http://example.com",
        "HTTPS://EXAMPLE.com:8443/a?b=c#d",
        "https://example.com./",
        "https://a_b.example.com/",
        "https://m\u00fcnchen.example/gr\u00fcn",
        "https://cdn.example/[customer]?to=[name]",
        "https://8.8.8.8/",
        "https://[2606:4700::1111]:8443/",
        # A name says nothing about where it leads; it is never asked for.
        "https://127.0.0.1.example.com/",
        "https://example.com/" + "a" * (MAX_URL - 20),
    ],
)
def test_a_public_url(url: str) -> None:
    """Either scheme, any port and path, a name with a dot or an address of the open internet."""
    assert url_problem(url) is None


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.com/tea.png",
        "//example.com/tea.png",
        "ftp://example.com/tea.png",
        "javascript:alert(1)",
        "https:///tea.png",
        "https:example.com",
        "https://",
        "https://example.com:99999/",
        "https://example.com:0/",
        "https://example.com:https/",
        "https://a..b/",
        "https://-a.example/",
        "https://" + "a" * 64 + ".example/",
        "https://" + "a." * 130 + "example/",
        "https://[::1",
        "https://[name]/",
        "https://%31%32%37.0.0.1/",
        "https://user:password@example.com/",
        "https://example.com@10.0.0.1/",
        "https://example.com\\@10.0.0.1/",
        'https://example.com/"><script>',
        " https://example.com/",
        "https://example.com/\n",
        "https://exam ple.com/",
        "https://exam\u200bple.com/",
        "https://exa\u2100ple.com/",
        "https://example.com/" + "a" * (MAX_URL - 19),
    ],
)
def test_what_is_no_url(url: str) -> None:
    """Nothing that two parsers could understand differently, either."""
    assert url_problem(url) is not None


@pytest.mark.parametrize(
    "host",
    [
        *("localhost", "LOCALHOST", "a.localhost", "localhost.", "intranet", "printer.local"),
        *(
            "db.internal",
            "nas.home.arpa",
            "hidden.onion",
            "nowhere.invalid",
            "1.0.0.10.in-addr.arpa",
        ),
        *("127.0.0.1", "127.0.0.1.", "10.1.2.3", "172.16.0.1", "192.168.0.1", "169.254.169.254"),
        *("100.64.0.1", "0.1.2.3", "255.255.255.255", "224.0.0.1", "192.0.2.1", "198.18.0.1"),
        # The same address in other notations, in full-width digits, and with other dots.
        *("127.1", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "999.1.1.1", "1.2.3.4.5"),
        *("\uff11\uff12\uff17.0.0.1", "127\u30020\u30020\u30021", "loc\u00adalhost"),
        *("[::]", "[::1]", "[::ffff:127.0.0.1]", "[::127.0.0.1]", "[64:ff9b::7f00:1]"),
        *("[2002:7f00:1::]", "[2001::1]", "[2001:db8::1]", "[3fff::1]", "[fc00::1]"),
        *("[fe80::1]", "[fe80::1%25eth0]", "[2606:4700::1111%25eth0]", "[ff02::1]"),
    ],
)
def test_a_host_that_is_not_public(host: str) -> None:
    """Names and addresses of the local network, in any spelling."""
    assert url_problem(f"http://{host}/") is not None
    assert url_problem(f"http://{host}:8080/tea.png") is not None


@given(st.ip_addresses().filter(lambda address: not address.is_global))
def test_no_address_that_is_not_global(address: object) -> None:
    """Every range that the registries reserve is refused."""
    host = f"[{address}]" if ":" in str(address) else str(address)

    assert url_problem(f"https://{host}/") is not None


@given(st.text() | st.text().map("https://{}".format))
def test_any_text_is_judged(text: str) -> None:
    """Nothing else than an answer comes out."""
    assert url_problem(text) is None or "must" in str(url_problem(text))
    assert "/" not in url_file_name(text) or "%2f" in text.lower()


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://example.com/a/tea.mp4?v=1.png#x", "tea.mp4"),
        ("https://example.com/tea%2Emp4", "tea.mp4"),
        ("https://example.com", ""),
        ("no url", ""),
    ],
)
def test_the_file_of_a_url(url: str, name: str) -> None:
    """The end of its path, as it reads unquoted."""
    assert name == url_file_name(url)
