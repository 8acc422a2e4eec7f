"""The URLs that can be called at all; `test_guarded_web` tries the refused ones."""

from __future__ import annotations

import pytest

from watchword.adapters.callable_urls import host_of


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://Shop.example/told?key=1#x", "shop.example"),
        ("http://xn--bcher-kva.example:8443/", "xn--bcher-kva.example"),
        ("https://[2606:4700::1111]/", "2606:4700::1111"),
        ("http://1.1.1.1/@path", "1.1.1.1"),
    ],
)
def test_plain_urls_have_a_host(url: str, host: str) -> None:
    """The part behind the host may be anything."""
    assert host == host_of(url)
