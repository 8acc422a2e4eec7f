"""Conversations with each vendor that are cut at random bytes (issue 21)."""

from __future__ import annotations

import pytest

from tests.adapters.channels.http import test_preset_contracts as presets
from tests.adapters.channels.http.vendors import running
from watchword.adapters.channels.http import HttpProvider
from watchword.testing import FaultyTcp, a_message, cuts


@pytest.mark.parametrize(
    "preset",
    [presets.TestTwilio, presets.TestInfobip, presets.TestVonage, presets.TestKannel],
)
async def test_no_cut_is_recorded_as_rejected_after_the_vendor_took_the_message(
    provider: HttpProvider, preset: type[presets.PresetContract]
) -> None:
    """Nor is a message sent twice by us (C-68); WATCHWORD_CUTS=1000 cuts more."""
    async with (
        running(preset.vendor_class()) as vendor,
        FaultyTcp(int(vendor.url.rpartition(":")[2])) as proxy,
    ):
        config = preset().parameters(f"http://{proxy.host}:{proxy.port}")
        tally = await cuts(provider, config, proxy, lambda: len(vendor.taken), a_message)

    assert [] == tally.wrong
    assert tally.answers["Accepted"] > 0
    assert tally.answers["Unknown"] > 0
    assert 0 < tally.taken < tally.cut
