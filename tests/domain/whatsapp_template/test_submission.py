"""The submission of a WhatsApp template: attempts until the provider has it, or refuses it (C-99)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tests.specs import Given, given
from tests.whatsapp_templates import BODY, worded
from watchword.domain.approval import ApprovalStatus, Review
from watchword.domain.event import Event
from watchword.domain.whatsapp_template import (
    Submission,
    SubmissionStatus,
    WhatsappSubmissionBegun,
    WhatsappSubmissionEnded,
    WhatsappSubmissionPutOff,
    WhatsappSubmissionRequested,
    WhatsappTemplateApproved,
    WhatsappTemplateCreated,
    WhatsappTemplateRejected,
    WhatsappTemplateSubmitted,
    approve,
    begin_submission,
    end_submission,
    put_off_submission,
    record_submitted,
    reject,
    request_submission,
)

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
CREATED = WhatsappTemplateCreated(
    at=NOON, account_id="acc_tea", name="tea", language="en", content=worded(BODY)
)
REQUESTED = WhatsappSubmissionRequested(at=NOON, channel_account_id="cha_tea")


def at(seconds: int) -> datetime:
    """Return a time after the request."""
    return NOON + timedelta(seconds=seconds)


def begun(seconds: int, attempt: int = 1) -> WhatsappSubmissionBegun:
    """Begin an attempt, which counts as lost after a minute."""
    return WhatsappSubmissionBegun(at=at(seconds), attempt=attempt, again_at=at(seconds + 60))


def put_off(seconds: int, attempt: int = 1) -> WhatsappSubmissionPutOff:
    """Put the attempt off by five seconds."""
    return WhatsappSubmissionPutOff(
        at=at(seconds),
        attempt=attempt,
        code="whatsapp_80008",
        reason="Too many calls.",
        again_at=at(seconds + 5),
    )


def ended(seconds: int, attempt: int = 1) -> WhatsappSubmissionEnded:
    """End the attempts."""
    return WhatsappSubmissionEnded(
        at=at(seconds), attempt=attempt, code="whatsapp_100", reason="It has no example."
    )


def submitted(seconds: int, attempt: int = 1) -> WhatsappTemplateSubmitted:
    """Submit the template, under the provider's id."""
    return WhatsappTemplateSubmitted(
        at=at(seconds), attempt=attempt, provider_template_id="594425", category="MARKETING"
    )


def template(*past: Event) -> Given:
    """Return a template whose submission was requested, with its later events."""
    return given(CREATED, REQUESTED, *past)


def test_a_requested_submission_is_due_at_once() -> None:
    """The template itself stays pending."""
    given(CREATED).when(request_submission, REQUESTED).then(REQUESTED).leaving(
        status=ApprovalStatus.PENDING,
        submission=Submission(channel_account_id="cha_tea", requested_at=NOON, due_at=NOON),
    )


def test_one_process_begins_an_attempt() -> None:
    """A second one that read the same due row finds that the attempt is no longer due."""
    template().when(begin_submission, begun(0)).then(begun(0))
    template(begun(0)).when(begin_submission, begun(1, attempt=2)).nothing()
    template(begun(0)).when(begin_submission, begun(60)).nothing()
    given(CREATED).when(begin_submission, begun(0)).nothing()


def test_a_lost_attempt_is_followed_by_another() -> None:
    """Its process died, or could not record the outcome."""
    template(begun(0)).when(begin_submission, begun(60, attempt=2)).then(begun(60, attempt=2))


def test_an_attempt_is_put_off() -> None:
    """An operator sees why, and when the next one follows."""
    template(begun(0)).when(put_off_submission, put_off(2)).then(put_off(2)).leaving(
        submission=Submission(
            channel_account_id="cha_tea",
            requested_at=NOON,
            attempts=1,
            due_at=at(7),
            code="whatsapp_80008",
            reason="Too many calls.",
        )
    )


def test_the_failure_of_an_older_attempt_changes_nothing() -> None:
    """A newer attempt has begun, and its own outcome counts."""
    template(begun(0), begun(60, attempt=2)).when(put_off_submission, put_off(61)).nothing()
    template(begun(0), begun(60, attempt=2)).when(end_submission, ended(61)).nothing()
    template(begun(0), put_off(2)).when(put_off_submission, put_off(3)).nothing()


def test_the_provider_has_the_template() -> None:
    """No attempt follows, and the provider's id and category are kept."""
    template(begun(0)).when(record_submitted, submitted(2)).then(submitted(2)).leaving(
        status=ApprovalStatus.PENDING,
        submission=Submission(
            channel_account_id="cha_tea",
            status=SubmissionStatus.SUBMITTED,
            requested_at=NOON,
            attempts=1,
            due_at=None,
            provider_template_id="594425",
            category="MARKETING",
        ),
    )
    template(begun(0), submitted(2)).when(record_submitted, submitted(3)).nothing()
    template(begun(0), submitted(2)).when(begin_submission, begun(60, attempt=2)).nothing()


