"""A content that several messages of a call share: accepted forms and refusals (C-23, C-94)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.specs import given
from watchword.domain.event import secret_fields
from watchword.domain.message import SmsContent
from watchword.domain.shared_content import (
    ContentSubmitted,
    SharedContent,
    shared_content_decider,
    submit,
)

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
READY = SmsContent(type="SI", text="Your tea is ready.")
CODE = SmsContent(type="OTP", text="Your code is 4711.")


def submitted(content: SmsContent | None, sealed: str | None = None) -> ContentSubmitted:
    """Return the event that a content was stored."""
    return ContentSubmitted(
        at=NOON, account_id="acc_tea", content=content, sealed=sealed, own_links=("a" * 16,)
    )


def test_a_content_is_taken_in_as_it_is() -> None:
    """In clear, or sealed if it contains a code; the marks of links are beside it."""
    for event in (submitted(READY), submitted(None, "gAAAAABo")):
        given().when(submit, event).then(event)
        assert shared_content_decider.fold([event]) == SharedContent(
            account_id="acc_tea",
            content=event.content,
            sealed=event.sealed,
            own_links=("a" * 16,),
            created_at=NOON,
        )


def test_a_code_in_clear_is_refused() -> None:
    """A caller that forgets to seal it stores nothing (C-23)."""
    with pytest.raises(ValueError, match="seal it"):
        submit(submitted(CODE))


def test_a_sealed_content_is_secret() -> None:
    """It reads `***` in every history (C-31)."""
    assert ["sealed"] == list(secret_fields(ContentSubmitted))
