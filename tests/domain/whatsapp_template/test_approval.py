"""The life of a WhatsApp template: created, which submits it, and approved or rejected (C-26, C-36)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tests.specs import given
from tests.whatsapp_templates import BODY, OTP, code, worded
from watchword.domain.approval import ApprovalStatus, Review
from watchword.domain.conditions import SoleHolder
from watchword.domain.errors import ValidationFailedError
from watchword.domain.whatsapp_template import (
    Category,
    CodeBody,
    CreateWhatsappTemplate,
    TemplateDefinition,
    WhatsappTemplateApproved,
    WhatsappTemplateCreated,
    WhatsappTemplateRejected,
    approve,
    create,
    reject,
    template_name,
)

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
LATER = NOON + timedelta(hours=1)
TEMPLATE = TemplateDefinition(name="tea_sent", language="pt_BR", content=worded(BODY))
CREATE = CreateWhatsappTemplate(at=NOON, account_id="account-orchid", definition=TEMPLATE)
CREATED = WhatsappTemplateCreated(
    at=NOON,
    account_id="account-orchid",
    name="tea_sent",
    language="pt_BR",
    content=worded(BODY),
)
REVIEW = Review(at=LATER, reason="Says who it is.")
APPROVED = WhatsappTemplateApproved(at=LATER, reason="Says who it is.")
REJECTED = WhatsappTemplateRejected(at=LATER, reason="Says who it is.")


def test_a_create_puts_a_template_up_for_approval() -> None:
    """It waits, under a name that is its account's own in this language (C-26)."""
    subject = template_name("account-orchid", "tea_sent", "pt_BR")

    given().when(create, "wat_1", CREATE).then(CREATED).on_condition(SoleHolder(subject, "wat_1"))
    given(CREATED).when(approve, REVIEW).leaving(
        account_id="account-orchid",
        category=Category.UTILITY,
        name=TEMPLATE.name,
        language=TEMPLATE.language,
        content=TEMPLATE.content,
        created_at=NOON,
    )


def test_names_are_held_apart() -> None:
    """Account, name and language distinguish them, with any characters."""
    held = {
        template_name(*parts)
        for parts in (("a", "b", "en"), ("a", "b", "pt"), ("a", "c", "en"), ("c", "b", "en"))
    }

    assert 4 == len(held)


def test_a_create_names_everything_that_is_wrong() -> None:
    """All of it in one refusal."""
    wrong = TemplateDefinition(name="Tea", language="english", content=code(CodeBody(text="Tea")))
    refused = (
        given()
        .when(create, "wat_1", CreateWhatsappTemplate(at=NOON, account_id="a", definition=wrong))
        .refuses(ValidationFailedError)
    )

    assert ["name", "language", "components", "components[0].text"] == [
        problem.path for problem in refused.problems
    ]


def test_a_template_is_approved() -> None:
    """With the reason that was given (C-36); asked again, nothing happens."""
    given(CREATED).when(approve, REVIEW).then(APPROVED).leaving(
        status=ApprovalStatus.APPROVED, reason="Says who it is.", updated_at=LATER
    )
    given(CREATED, APPROVED).when(approve, REVIEW).nothing()


def test_a_template_is_rejected() -> None:
    """With the reason that was given (C-36); asked again, nothing happens."""
    given(CREATED).when(reject, REVIEW).then(REJECTED).leaving(
        status=ApprovalStatus.REJECTED, reason="Says who it is.", updated_at=LATER
    )
    given(CREATED, REJECTED).when(reject, REVIEW).nothing()


def test_the_last_review_stands() -> None:
    """An approval can be taken back, and a rejection reconsidered."""
    given(CREATED, APPROVED).when(reject, REVIEW).then(REJECTED)
    given(CREATED, REJECTED).when(approve, REVIEW).then(APPROVED)


@pytest.mark.parametrize("category", [Category.UTILITY, Category.MARKETING])
def test_the_category_is_the_contents(category: Category) -> None:
    """A template of codes is of the category that says so, and no other is."""
    of_a_code = given(
        WhatsappTemplateCreated(
            at=NOON, account_id="a", name="b", language="en", content=code(CodeBody(), OTP)
        )
    )

    assert category is not Category.AUTHENTICATION
    of_a_code.when(approve, REVIEW).leaving(category=Category.AUTHENTICATION)
