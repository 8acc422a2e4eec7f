"""Take a message in: SPEC 2.6, C-23."""

import pytest

from tests.domain.message.story import GUEST, READY, REFS, RUN, order, second, submitted
from tests.specs import given, state_after
from watchword.domain.message import (
    Content,
    Direction,
    MessageStatus,
    ProviderContent,
    RcsTemplateContent,
    SmsContent,
    WhatsappSessionContent,
    WhatsappTemplateContent,
    carries_code,
    submit,
)

TEMPLATE = WhatsappTemplateContent(name="tea_is_ready", language="en")
SESSION = WhatsappSessionContent(type="text", body={"text": {"body": "Tea!"}})
RCS = RcsTemplateContent(message_type="template", template_code="tea")
VIBER = ProviderContent(payload={"text": "Tea!"})


def test_a_message_is_recorded_as_it_was_ordered() -> None:
    """The event has its way in, recipient, content, references, and the URL for its statuses."""
    given().when(submit, order()).then(submitted()).on_condition()


def test_a_message_reads_accepted_from_its_first_moment() -> None:
    """Nothing has happened to it yet, and it can be found: outbound, accepted, an empty history."""
    message = state_after(submitted())

    assert MessageStatus.ACCEPTED == message.status
    assert Direction.OUTBOUND == message.direction
    assert () == message.history
    assert (GUEST, REFS, RUN) == (message.recipient, message.cust_refs, message.run_id)
    assert second(0) == message.created_at == message.updated_at


@pytest.mark.parametrize(
    "content",
    [
        SmsContent(type="OTP", text="4711"),
        # Types that the send refuses, although their text may be a code.
        SmsContent(type="otp", text="4711"),
        SmsContent(type="TXN", text="4711"),
        RcsTemplateContent(message_type="OTP", template_code="code"),
        RcsTemplateContent(message_type=" Otp", template_code="code"),
        RcsTemplateContent(message_type="One Time Password", template_code="code"),
        RcsTemplateContent(message_type="\uff2f\uff34\uff30", template_code="code"),
        # The content of a third party's adapter is unknown here.
        VIBER,
    ],
    ids=lambda content: f"{content.kind} {content}"[:40],
)
def test_a_content_that_carries_a_code_is_not_recorded(content: Content) -> None:
    """SMS type OTP and RCS messageType OTP: the body is never stored in clear (C-23, D-34)."""
    assert carries_code(content)
    given().when(submit, order(content)).then(submitted(None))


@pytest.mark.parametrize("content", [TEMPLATE, RCS], ids=lambda content: content.kind)
def test_a_template_may_say_that_it_carries_a_code(content: Content) -> None:
    """Category AUTHENTICATION and RCS OTP templates are known from outside (C-23)."""
    given().when(submit, order(content, carries_code=True)).then(submitted(None))


@pytest.mark.parametrize(
    "content",
    [READY, SmsContent(type="SE", text="Tea!"), TEMPLATE, SESSION, RCS],
    ids=lambda content: f"{content.kind}",
)
def test_any_other_content_is_recorded(content: Content) -> None:
    """A content without a code stays in the history of the message."""
    assert not carries_code(content)
    given().when(submit, order(content)).then(submitted(content))


@pytest.mark.parametrize(
    ("word", "valid"), [("SI", True), ("OTP", True), ("SE", True), ("Promo", False), ("si", False)]
)
def test_the_types_of_an_sms_are_told_apart(word: str, valid: bool) -> None:
    """`SI`, `OTP` and `SE`, case-sensitive (SPEC section 7)."""
    assert valid is SmsContent(type=word, text="Tea!").type_is_valid
