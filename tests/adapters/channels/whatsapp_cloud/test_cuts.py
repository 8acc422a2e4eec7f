"""Conversations with Meta that are cut at random bytes (issue 22)."""

from __future__ import annotations

from tests.adapters.channels.whatsapp_cloud.graph_server import GraphServer, a_whatsapp_message
from watchword.adapters.channels.whatsapp_cloud import WhatsappCloudProvider
from watchword.testing import FaultyTcp, cuts


async def test_no_cut_is_recorded_as_rejected_after_meta_took_the_message(
    whatsapp: WhatsappCloudProvider, graph: GraphServer
) -> None:
    """Nor is a message sent twice by us (C-68); WATCHWORD_CUTS=1000 cuts more."""
    async with FaultyTcp(int(graph.url.rpartition(":")[2])) as proxy:
        config = {**graph.config, "baseUrl": f"http://{proxy.host}:{proxy.port}"}
        tally = await cuts(whatsapp, config, proxy, lambda: len(graph.taken), a_whatsapp_message)

    assert [] == tally.wrong
    assert tally.answers["Accepted"] > 0
    assert tally.answers["Unknown"] > 0
    assert 0 < tally.taken < tally.cut