def test_an_attempt_that_was_taken_for_lost_may_have_submitted_it() -> None:
    """Its outcome counts, also after a newer attempt began or failed."""
    template(begun(0), begun(60, attempt=2)).when(record_submitted, submitted(61)).then(
        submitted(61)
    )
    template(begun(0), ended(2)).when(record_submitted, submitted(3)).then(submitted(3))
    template(begun(0)).when(record_submitted, submitted(2, attempt=2)).nothing()


def test_a_decision_may_come_with_the_submission() -> None:
    """A provider that has reviewed the template before, or at once, decides in its answer."""
    yes = Review(at=at(2), by_provider=True)
    no = Review(at=at(2), reason="SCAM", by_provider=True)

    template(begun(0)).when(record_submitted, submitted(2), (True, yes)).then(
        submitted(2), WhatsappTemplateApproved(at=at(2), by_provider=True)
    )
    template(begun(0)).when(record_submitted, submitted(2), (False, no)).then(
        submitted(2), WhatsappTemplateRejected(at=at(2), reason="SCAM", by_provider=True)
    )


def test_a_refused_template_is_rejected() -> None:
    """With the provider's reason; no attempt follows."""
    refusal = Review(at=at(2), reason="whatsapp_100: It has no example.", by_provider=True)
    rejected = WhatsappTemplateRejected(
        at=at(2), reason="whatsapp_100: It has no example.", by_provider=True
    )

    template(begun(0)).when(end_submission, ended(2), refusal).then(ended(2), rejected).leaving(
        status=ApprovalStatus.REJECTED,
        submission=Submission(
            channel_account_id="cha_tea",
            status=SubmissionStatus.ENDED,
            requested_at=NOON,
            attempts=1,
            due_at=None,
            code="whatsapp_100",
            reason="It has no example.",
        ),
    )


def test_attempts_that_took_too_long_end() -> None:
    """The template stays pending: an operator may have it submitted again."""
    template(begun(0)).when(end_submission, ended(2)).then(ended(2)).leaving(
        status=ApprovalStatus.PENDING
    )


@pytest.mark.parametrize("past", [(begun(0), put_off(2)), (begun(0), ended(2))])
def test_a_template_is_submitted_again(past: tuple[Event, ...]) -> None:
    """At once; the attempts count on, so that no late outcome finds another's number."""
    again = WhatsappSubmissionRequested(at=at(9), channel_account_id="cha_new")

    template(*past).when(request_submission, again).then(again).leaving(
        submission=Submission(
            channel_account_id="cha_new", requested_at=at(9), attempts=1, due_at=at(9)
        )
    )


def test_a_rejected_template_that_is_submitted_again_is_pending() -> None:
    """Its provider decides anew, and may reject it again; an approved one stays approved."""
    refusal = WhatsappTemplateRejected(at=at(2), reason="whatsapp_no_app_id", by_provider=True)
    again = WhatsappSubmissionRequested(at=at(9), channel_account_id="cha_tea")
    still = WhatsappTemplateRejected(at=at(12), reason="SCAM", by_provider=True)

    template(begun(0), ended(2), refusal).when(request_submission, again).then(again).leaving(
        status=ApprovalStatus.PENDING, reason=None, providers_decision=None, updated_at=at(9)
    )
    template(begun(0), ended(2), refusal, again, begun(9, 2), submitted(10, 2)).when(
        reject, Review(at=at(12), reason="SCAM", by_provider=True)
    ).then(still)
    given(CREATED, WhatsappTemplateApproved(at=at(1))).when(request_submission, again).leaving(
        status=ApprovalStatus.APPROVED
    )


def test_what_is_under_way_or_submitted_is_not_submitted_again() -> None:
    """Another channel account may submit it too: its own business account may not have it."""
    again = WhatsappSubmissionRequested(at=at(9), channel_account_id="cha_tea")
    elsewhere = WhatsappSubmissionRequested(at=at(9), channel_account_id="cha_new")

    template(begun(0)).when(request_submission, elsewhere).nothing()
    template(begun(0), submitted(2)).when(request_submission, again).nothing()
    template(begun(0), submitted(2)).when(request_submission, elsewhere).then(elsewhere)


def test_a_provider_that_repeats_itself_does_not_undo_an_operators_decision() -> None:
    """Only a new decision of the provider counts (D-287)."""
    theirs = WhatsappTemplateApproved(at=at(3), by_provider=True)
    ours = WhatsappTemplateRejected(at=at(4), reason="Stop.")
    same, new = Review(at=at(5), by_provider=True), Review(at=at(6), by_provider=True)
    paused = WhatsappTemplateRejected(at=at(6), by_provider=True)

    given(CREATED, theirs, ours).when(approve, same).nothing()
    given(CREATED, theirs, ours).when(reject, new).then(paused)
    given(CREATED, theirs, ours, paused).when(approve, same).then(
        WhatsappTemplateApproved(at=at(5), by_provider=True)
    )


def test_a_decision_of_the_provider_is_kept_where_an_operator_was_faster() -> None:
    """It says what the provider repeats later."""
    ours = WhatsappTemplateApproved(at=at(3))
    same = Review(at=at(5), by_provider=True)

    given(CREATED, ours).when(approve, same).then(
        WhatsappTemplateApproved(at=at(5), by_provider=True)
    ).leaving(providers_decision=ApprovalStatus.APPROVED)
