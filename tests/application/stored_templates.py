"""Message templates in the house's store, made and reviewed as anyone's are."""

from __future__ import annotations

from tests.application.house import House
from watchword.application.journal import beginning, change
from watchword.domain import rcs_template, whatsapp_template
from watchword.domain.approval import Review
from watchword.domain.rcs_template import (
    CreateRcsTemplate,
    MessageType,
    RcsTemplate,
    TextMessage,
    rcs_template_decider,
)
from watchword.domain.whatsapp_template import (
    Body,
    Category,
    CreateWhatsappTemplate,
    TemplateContent,
    WhatsappTemplate,
    WordedContent,
    whatsapp_template_decider,
)

SENDER = "TEAHSE"


async def keep_rcs(
    house: House,
    text: str = "Hello.",
    *,
    name: str = "greeting",
    message_type: MessageType = MessageType.TRANSACTIONAL,
    approved: bool = True,
) -> str:
    """Have a template of the post office's sender, and give its id."""
    template_id = house.service.randomness.new_id("rct")
    now = house.clock.now()
    definition = rcs_template.TemplateDefinition(
        name=name, content=TextMessage(text_message_content=text)
    )
    created = rcs_template.create(
        template_id,
        CreateRcsTemplate(
            at=now,
            account_id=house.by.account_id,
            sender_profile=SENDER,
            message_type=message_type,
            update_by="tests",
            definition=definition,
        ),
    )
    await house.service.journal.write(
        house.by,
        now,
        beginning(rcs_template_decider, template_id, created),
        conditions=created.conditions,
    )
    if approved:
        await review_rcs(house, template_id)
    return template_id


async def review_rcs(house: House, template_id: str, *, approves: bool = True) -> None:
    """Approve or reject a template."""
    loaded = await house.service.journal.load(rcs_template_decider, template_id)
    review = Review(at=house.clock.now())
    assert isinstance(loaded.state, RcsTemplate)
    decide = rcs_template.approve if approves else rcs_template.reject
    changed = change(rcs_template_decider, template_id, loaded, decide(loaded.state, review))
    await house.service.journal.write(house.by, house.clock.now(), changed)


async def keep_whatsapp(
    house: House,
    text: str = "Hello.",
    *,
    name: str = "greeting",
    language: str = "en",
    content: TemplateContent | None = None,
    approved: bool = True,
) -> str:
    """Have a template that says a text, or something else, and give its id."""
    template_id = house.service.randomness.new_id("wat")
    now = house.clock.now()
    says = content or WordedContent(category=Category.UTILITY, components=(Body(text=text),))
    definition = whatsapp_template.TemplateDefinition(name=name, language=language, content=says)
    created = whatsapp_template.create(
        template_id,
        CreateWhatsappTemplate(at=now, account_id=house.by.account_id, definition=definition),
    )
    await house.service.journal.write(
        house.by,
        now,
        beginning(whatsapp_template_decider, template_id, created),
        conditions=created.conditions,
    )
    if approved:
        await review_whatsapp(house, template_id)
    return template_id


async def review_whatsapp(house: House, template_id: str, *, approves: bool = True) -> None:
    """Approve or reject a template."""
    loaded = await house.service.journal.load(whatsapp_template_decider, template_id)
    review = Review(at=house.clock.now())
    assert isinstance(loaded.state, WhatsappTemplate)
    decide = whatsapp_template.approve if approves else whatsapp_template.reject
    changed = change(whatsapp_template_decider, template_id, loaded, decide(loaded.state, review))
    await house.service.journal.write(house.by, house.clock.now(), changed)
