"""Message templates in the house's store, made and reviewed as anyone's are."""

from __future__ import annotations

from tests.application.house import House
from watchword.domain import rcs_template, whatsapp_template
from watchword.domain.rcs_template import MessageType, TextMessage
from watchword.domain.whatsapp_template import Body, Category, TemplateContent, WordedContent

SENDER = "TEAHSE"


async def keep_rcs(
    house: House,
    text: str = "Hello.",
    *,
    name: str = "greeting",
    message_type: MessageType = MessageType.TRANSACTIONAL,
    approved: bool = True,
) -> str:
    """Create a template of the post office's sender, and return its id."""
    says = TextMessage(text_message_content=text)
    made = await house.service.creating_rcs_templates.create(
        house.by,
        sender_profile=SENDER,
        message_type=message_type,
        update_by="tests",
        definition=rcs_template.TemplateDefinition(name=name, content=says),
    )
    if approved:
        await review_rcs(house, made.id)
    return made.id


async def review_rcs(house: House, template_id: str, *, approves: bool = True) -> None:
    """Approve or reject a template."""
    reviewing = house.service.reviewing_rcs_templates
    await (reviewing.approve if approves else reviewing.reject)(house.by, template_id)


async def keep_whatsapp(
    house: House,
    text: str = "Hello.",
    *,
    name: str = "greeting",
    content: TemplateContent | None = None,
) -> str:
    """Create an approved template with a text, or with other content, and return its id."""
    says = content or WordedContent(category=Category.UTILITY, components=(Body(text=text),))
    made = await house.service.creating_whatsapp_templates.create(
        house.by, whatsapp_template.TemplateDefinition(name=name, language="en", content=says)
    )
    await house.service.reviewing_whatsapp_templates.approve(house.by, made.id)
    return made.id
