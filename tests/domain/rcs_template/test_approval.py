"""The approval of an RCS template: created, submitted, approved or rejected (C-24, C-36, C-55)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from attrs import evolve

from tests.rcs_templates import CARD, RICH_CARD, TEXT
from tests.specs import given
from watchword.domain.approval import ApprovalStatus, Review
from watchword.domain.conditions import SoleHolder
from watchword.domain.decider import Decision
from watchword.domain.errors import ValidationFailedError
from watchword.domain.rcs_template import (
    CreateRcsTemplate,
    HostedFile,
    MessageType,
    RcsTemplateApproved,
    RcsTemplateCreated,
    RcsTemplateRejected,
    RcsTemplateSubmitted,
    SubmitRcsTemplate,
    TemplateDefinition,
    TemplateNotSubmittedError,
    TemplateState,
    UploadedFile,
    approve,
    create,
    reject,
    submit,
    template_name,
)

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
LATER = NOON + timedelta(hours=1)
DRAFT = TemplateDefinition(name="teas", content=TEXT, template_state=TemplateState.CREATE)
CREATE = CreateRcsTemplate(
    at=NOON,
    account_id="account-orchid",
    sender_profile="TeaHouse",
    message_type="promotional",
    update_by="mei",
    definition=DRAFT,
)
CREATED = RcsTemplateCreated(
    at=NOON,
    account_id="account-orchid",
    sender_profile="TeaHouse",
    name="teas",
    message_type=MessageType.PROMOTIONAL,
    update_by="mei",
    content=TEXT,
)
SUBMITTED = RcsTemplateSubmitted(at=NOON)
REVIEW = Review(at=LATER, reason="Says who it is.")
APPROVED = RcsTemplateApproved(at=LATER, reason="Says who it is.")
REJECTED = RcsTemplateRejected(at=LATER, reason="Says who it is.")


def test_a_draft_is_kept() -> None:
    """`Create` leaves it pending and unsubmitted, under a name that its profile has once (C-24)."""
    (
        given()
        .when(create, "rct-teas", CREATE)
        .then(CREATED)
        .on_condition(SoleHolder(template_name("account-orchid", "TeaHouse", "teas"), "rct-teas"))
        .leaving(
            status=ApprovalStatus.PENDING,
            template_state=TemplateState.CREATE,
            message_type=MessageType.PROMOTIONAL,
            created_at=NOON,
            updated_at=NOON,
        )
    )


@pytest.mark.parametrize("state", [None, TemplateState.SUBMIT])
def test_a_template_is_submitted_unless_it_is_a_draft(state: TemplateState | None) -> None:
    """`Submit` is the default (C-24)."""
    command = evolve(CREATE, definition=evolve(DRAFT, template_state=state))

    given().when(create, "rct-teas", command).then(CREATED, SUBMITTED).leaving(
        status=ApprovalStatus.PENDING, template_state=TemplateState.SUBMIT
    )


def test_a_template_names_the_media_of_its_files() -> None:
    """An uploaded file is found by the name in the template."""
    hosted = (HostedFile(name="tea.png", media_id="med_tea"),)
    content = evolve(RICH_CARD, stand_alone=evolve(CARD, media_url=None, file_name="tea.png"))
    command = evolve(
        CREATE,
        definition=evolve(DRAFT, content=content),
        files=(UploadedFile(name="tea.png"),),
        hosted=hosted,
    )

    given().when(create, "rct-teas", command).then(
        evolve(CREATED, content=content, files=hosted)
    ).leaving(files=hosted)


def test_names_are_told_apart_by_account_and_profile() -> None:
    """For any texts of the two."""
    assert template_name("a", "b:1", "c") != template_name("a", "b", "1:c")
    assert template_name("a", "b", "c") != template_name("a", "c", "c")


def test_a_create_names_everything_that_is_wrong() -> None:
    """Form and template at once, in the order of the specification (SPEC 2.1, C-24)."""
    command = evolve(
        CREATE,
        sender_profile="",
        update_by="m" * 201,
        message_type="tea",
        definition=TemplateDefinition(name="new teas", content=RICH_CARD),
        files=(UploadedFile(name="cup.png"),),
    )
    refused = given().when(create, "rct-teas", command).refuses(ValidationFailedError)

    assert [
        "data.name",
        "sender_profile_name",
        "update_by",
        "message_type",
        "multimedia_files",
    ] == [problem.path for problem in refused.problems]


def test_texts_of_the_form_are_bounded() -> None:
    """The longest that fit fit."""
    longest = evolve(CREATE, sender_profile="p" * 64, update_by="m" * 200)
    too_long = evolve(CREATE, sender_profile="p" * 65, update_by="m" * 201)
    refused = given().when(create, "rct-teas", too_long).refuses(ValidationFailedError)

    given().when(create, "rct-teas", longest).leaving(sender_profile="p" * 64)
    assert ["sender_profile_name", "update_by"] == [problem.path for problem in refused.problems]


def test_a_draft_is_submitted() -> None:
    """It is submitted once; a second request changes nothing (C-55)."""
    command = SubmitRcsTemplate(at=LATER)

    given(CREATED).when(submit, command).then(RcsTemplateSubmitted(at=LATER)).leaving(
        template_state=TemplateState.SUBMIT, status=ApprovalStatus.PENDING, updated_at=LATER
    )
    given(CREATED, SUBMITTED).when(submit, command).nothing()


def test_a_rejected_template_is_submitted_anew() -> None:
    """It waits for approval as at first; an approved one needs none."""
    command = SubmitRcsTemplate(at=LATER)

    given(CREATED, SUBMITTED, REJECTED).when(submit, command).then(
        RcsTemplateSubmitted(at=LATER)
    ).leaving(status=ApprovalStatus.PENDING, reason=None, updated_at=LATER)
    given(CREATED, SUBMITTED, APPROVED).when(submit, command).nothing()


def test_a_submitted_template_is_approved() -> None:
    """With the reason that was given (C-36); asked again, nothing happens."""
    given(CREATED, SUBMITTED).when(approve, REVIEW).then(APPROVED).leaving(
        status=ApprovalStatus.APPROVED, reason="Says who it is.", updated_at=LATER
    )
    given(CREATED, SUBMITTED, APPROVED).when(approve, REVIEW).nothing()


def test_a_submitted_template_is_rejected() -> None:
    """With the reason that was given (C-36); asked again, nothing happens."""
    given(CREATED, SUBMITTED).when(reject, REVIEW).then(REJECTED).leaving(
        status=ApprovalStatus.REJECTED, reason="Says who it is."
    )
    given(CREATED, SUBMITTED, REJECTED).when(reject, REVIEW).nothing()


def test_the_last_review_stands() -> None:
    """An approval can be taken back, and a rejection reconsidered."""
    given(CREATED, SUBMITTED, APPROVED).when(reject, REVIEW).then(REJECTED)
    given(CREATED, SUBMITTED, REJECTED).when(approve, REVIEW).then(APPROVED)


@pytest.mark.parametrize("review", [approve, reject])
def test_nobody_reviews_a_draft(review: Callable[..., Decision]) -> None:
    """Only a submitted template can be approved (C-55)."""
    refused = given(CREATED).when(review, REVIEW).refuses(TemplateNotSubmittedError)

    assert "template_not_submitted" == refused.code
    assert "The template 'teas' is a draft. Submit it first." == refused.message
