"""Uploads that WhatsApp messages name by their ids (C-26)."""

from __future__ import annotations

from watchword.domain.message import (
    WhatsappSessionContent,
    WhatsappTemplateContent,
    media_ids,
    with_links,
)

LINK = "https://tea.example/cup.png"


def test_media_are_found_wherever_they_stand() -> None:
    """In a session's object, in its header and in a template's; ids of buttons are none."""
    image = WhatsappSessionContent(type="image", body={"id": "med_1", "caption": "A cup"})
    reply = {"type": "reply", "reply": {"id": "1", "title": "Yes"}}
    headed = WhatsappSessionContent(
        type="interactive",
        body={
            "header": {"type": "video", "video": {"id": "med_2"}},
            "action": {"buttons": [reply]},
        },
    )
    header = {"type": "header", "parameters": [{"type": "image", "image": {"id": "med_3"}}]}
    template = WhatsappTemplateContent(name="t", language="en", components=(header,))

    assert [("p.id", "med_1")] == list(media_ids(image, "p"))
    assert [("p.header.video.id", "med_2")] == list(media_ids(headed, "p"))
    assert [("p[0].parameters[0].image.id", "med_3")] == list(media_ids(template, "p"))
    linked = with_links(image, {"med_1": LINK})
    assert isinstance(linked, WhatsappSessionContent)
    assert {"link": LINK, "caption": "A cup"} == linked.body
    assert headed == with_links(headed, {"1": LINK})
    assert [] == list(media_ids(with_links(template, {"med_3": LINK}), "p"))
