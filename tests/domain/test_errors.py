"""Refusals carry the documented codes and details (SPEC section 7, C-9, C-11)."""

import re
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from watchword.domain.accounts.account import AccountNotFoundError
from watchword.domain.accounts.api_key import ApiKeyNotFoundError, UnauthorizedError
from watchword.domain.channel import PROVIDER_TIMEOUT, Channel, ChannelOutcome, OutcomeStatus
from watchword.domain.errors import (
    DomainError,
    FieldProblem,
    RateLimitedError,
    ValidationFailedError,
)
from watchword.domain.guard import DestinationNotAllowedError, Rule
from watchword.domain.pin import (
    DispatchFailedError,
    ExpiryReason,
    PinAlreadyVerifiedError,
    PinBlockedError,
    PinExpiredError,
    PinIncorrectError,
    PinNotFoundError,
    ResendCooldownError,
)
from watchword.domain.pin_template import (
    ChannelNotConfiguredError,
    TemplateDisabledError,
    TemplateNotFoundError,
)
from watchword.domain.template_filling import MessageTemplateNotFoundError

# The rules that refuse a destination by itself, whatever was sent before.
_OUTRIGHT = (Rule.NUMBERS, Rule.COUNTRIES)


@pytest.mark.parametrize(
    ("refusal", "code"),
    [
        (PinIncorrectError("pin-kettle", "PENDING", 2), "pin_incorrect"),
        (PinExpiredError(), "pin_expired"),
        (PinBlockedError(), "pin_blocked"),
        (PinAlreadyVerifiedError(), "pin_already_verified"),
        (PinNotFoundError(), "pin_not_found"),
        (ResendCooldownError("Too soon.", timedelta(1)), "resend_cooldown"),
        (RateLimitedError("verify", timedelta(1)), "rate_limited"),
        (DispatchFailedError(()), "dispatch_failed"),
        (TemplateNotFoundError(), "template_not_found"),
        (TemplateDisabledError(archived=False), "template_disabled"),
        (ChannelNotConfiguredError(Channel.SMS, ()), "channel_not_configured"),
        (DestinationNotAllowedError(Rule.NUMBERS), "destination_not_allowed"),
        (AccountNotFoundError(), "account_not_found"),
        (ApiKeyNotFoundError(), "api_key_not_found"),
        (UnauthorizedError(), "unauthorized"),
        (ValidationFailedError(()), "validation_failed"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_every_refusal_has_its_code_and_a_sentence(refusal: DomainError, code: str) -> None:
    """The codes are the wire's; the message is a sentence with the next step."""
    assert code == refusal.code
    assert refusal.message == str(refusal)
    assert refusal.message.endswith(".")


def test_pin_incorrect_carries_what_is_left() -> None:
    """pin_incorrect has pinId, status and attemptsRemaining in its details."""
    refusal = PinIncorrectError("pin-kettle", "PENDING", 2)

    assert {
        "pinId": "pin-kettle",
        "status": "PENDING",
        "attemptsRemaining": 2,
    } == refusal.details
    assert 2 == refusal.attempts_remaining


@pytest.mark.parametrize(
    ("left", "words"),
    [
        (2, "The code is wrong. 2 attempts are left."),
        (1, "The code is wrong. 1 attempt is left."),
        (
            0,
            "The code is wrong. The next guess is the last: another wrong one blocks this PIN.",
        ),
    ],
)
def test_pin_incorrect_says_what_is_left(left: int, words: str) -> None:
    """At zero one guess is left, and details.lastGuess says so to programs (C-90)."""
    refusal = PinIncorrectError("pin-kettle", "PENDING", left)

    assert words == refusal.message
    assert (left == 0) == refusal.details.get("lastGuess", False)


@pytest.mark.parametrize(
    ("wait", "seconds"), [(0, 1), (0.001, 1), (1, 1), (1.001, 2), (29.5, 30), (86_400, 86_400)]
)
def test_the_wait_is_told_in_whole_seconds(wait: float, seconds: int) -> None:
    """Retry-After is rounded up, so no caller comes back too early; it is at least 1."""
    refusal = ResendCooldownError("Too fast.", timedelta(seconds=wait))

    assert seconds == refusal.retry_after_seconds
    assert {"retryAfterSeconds": seconds} == refusal.details
    assert f"Too fast. Try again in {seconds} s." == refusal.message


@pytest.mark.parametrize(
    ("rule", "limit"),
    [
        ("template", "sendPinPerTemplateLimit"),
        ("phone_number", "sendPinPerPhoneNumberLimit"),
        ("verify", "verifyPinLimit"),
    ],
)
def test_a_rate_says_which_limit_it_is(rule: str, limit: str) -> None:
    """In `details.rule`, and in words that name the template's member (C-77)."""
    refusal = RateLimitedError(rule, timedelta(seconds=3))

    assert {"retryAfterSeconds": 3, "rule": rule} == refusal.details
    assert limit in refusal.message


@pytest.mark.parametrize("rule", [each for each in Rule if each not in _OUTRIGHT])
def test_a_budget_of_the_guard_tells_no_limit(rule: Rule) -> None:
    """It says which rule refuses, in words of its own, but not what it allows (C-77)."""
    refusal = RateLimitedError(rule, timedelta(seconds=3))

    assert {"retryAfterSeconds": 3, "rule": rule.value} == refusal.details
    assert "A limit is reached" not in refusal.message
    assert ["3"] == re.findall("[0-9]+", refusal.message)


@pytest.mark.parametrize("rule", _OUTRIGHT)
def test_a_destination_that_is_not_allowed_says_by_which_rule(rule: Rule) -> None:
    """destination_not_allowed has the rule in its details, and nothing else (C-77)."""
    refusal = DestinationNotAllowedError(rule)

    assert {"rule": rule.value} == refusal.details
    assert "destination_not_allowed" == refusal.code


@given(st.timedeltas(timedelta(0), timedelta(days=3660)))
def test_whoever_waits_as_told_is_not_early(wait: timedelta) -> None:
    """The whole seconds cover the wait, with less than a second to spare, or one second."""
    told = timedelta(seconds=ResendCooldownError("Too soon.", wait).retry_after_seconds)

    assert wait <= told <= max(wait + timedelta(seconds=1), timedelta(seconds=1))


def test_validation_names_every_field() -> None:
    """validation_failed lists each wrong field with the expected value."""
    refusal = ValidationFailedError(
        [FieldProblem("name", "is required"), FieldProblem("channels[0].id", "must be text")]
    )

    assert {
        "fields": [
            {"field": "name", "message": "is required"},
            {"field": "channels[0].id", "message": "must be text"},
        ]
    } == refusal.details
    assert "name, channels[0].id" in refusal.message


def test_fields_read_as_on_the_wire() -> None:
    """A path in snake case is reported in the caller's spelling, embedded or not."""
    refusal = ValidationFailedError([FieldProblem("channels[0].content_text", "is required")])

    assert {
        "fields": [{"field": "channels[0].contentText", "message": "is required"}]
    } == refusal.details
    assert "channels[0].contentText" in refusal.message


def test_dispatch_failed_shows_silence_as_a_rejection() -> None:
    """In a 502 a provider time-out is `rejected`, with its own error code."""
    silent = ChannelOutcome(
        channel=Channel.SMS,
        status=OutcomeStatus.UNKNOWN,
        error_code=PROVIDER_TIMEOUT,
        error_message="No answer.",
    )

    assert {
        "channels": [
            {
                "channel": "sms",
                "status": "rejected",
                "errorCode": "provider_timeout",
                "errorMessage": "No answer.",
            }
        ]
    } == DispatchFailedError([silent]).details


def test_the_reasons_of_an_expiry_are_told_apart() -> None:
    """Expired, superseded and erased PINs are all pin_expired; the reason and the advice differ."""
    refusals = [PinExpiredError(reason) for reason in ExpiryReason]

    assert ["expired", "superseded", "erased"] == [each.details["reason"] for each in refusals]
    assert len(refusals) == len({each.message for each in refusals})


@pytest.mark.parametrize(
    ("channel", "otherwise"),
    [
        (Channel.RCS, "or none of this sender profile"),
        (Channel.WHATSAPP, "or none in this language"),
    ],
)
def test_a_template_that_is_not_found_may_exist_otherwise(channel: Channel, otherwise: str) -> None:
    """The refusal does not claim that the account lacks the name under other senders (C-48)."""
    assert otherwise in str(MessageTemplateNotFoundError(channel, "tea", narrowed=True))
    assert otherwise not in str(MessageTemplateNotFoundError(channel, "tea"))


@pytest.mark.parametrize("name", ["client_email", "private_key", "private_key_id", "token_uri"])
def test_the_members_of_a_key_file_are_named_as_they_were_given(name: str) -> None:
    """An operator looks for the path in the file of Google, which spells them with underscores (C-63)."""
    problem = FieldProblem(f"config.serviceAccount.{name}", "is required")

    assert f"config.serviceAccount.{name}" == problem.path
