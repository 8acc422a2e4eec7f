"""Whose request it is, where proxies stand between (C-1, D-105)."""

from __future__ import annotations

from ipaddress import ip_network

import pytest

from watchword.entrypoints.http.client_address import client_address

TRUSTED = [ip_network("10.0.0.0/24"), ip_network("fd00::/8")]


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        ("192.0.2.1", [], "192.0.2.1"),
        ("192.0.2.1", ["198.51.100.7"], "192.0.2.1"),
        ("10.0.0.2", [], "10.0.0.2"),
        ("10.0.0.2", ["198.51.100.7"], "198.51.100.7"),
        ("10.0.0.2", ["203.0.113.9, 198.51.100.7"], "198.51.100.7"),
        ("10.0.0.2", ["203.0.113.9", "198.51.100.7 ,10.0.0.3"], "198.51.100.7"),
        ("10.0.0.2", ["10.0.0.9,10.0.0.8"], "10.0.0.9"),
        ("10.0.0.2", ["198.51.100.7, unknown"], "10.0.0.2"),
        ("10.0.0.2", ["198.51.100.7, unknown, 10.0.0.3"], "10.0.0.3"),
        ("10.0.0.2", ['{"event": "forged"}'], "10.0.0.2"),
        ("10.0.0.2", [""], "10.0.0.2"),
        ("fd00::2", ["2001:DB8:0::7"], "2001:db8::7"),
        ("::ffff:10.0.0.2", ["::ffff:198.51.100.7"], "198.51.100.7"),
        (None, ["198.51.100.7"], None),
    ],
    ids=[
        "nobody between",
        "a stranger's word",
        "a proxy itself",
        "one proxy",
        "a client's word before",
        "two proxies",
        "proxies alone",
        "unreadable",
        "unreadable behind a proxy",
        "nonsense",
        "empty",
        "IPv6",
        "IPv4 in IPv6",
        "no address",
    ],
)
def test_a_client_is_the_last_whom_no_trusted_proxy_stands_for(
    peer: str | None, forwarded: list[str], client: str | None
) -> None:
    """What proxies added is believed, from the end; what a client wrote before them is not."""
    assert client == client_address(peer, forwarded, TRUSTED)


def test_nobody_is_trusted_by_default() -> None:
    """Without `--trusted-proxy` the header says nothing."""
    assert "10.0.0.2" == client_address("10.0.0.2", ["198.51.100.7"], [])
