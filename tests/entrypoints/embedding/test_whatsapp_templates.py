"""WhatsApp templates for embedders (C-44, C-65)."""

from __future__ import annotations

from typing import Any

import pytest

import watchword
from tests.entrypoints.message_templates.creating_whatsapp import CODE, PICTURE, TEXT
from tests.fakes.providers import ReviewingProvider
from watchword.domain.approval import ApprovalStatus
from watchword.domain.errors import DuplicateNameError, NotFoundError, ValidationFailedError
from watchword.domain.whatsapp_template import Body, Category


async def chunks() -> Any:
    """Yield the bytes of a picture."""
    yield b"p"


async def test_a_template_goes_its_way() -> None:
    """Created, found, listed, approved and rejected, as records in snake case."""
    async with watchword.open("memory://", sandbox=True) as service:
        templates = service.whatsapp_templates
        made = await templates.create("demo", **TEXT)
        approved = await templates.approve(made.id)
        rejected = await templates.reject(made, reason="Shouts.")
        # The older one is the sandbox's own.
        listed = await templates.list("demo", page_size=1)

        assert ("tea_sent", "en_US", Category.UTILITY) == (made.name, made.language, made.category)
        assert (Body(text="Your tea is on its way."),) == made.content.components
        assert [ApprovalStatus.PENDING, ApprovalStatus.APPROVED] == [made.status, approved.status]
        assert (ApprovalStatus.REJECTED, "Shouts.") == (rejected.status, rejected.reason)
        assert (2, [rejected]) == (listed.total, list(listed.data))
        assert rejected == await templates.get(made)


async def test_what_is_refused() -> None:
    """Refusals are the domain's errors, with the wire's fields."""
    async with watchword.open("memory://", sandbox=True) as service:
        templates = service.whatsapp_templates
        made = await templates.create("demo", **CODE)
        with pytest.raises(DuplicateNameError):
            await templates.create("demo", **CODE)
        with pytest.raises(ValidationFailedError) as refused:
            await templates.create("demo", "Tea", "en", "TEA", [{"type": "BODY", "text": 7}])
        assert ["name", "category", "components[0].text"] == [
            each.path for each in refused.value.problems
        ]
        for components in (object(), [float("nan")], {1, 2}):
            with pytest.raises(ValidationFailedError):
                await templates.create("demo", "tea", "en", "UTILITY", components)  # type: ignore[arg-type]  # what JSON cannot say
        with pytest.raises(ValidationFailedError):
            await templates.reject(made, reason="x" * 1_001)
        for unknown in ("wat_0", "rct_0", "demo", ""):
            with pytest.raises(NotFoundError):
                await templates.get(unknown)


async def test_a_header_names_an_uploaded_medium() -> None:
    """One of the account's own, and not of another (D-92)."""
    async with watchword.open("memory://", sandbox=True) as service:
        neighbour = await service.accounts.create("orchid")
        file = await service.rcs_templates.create(
            "demo",
            data={
                "name": "menu",
                "type": "text_message_with_media",
                "textMessageContent": "The new teas are here.",
                "messageOrder": "media_at_top",
                "documentFileName": "teas.png",
            },
            sender_profile_name="TeaHouse",
            update_by="till-1",
            message_type="Promotional",
            multimedia_files={"teas.png": chunks()},
        )
        medium = file.files[0].media_id
        header = {"type": "HEADER", "format": "IMAGE", "example": {"header_handle": [medium]}}
        picture = {**PICTURE, "components": [{"type": "BODY", "text": "Tea."}, header]}

        await service.whatsapp_templates.create("demo", **picture)
        with pytest.raises(ValidationFailedError) as refused:
            await service.whatsapp_templates.create(neighbour, **picture)
        assert ["components[1].example.header_handle[0]"] == [
            each.path for each in refused.value.problems
        ]


async def test_an_older_template_is_submitted() -> None:
    """By a provider of the embedder's, as soon as its account has a channel account that submits."""
    reviewing = ReviewingProvider()
    async with watchword.open("memory://", channels={"reviewing": reviewing}) as service:
        shop = await service.accounts.create("shop")
        made = await service.whatsapp_templates.create(shop, **TEXT)
        with pytest.raises(watchword.TemplateNotSubmittableError):
            await service.whatsapp_templates.submit(made)
        await service.channel_accounts.create(
            shop, "whatsapp", "reviewing", "main", config={"businessAccountId": "1"}
        )
        requested = await service.whatsapp_templates.submit(made)
        await service.run_due()
        submitted = await service.whatsapp_templates.get(made)
        with pytest.raises(NotFoundError):
            await service.whatsapp_templates.submit("wat_0")

    assert requested.submission is not None
    assert submitted.submission is not None
    assert ("waiting", "submitted") == (requested.submission.status, submitted.submission.status)
    assert ["tea_sent"] == [each.name for each in reviewing.submissions]
