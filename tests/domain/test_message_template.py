"""A message template as a send sees it: what has to be filled in (SPEC 2.2, C-60)."""

from __future__ import annotations

import pytest

from watchword.domain.channel import Channel
from watchword.domain.message_template import MessageTemplate

TEXT = "Hi [name], [first name] {{1}}"


@pytest.mark.parametrize(
    ("channel", "names", "filled"),
    [
        (Channel.RCS, {"name"}, "Hi Mei, [first name] {{1}}"),
        (Channel.WHATSAPP, {"1"}, "Hi [name], [first name] tea"),
    ],
)
def test_each_channel_has_its_own_placeholders(
    channel: Channel, names: set[str], filled: str
) -> None:
    """Names in brackets on RCS, as a template is judged by (D-81); positions on WhatsApp."""
    template = MessageTemplate(channel=channel, name="tea", approved=True, text=TEXT)

    assert names == template.placeholders
    assert filled == template.filled({"name": "Mei", "1": "tea"})
