"""Media of sends: ids of uploads, for which the provider gets links (C-25, C-26)."""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from tests.application.house import House, build_house
from tests.application.post_office import (
    WAIT,
    fallback,
    falls_back,
    message,
    receive,
    send,
    step,
    work,
)
from tests.application.stored_templates import keep_rcs, keep_whatsapp
from tests.rcs_templates import stored
from watchword.application.journal import beginning
from watchword.application.messages.planning.send_requests import MessageRequest
from watchword.domain.channel import Channel
from watchword.domain.errors import ValidationFailedError
from watchword.domain.media import MediaStored, media_decider, store
from watchword.domain.message import (
    Content,
    RcsTemplateContent,
    WhatsappSessionContent,
    WhatsappTemplateContent,
)
from watchword.domain.rcs_template import (
    Card,
    Height,
    HostedFile,
    MessageOrder,
    RcsTemplate,
    RichCard,
    TextMessage,
    TextMessageWithMedia,
    Vertical,
)
from watchword.domain.template_filling import with_hosted_files
from watchword.domain.whatsapp_template import (
    Body,
    Category,
    HeaderFormat,
    MediaHeader,
    WordedContent,
)

BASE = "https://messages.example"
PICTURED = WordedContent(
    category=Category.UTILITY,
    components=(MediaHeader(format=HeaderFormat.IMAGE), Body(text="Your tea.")),
)


async def upload(house: House, account_id: str | None = None) -> str:
    """Create a medium of the house's account, or of another, and return its id."""
    media_id = house.service.randomness.new_id("med")
    stored = MediaStored(
        at=house.clock.now(),
        account_id=account_id or house.by.account_id,
        name="cup.png",
        content_type="image/png",
        size=3,
        sha256="0" * 64,
    )
    made = beginning(media_decider, media_id, store(stored))
    await house.service.journal.write(house.by, house.clock.now(), made)
    return media_id


async def open_house() -> House:
    """Build a house that is served somewhere, in a session with the recipient."""
    house = await build_house()
    house.service.linking_media.served_at(BASE)
    await receive(house)
    return house


def picture(media_id: str) -> MessageRequest:
    """Write a session message that is a picture."""
    content = WhatsappSessionContent(type="image", body={"id": media_id, "caption": "A cup"})
    return message(content, Channel.WHATSAPP, path="wa[0]", content_path="wa[0].image")


def pictured(media_id: str) -> WhatsappTemplateContent:
    """Fill a template whose header is a picture."""
    parameter = {"type": "image", "image": {"id": media_id}}
    header = {"type": "header", "parameters": [parameter]}
    return WhatsappTemplateContent(name="pictured", language="en", components=(header,))


async def wrong(house: House, *messages: MessageRequest, **more: Any) -> list[str]:
    """Return the fields that a send is refused for."""
    with pytest.raises(ValidationFailedError) as refusal:
        await send(house, *messages, **more)
    assert [] == house.provider.messages
    return [each.path for each in refusal.value.problems]


def handed(content: Content | None) -> dict[str, Any]:
    """Return a content as the provider was handed it."""
    assert content is not None
    return attrs.asdict(content)


async def test_a_session_s_medium_goes_out_as_its_link() -> None:
    """To the address that the service is known by, in the text too; the rest stays (C-1)."""
    house = await open_house()
    media_id = await upload(house)
    await send(house, picture(media_id))
    (sent,) = house.provider.messages

    assert {"link": f"{BASE}/media/{media_id}", "caption": "A cup"} == handed(sent.content)["body"]
    assert f"{BASE}/media/{media_id}\nA cup" == sent.text


async def test_an_id_of_nothing_of_the_account_s_is_named() -> None:
    """Another account's, another thing's, an unheard-of one: 400 by their paths, and nothing is sent."""
    house = await open_house()
    await keep_whatsapp(house, name="pictured", content=PICTURED)
    for unknown in (await upload(house, "acc_other"), "med_0", house.template_id, "1234567890"):
        assert ["wa[0].image.id"] == await wrong(house, picture(unknown))
    template = message(
        pictured("med_0"), Channel.WHATSAPP, path="wa[0]", content_path="wa[0].template.components"
    )
    assert ["wa[0].template.components[0].parameters[0].image.id"] == await wrong(house, template)
    await falls_back(house, Channel.WHATSAPP)
    planned = fallback(step(pictured("med_0"), Channel.WHATSAPP))
    assert ["fallback.wa[0].parameters[0].image.id"] == await wrong(house, fallback=planned)


async def test_a_step_s_medium_goes_out_as_its_link() -> None:
    """A step's medium is linked like the primary's, in the form of the template's parameters."""
    house = await open_house()
    await keep_whatsapp(house, name="pictured", content=PICTURED)
    await falls_back(house, Channel.WHATSAPP)
    media_id = await upload(house)
    await send(house, fallback=fallback(step(pictured(media_id), Channel.WHATSAPP)))
    house.clock.move(WAIT)
    await work(house)
    (header,) = handed(house.provider.messages[-1].content)["components"]

    assert [{"type": "image", "image": {"link": f"{BASE}/media/{media_id}"}}] == header[
        "parameters"
    ]
    assert f"{BASE}/media/{media_id}\nYour tea." == house.provider.messages[-1].text


async def test_ids_stay_while_the_service_has_no_address() -> None:
    """An embedder without a public URL has nothing to link to."""
    house = await build_house()
    await receive(house)
    media_id = await upload(house)
    await send(house, picture(media_id))

    assert media_id == handed(house.provider.messages[0].content)["body"]["id"]


def test_files_of_an_rcs_template_stand_by_their_links() -> None:
    """A file without a URL gets its link; a given URL stays."""
    card = Card(
        file_name="cup.mp4",
        thumbnail_file_name="cup.png",
        card_title="Cup",
        card_description="A cup",
    )
    layout = Vertical(height=Height.TALL_HEIGHT)
    menu = TextMessageWithMedia(
        text_message_content="Menu",
        document_file_name="menu.pdf",
        message_order=MessageOrder.MEDIA_AT_TOP,
    )
    files = tuple(
        HostedFile(name=name, media_id=f"med_{name[-3:]}")
        for name in ("cup.mp4", "cup.png", "menu.pdf")
    )

    def shown(content: Any) -> Any:
        template = stored(content, files=files)
        linked = with_hosted_files(template, lambda media_id: f"{BASE}/media/{media_id}")
        assert isinstance(linked, RcsTemplate)
        return linked.content

    linked = shown(RichCard(layout=layout, stand_alone=card)).stand_alone
    given = shown(
        RichCard(layout=layout, stand_alone=attrs.evolve(card, media_url="https://cdn.example/c"))
    ).stand_alone
    assert (f"{BASE}/media/med_mp4", f"{BASE}/media/med_png") == (
        linked.media_url,
        linked.thumbnail_url,
    )
    assert "https://cdn.example/c" == given.media_url
    assert f"{BASE}/media/med_pdf" == shown(menu).document_url


async def test_an_rcs_adapter_gets_the_template_filled_in() -> None:
    """The adapter gets it beside the request, because it may not know any template."""
    house = await build_house()
    await keep_rcs(house, "Hello [name], your tea is on its way.")
    content = RcsTemplateContent(
        message_type="template", template_code="greeting", params={"name": "Mei"}
    )
    await send(house, message(content, Channel.RCS))
    (sent,) = house.provider.messages

    assert content == sent.content
    assert TextMessage(text_message_content="Hello Mei, your tea is on its way.") == sent.rcs
