"""What Meta did not sign is refused before it is read, and its challenges are answered (C-34, C-70)."""

from __future__ import annotations

import random
from collections.abc import Mapping
from datetime import UTC, datetime
from urllib.parse import urlencode

import pytest
from attrs import evolve
from pywa.utils import webhook_updates_validator

from tests.adapters.channels.whatsapp_cloud.hearing.metas_posts import (
    CONFIG,
    URL,
    post_of,
    signed,
    status,
    statuses,
)
from watchword.adapters.channels.whatsapp_cloud.hearing.reading_posts import heard
from watchword.adapters.channels.whatsapp_cloud.hearing.signatures import verify
from watchword.application.ports.channels import Heard, Post
from watchword.domain.accounts.api_key import UnauthorizedError
from watchword.domain.errors import ValidationFailedError

NOW = datetime(2031, 5, 4, 12, tzinfo=UTC)
HEADER = "x-hub-signature-256"


def passes(post: Post, secret: str) -> bool:
    """Return whether a post's signature is right."""
    try:
        verify({"appSecret": secret}, post)
    except UnauthorizedError:
        return False
    return True


def test_a_thousand_signatures_are_judged_as_an_independent_library_judges_them() -> None:
    """Right ones pass; those with another key, another body or a changed digit do not."""
    chance = random.Random(22)
    passed = 0
    for _ in range(1_000):
        body, secret = chance.randbytes(chance.randrange(2_000)), chance.randbytes(16).hex()
        headers = signed(body, secret)
        header = headers[HEADER]
        digit = chance.randrange(7, len(header))
        changed = header[:digit] + ("0" if header[digit] != "0" else "1") + header[digit + 1 :]

        assert webhook_updates_validator(secret, body, header)
        assert not webhook_updates_validator(secret, body, changed)
        passed += passes(Post(headers=headers, body=body), secret)
        assert not passes(Post(headers={HEADER: changed}, body=body), secret)
        assert not passes(Post(headers=headers, body=body + b" "), secret)
        assert not passes(Post(headers=headers, body=body), secret + "0")

    assert 1_000 == passed


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {HEADER: ""},
        {HEADER: "sha256="},
        {HEADER: "sha256=\u00e9\udce9"},
        {HEADER: signed(post_of(statuses()).body)[HEADER].removeprefix("sha256=")},
        {HEADER.replace("256", ""): "sha1=0"},
    ],
    ids=["none", "empty", "no digits", "odd letters", "no algorithm", "the older header"],
)
async def test_a_post_without_a_right_signature_is_401(headers: Mapping[str, str]) -> None:
    """Nobody learns whether its body could be read."""
    for body in (post_of(statuses()).body, b"{"):
        with pytest.raises(UnauthorizedError):
            await heard(CONFIG, Post(url=URL, headers=headers, body=body), NOW)


async def test_an_account_without_a_secret_hears_nobody() -> None:
    """An empty key would be known to everybody."""
    document = statuses(status())
    for config in ({}, {"appSecret": ""}, {"appSecret": None}):
        with pytest.raises(UnauthorizedError):
            await heard(config, post_of(document, ""), NOW)


def asked(**members: str) -> Post:
    """Return the request by which Meta checks an address; underscores in names stand for dots."""
    query = {f"hub.{name}": value for name, value in members.items()}
    return Post(method="GET", url=f"{URL}?{urlencode(query)}")


async def test_a_challenge_is_answered_with_itself() -> None:
    """It comes back as plain text, and needs no signature."""
    token = CONFIG["verifyToken"]
    answer = await heard(
        CONFIG, asked(mode="subscribe", challenge="1158201444", verify_token=token), NOW
    )

    assert Heard(content_type="text/plain", body=b"1158201444") == answer


@pytest.mark.parametrize(
    "post",
    [
        asked(mode="subscribe", challenge="7", verify_token="guessed"),
        asked(mode="subscribe", challenge="7", verify_token=""),
        asked(mode="subscribe", challenge="7"),
        asked(mode="unsubscribe", challenge="7", verify_token=CONFIG["verifyToken"]),
        asked(challenge="7", verify_token=CONFIG["verifyToken"]),
        Post(method="GET", url=URL),
        Post(method="GET", url=f"{URL}?{'&' * 200}"),
        Post(method="GET", url=f"{URL}?hub.verify_token=%ED%B3%A9"),
    ],
    ids=["wrong", "empty", "none", "mode", "no mode", "no query", "long", "odd"],
)
async def test_a_wrong_token_is_403(post: Post) -> None:
    """The answer says what to enter, and repeats nothing of the request."""
    answer = await heard(CONFIG, post, NOW)

    assert (403, "text/plain") == (answer.status, answer.content_type)
    assert b"verifyToken" in answer.body
    assert b"guessed" not in answer.body


async def test_an_account_without_a_token_answers_no_challenge() -> None:
    """An empty token is not equal to a missing one."""
    answer = await heard({}, asked(mode="subscribe", challenge="7", verify_token=""), NOW)

    assert 403 == answer.status


@pytest.mark.parametrize(
    "challenge",
    ["", "<script>", "a b", "7\r\n", "\u0667", "7" * 257],
    ids=["empty", "page", "blank", "line", "other digits", "long"],
)
async def test_only_a_challenge_that_is_one_word_is_repeated(challenge: str) -> None:
    """The answer of an address on our host must be nobody's page."""
    post = asked(mode="subscribe", challenge=challenge, verify_token=CONFIG["verifyToken"])
    with pytest.raises(ValidationFailedError):
        await heard(CONFIG, post, NOW)


async def test_a_get_with_a_body_reports_nothing() -> None:
    """A challenge is answered, whatever stands in its body."""
    post = evolve(post_of(statuses(status())), method="GET")
    answer = await heard(CONFIG, post, NOW)

    assert (403, ()) == (answer.status, answer.reports)
