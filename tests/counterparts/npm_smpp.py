"""
The provider `smpp` on the server of npm's `smpp`; `make counterparts` runs it.

`pytest tests/counterparts/npm_smpp.py`, after `make counterparts-packages`
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.adapters.channels.smtp.certificates import Authority
from tests.counterparts.npm_carrier import NpmCarrier
from tests.counterparts.shops import open_shop
from tests.counterparts.suite import SmppCounterpart


class TestNpmSmpp(SmppCounterpart):
    """Its receipts are in words."""

    carrier_class = NpmCarrier


@pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
async def test_a_carrier_with_tls_is_known_by_its_authority(tmp_path: Path, *, known: bool) -> None:
    """A code goes out over TLS, and none to a carrier with the certificate of another authority."""
    theirs, other = Authority(), Authority("Somebody else")
    theirs.server(tmp_path)
    ca_file = tmp_path / "authority.pem"
    ca_file.write_bytes((theirs if known else other).pem)
    carrier = NpmCarrier(pem=tmp_path / "server.pem")
    await carrier.start()
    try:
        config = carrier.config | {"tls": True, "caFile": str(ca_file)}
        async with open_shop(tmp_path, "smpp", config) as shop:
            sent = await shop.send(0, "Your tea is ready.")
            if known:
                await shop.delivered([sent])
            assert (["delivered"] if known else ["rejected"]) == await shop.statuses([sent])
    finally:
        await carrier.stop()
    assert (["Your tea is ready."] if known else []) == [text for _, text in carrier.texts]
