"""Conversations with a mail server that are cut at random bytes (issue 21)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.adapters.channels.smtp.accounts import config_of, mail
from tests.adapters.channels.smtp.certificates import Authority
from tests.adapters.channels.smtp.mail_servers import Mailroom, aiosmtpd_server
from watchword.adapters.channels.smtp import SmtpProvider
from watchword.testing import FaultyTcp, cuts

# The thousand of the issue; TLS, which makes each connection slower, has fewer.
_WITHOUT_TLS, _WITH_TLS = 1_000, 100


@pytest.mark.parametrize(
    ("tls", "count"), [("none", _WITHOUT_TLS), ("starttls", _WITH_TLS), ("implicit", _WITH_TLS)]
)
async def test_no_cut_is_recorded_as_rejected_after_the_mail_was_taken(
    provider: SmtpProvider, room: Mailroom, tmp_path: Path, tls: str, count: int
) -> None:
    """A rejection is a promise that the server took nothing, and no mail is sent twice by us (C-68)."""
    authority = Authority()
    (tmp_path / "ca.pem").write_bytes(authority.pem)
    way = {} if tls == "none" else {tls: authority.server(tmp_path)}
    more: dict[str, Any] = {"caFile": str(tmp_path / "ca.pem"), "tls": tls} if way else {}
    async with aiosmtpd_server(room, **way) as port, FaultyTcp(port) as proxy:
        config = config_of(proxy.port, **more)
        tally = await cuts(provider, config, proxy, lambda: len(room.taken), mail, count=count)

    assert [] == tally.wrong
    assert count <= tally.cut
    assert {"Accepted", "Rejected", "Unknown"} == tally.answers.keys()
