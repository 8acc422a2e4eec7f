"""The client of a request behind proxies (C-1, D-105)."""

from __future__ import annotations

from ipaddress import ip_network

import pytest

from watchword.entrypoints.http.listener.client_address import (
    client_address,
    counted_as,
    peer_counted_as,
)

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
    """Entries of trusted proxies are believed, from the end; earlier ones are not."""
    assert client == client_address(peer, forwarded, TRUSTED)


def test_nobody_is_trusted_by_default() -> None:
    """Without `--trusted-proxy` the header says nothing."""
    assert "10.0.0.2" == client_address("10.0.0.2", ["198.51.100.7"], [])


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:0:1::1", "2001:db8:0:1::/64"),
        ("2001:DB8:0:1:ffff:ffff:ffff:ffff", "2001:db8:0:1::/64"),
        ("2001:db8:0:2::1", "2001:db8:0:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        (None, ""),
    ],
)
def test_a_client_is_counted_as_what_one_customer_has(address: str | None, counted: str) -> None:
    """An IPv4 address, or a /64 of IPv6, whose addresses one customer picks freely (D-142)."""
    assert counted == counted_as(address)


def test_a_trusted_proxys_connections_count_for_nobody() -> None:
    """Connections without an address, as on a socket in a folder, do not count either."""
    peers = ("10.0.0.2", "fd00::1", None, "10.0.1.2", "2001:db8::1")

    assert [None, None, None, "10.0.1.2", "2001:db8::/64"] == [
        peer_counted_as(each, TRUSTED) for each in peers
    ]
