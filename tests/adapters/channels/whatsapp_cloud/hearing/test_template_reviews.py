"""Decisions on templates."""

from __future__ import annotations

from typing import Any

import pytest
from pywa.types.templates import TemplateStatusUpdate

from tests.adapters.channels.whatsapp_cloud.hearing.hearing import (
    THEIRS,
    hearing,
)
from tests.adapters.channels.whatsapp_cloud.hearing.metas_posts import (
    OWN_ACCOUNT,
    template_event,
    whole,
)
from watchword.application.ports.channels import (
    Heard,
    TemplateReview,
)


@pytest.mark.parametrize("event", ["APPROVED", "REINSTATED", "UNARCHIVED"])
async def test_an_event_approves_a_template(event: str) -> None:
    """The review names the template, its language and the WhatsApp Business account."""
    (review,) = (await hearing(whole(template_event(event)))).reports

    assert review == TemplateReview(
        name="order_ready",
        language="en_US",
        approved=True,
        addressed_to={"businessAccountId": OWN_ACCOUNT},
    )


@pytest.mark.parametrize(
    ("event", "more", "reason"),
    [
        ("REJECTED", {"reason": "ABUSIVE_CONTENT"}, "REJECTED: ABUSIVE_CONTENT."),
        (
            "REJECTED",
            {
                "reason": "INVALID_FORMAT",
                "rejection_info": {
                    "reason": "It ends in a variable.",
                    "recommendation": "Add words.",
                },
            },
            "REJECTED: INVALID_FORMAT. It ends in a variable. Add words.",
        ),
        (
            "PAUSED",
            {"other_info": {"title": "FIRST_PAUSE", "description": "Paused\nfor 3 hours."}},
            "PAUSED: Paused for 3 hours.",
        ),
        ("DISABLED", {"disable_info": {"disable_date": "1751234563"}}, "DISABLED"),
        ("ARCHIVED", {"reason": None}, "ARCHIVED"),
        ("DELETED", {"rejection_info": {}}, "DELETED"),
    ],
)
async def test_an_event_rejects_a_template_with_the_reason(
    event: str, more: dict[str, Any], reason: str
) -> None:
    """The reason is one line that begins with Meta's word."""
    (review,) = (await hearing(whole(template_event(event, **more)))).reports

    assert isinstance(review, TemplateReview)
    assert (False, reason) == (review.approved, review.reason)


@pytest.mark.parametrize(
    "event",
    ["PENDING", "FLAGGED", "IN_APPEAL", "LOCKED", "PENDING_DELETION", "LIMIT_EXCEEDED", "NEW"],
)
async def test_other_events_decide_nothing(event: str) -> None:
    """A template in an appeal is still what it was."""
    assert Heard() == await hearing(whole(template_event(event)))


def test_an_independent_library_reads_the_same_template_events() -> None:
    """The posts of these tests are Meta's, as far as that library knows them."""
    more: Any = {
        "rejection_info": {"reason": "It ends in a variable.", "recommendation": "Add words."}
    }
    document: Any = whole(template_event("REJECTED", **{"reason": "INVALID_FORMAT", **more}))
    theirs = TemplateStatusUpdate.from_update(THEIRS, document)

    assert ("order_ready", "en_US") == (theirs.template_name, theirs.template_language.value)
    assert "REJECTED" == theirs.new_status.value
    assert theirs.rejection_info is not None
    assert "Add words." == theirs.rejection_info.recommendation


async def test_a_language_is_written_as_in_templates() -> None:
    """Meta's reference shows `en-US` in events; requests have `en_US`."""
    (review,) = (await hearing(whole(template_event("APPROVED", language="en-US")))).reports

    assert isinstance(review, TemplateReview)
    assert "en_US" == review.language


async def test_the_last_decision_of_a_post_counts() -> None:
    """Two decisions on one template would be recorded side by side, in any order."""
    answer = await hearing(
        whole(
            template_event("REJECTED", reason="SCAM"),
            template_event("APPROVED", language="de"),
            template_event("APPROVED"),
        )
    )
    reviews = [each for each in answer.reports if isinstance(each, TemplateReview)]

    assert [("en_US", True), ("de", True)] == [(each.language, each.approved) for each in reviews]
