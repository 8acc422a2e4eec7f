"""Which URLs can be called at all; what is refused, `test_guarded_web` tries."""

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
    """Whatever stands behind the host is the receiver's."""
    assert host == host_of(url)
