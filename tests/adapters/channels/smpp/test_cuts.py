"""Conversations with an SMSC that are cut at random bytes (issue 22)."""

from __future__ import annotations

import pytest
from attrs import evolve

from tests.adapters.channels.smpp.accounts import QUICK, account_of, config_of
from tests.adapters.channels.smpp.smsc import Smsc
from watchword.adapters.channels.smpp import SmppProvider
from watchword.testing import FakeContext, FaultyTcp, a_message, cuts


@pytest.mark.parametrize(
    ("bind", "listens", "count"),
    [("transceiver", True, 1_000), ("transceiver", False, 200), ("separate", True, 200)],
)
async def test_no_cut_is_recorded_as_rejected_after_the_message_was_taken(
    smsc: Smsc, bind: str, listens: bool, count: int
) -> None:
    """A rejection is a promise that the SMSC took nothing, and no message is sent twice by us (C-68)."""
    async with FaultyTcp(smsc.port) as proxy:
        config = config_of(proxy.port, bind=bind)
        # A process that does not listen binds for a send alone, so it is connected when the next one comes.
        provider = SmppProvider(timings=QUICK if listens else evolve(QUICK, first_pause=0))
        await provider.open(FakeContext(account_of(config)))
        if listens:
            await provider.listen()
        tally = await cuts(
            provider, config, proxy, lambda: len(smsc.submits), a_message, count=count
        )
        await provider.close()

    assert [] == tally.wrong
    assert count <= tally.cut
    assert {"Accepted", "Rejected", "Unknown"} == tally.answers.keys()
