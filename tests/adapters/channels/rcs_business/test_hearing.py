"""Google's posts: the check of a webhook, events as receipts, and messages from people (C-34, C-70)."""

from __future__ import annotations

import json
import random
import tracemalloc
from datetime import UTC, datetime
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from tests.adapters.channels.rcs_business.google import (
    AGENT,
    TOKEN,
    config_at,
    event,
    posted,
    signature,
)
from watchword.adapters.channels.rcs_business import RcsBusinessProvider
from watchword.adapters.channels.rcs_business.hearing import posts
from watchword.adapters.channels.rcs_business.settings import settings_of
from watchword.application.ports.channels import (
    Heard,
    InboundMessage,
    Post,
    ProviderReport,
)
from watchword.domain.accounts.api_key import UnauthorizedError
from watchword.domain.errors import ValidationFailedError
from watchword.domain.receipt import Receipt, ReceiptStatus
from watchword.testing import FakeContext

CONFIG = config_at("https://rcs.example.com")
SENDER = "+447700900123"
MEMBERS = (
    *("agentId", "eventId", "eventType", "messageId", "sendTime", "senderPhoneNumber"),
    *("text", "suggestionResponse", "postbackData", "location", "latitude", "longitude"),
    *("userFile", "payload", "fileUri"),
)
NOW = FakeContext().now()


async def hear(provider: RcsBusinessProvider, data: Any) -> Heard:
    """Post an event with its signature."""
    body = posted(data)
    return await provider.hear(CONFIG, Post(headers=signature(body), body=body))


def said(**content: Any) -> dict[str, Any]:
    """Return a message of a person, by "Receive messages"."""
    return {
        "senderPhoneNumber": SENDER,
        "messageId": "their-9",
        "sendTime": "2031-05-04T11:59:30Z",
        "agentId": AGENT,
        **content,
    }


async def test_the_webhook_is_confirmed_by_its_secret(provider: RcsBusinessProvider) -> None:
    """Google posts it when the address is entered, with the token that it shows (C-99)."""
    body = json.dumps({"clientToken": TOKEN, "secret": "1234567890"}).encode()
    heard = await provider.hear(CONFIG, Post(body=body))

    assert Heard(content_type="text/plain; charset=utf-8", body=b"1234567890") == heard


@pytest.mark.parametrize("token", [f"{TOKEN}x", TOKEN[:-1], "", None, 7, ["a"], "\udce9"])
async def test_the_secret_of_a_stranger_is_not_repeated(
    provider: RcsBusinessProvider, token: Any
) -> None:
    """Nobody can make the service say something without the token."""
    body = json.dumps({"clientToken": token, "secret": "1234567890"}).encode()

    with pytest.raises(UnauthorizedError):
        await provider.hear(CONFIG, Post(body=body))


@pytest.mark.parametrize("secret", [None, 7, "", "x" * 1_025])
async def test_a_confirmation_has_a_secret(provider: RcsBusinessProvider, secret: Any) -> None:
    """One without is refused in words."""
    body = json.dumps({"clientToken": TOKEN, "secret": secret}).encode()

    with pytest.raises(ValidationFailedError):
        await provider.hear(CONFIG, Post(body=body))


@pytest.mark.parametrize(
    ("kind", "status", "code"),
    [
        ("DELIVERED", ReceiptStatus.DELIVERED, None),
        ("READ", ReceiptStatus.READ, None),
        ("TTL_EXPIRATION_REVOKED", ReceiptStatus.FAILED, "expired"),
    ],
)
async def test_an_event_is_a_receipt(
    provider: RcsBusinessProvider, kind: str, status: ReceiptStatus, code: str | None
) -> None:
    """It names the message by our id, and the time by Google's clock."""
    heard = await hear(provider, event(kind, "their-7"))
    at = datetime(2031, 5, 4, 11, 59, 30, 123456, UTC)
    receipt = Receipt(status=status, error_code=code, reported_at=at)

    assert (ProviderReport(provider_message_id="their-7", receipt=receipt),) == heard.reports


@pytest.mark.parametrize("sent", [None, "", "yesterday", "1970-01-01T00:00:00Z", 7])
async def test_a_receipt_without_a_time_has_that_of_its_arrival(
    provider: RcsBusinessProvider, sent: Any
) -> None:
    """Google's guide shows events without one."""
    (report,) = (await hear(provider, event("READ", "their-7", sendTime=sent))).reports

    assert isinstance(report, ProviderReport)
    assert NOW == report.receipt.reported_at


@pytest.mark.parametrize(
    "told",
    [
        event("IS_TYPING", "their-7"),
        event("SUBSCRIBE", "their-7"),
        event("UNSUBSCRIBE", "their-7"),
        # The message may still arrive, so it says nothing (D-292).
        event("TTL_EXPIRATION_REVOKE_FAILED", "their-7"),
        event("PONDERED", "their-7"),
        {"agentId": AGENT, "oldLaunchState": "PENDING", "newLaunchState": "LAUNCHED"},
        said(),
        said(text=7),
        said(suggestionResponse={}),
        said(location={"latitude": "north"}),
        said(location={}),
        said(location={"latitude": 10**400, "longitude": 7}),
        said(location={"latitude": 181, "longitude": 7}),
        said(location={"latitude": True, "longitude": 7}),
        said(userFile={"payload": {}}),
        said(userFile="tea.png"),
    ],
)
async def test_what_says_nothing_of_a_message_is_no_report(
    provider: RcsBusinessProvider, told: Any
) -> None:
    """It is acknowledged, or Google would post it for a week."""
    assert Heard() == await hear(provider, told)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ({"text": "Tea, please"}, "Tea, please"),
        ({"text": ""}, ""),
        ({"text": "tea \0"}, "tea \ufffd"),
        (
            {"suggestionResponse": {"postbackData": "tea-7", "text": "Tea", "type": "REPLY"}},
            "Tea",
        ),
        ({"suggestionResponse": {"postbackData": "tea-7"}}, "tea-7"),
        ({"location": {"latitude": 12.9716, "longitude": -77.5946}}, "12.9716, -77.5946"),
        ({"location": {"longitude": 7}}, "0, 7"),
        (
            {"userFile": {"payload": {"fileUri": "https://rcs.example.com/f/1", "fileName": "t"}}},
            "https://rcs.example.com/f/1",
        ),
    ],
)
async def test_a_message_of_a_person_is_inbound(
    provider: RcsBusinessProvider, content: dict[str, Any], text: str
) -> None:
    """Typed, chosen, a place, or the address of a file; the agent is its recipient."""
    heard = await hear(provider, said(**content))

    assert (
        InboundMessage(provider_message_id="their-9", sender=SENDER, recipient=AGENT, text=text),
    ) == heard.reports


async def test_a_tapped_action_has_the_id_of_its_event(provider: RcsBusinessProvider) -> None:
    """It has no message id."""
    told = {
        "senderPhoneNumber": SENDER,
        "eventId": "event-3",
        "agentId": AGENT,
        "suggestionResponse": {"postbackData": "tea-7"},
    }
    (report,) = (await hear(provider, told)).reports

    assert "event-3" == report.provider_message_id  # type: ignore[union-attr]  # it is inbound


@pytest.mark.parametrize("agent", ["other_agent", "other_agent@rbm.goog"])
async def test_an_event_of_another_agent_is_addressed_to_its_account(
    provider: RcsBusinessProvider, agent: str
) -> None:
    """A partner's webhook hears for all its agents under one token (C-99)."""
    (receipt,) = (await hear(provider, event("READ", "their-7", agentId=agent))).reports
    (inbound,) = (await hear(provider, said(agentId=agent, text="Tea"))).reports

    assert {"agentId": "other_agent"} == receipt.addressed_to == inbound.addressed_to
    assert isinstance(inbound, InboundMessage)
    assert "other_agent" == inbound.recipient
    assert "webhookToken" == provider.signing_setting


@pytest.mark.parametrize(
    "told",
    [
        event("READ", ""),
        event("READ", "x" * 257),
        event("READ", "two\nlines"),
        {"eventType": "DELIVERED"},
        said(text="tea", senderPhoneNumber=None),
        [],
        7,
        b"{",
        b"",
    ],
)
async def test_a_signed_event_that_cannot_be_read_is_counted(
    provider: RcsBusinessProvider, told: Any
) -> None:
    """It is acknowledged: Google repeats it for a week, and holds back the other agents' events."""
    assert Heard(unreadable=1) == await hear(provider, told)


async def test_a_long_post_is_not_read(provider: RcsBusinessProvider) -> None:
    """Its signature covers data that anybody could have decoded."""
    body = posted(said(text="x" * posts.LONGEST_POST))

    with pytest.raises(ValidationFailedError):
        await provider.hear(CONFIG, Post(headers=signature(body), body=body))


async def test_of_a_strangers_post_no_more_is_read_than_its_signature_needs(
    provider: RcsBusinessProvider,
) -> None:
    """80,000 empty lists would be made before anybody knows who posts them, and hold the event loop."""
    body = b'{"message": {"data": "e30="}, "more": [' + b"[], " * 60_000 + b"[]]}"
    tracemalloc.start()
    try:
        with pytest.raises(UnauthorizedError):
            await provider.hear(CONFIG, Post(body=body))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert most < 1_000_000


def forged() -> list[Post]:
    """Return posts that are not signed, or not for what they say."""
    body, other = posted(event("DELIVERED", "their-7")), posted(event("DELIVERED", "their-8"))
    good = signature(body)["x-goog-signature"]
    unpadded = json.loads(body)
    unpadded["message"]["data"] += "="
    headers = [
        {},
        {"x-goog-signature": ""},
        {"x-goog-signature": good[:-4]},
        {"x-goog-signature": good.lower()},
        {"x-goog-signature": "é\udce9"},
        signature(other),
        signature(body, "another-token"),
        signature(body, ""),
    ]
    bodies = [b"", b"{", b"[]", b"\xff", b"{}", b'{"message": {}}', b'{"message": {"data": 7}}']
    return [
        *(Post(headers=each, body=body) for each in headers),
        *(Post(headers=signature(body), body=each) for each in bodies),
        Post(headers=signature(body), body=json.dumps(unpadded).encode()),
    ]


@pytest.mark.parametrize("post", forged())
async def test_a_forged_post_is_not_heard(provider: RcsBusinessProvider, post: Post) -> None:
    """A signature is good for its own event under the account's own token alone."""
    with pytest.raises(UnauthorizedError):
        await provider.hear(CONFIG, post)


async def test_a_thousand_signatures_agree_and_no_other_passes(
    provider: RcsBusinessProvider,
) -> None:
    """Events of any text; a changed byte of the data, and another token, pass never (C-70)."""
    dice = random.Random(7)
    agreed = passed = 0
    for number in range(1_000):
        text = "".join(chr(dice.choice((65, 228, 2_325, 127_861))) for _ in range(number % 40))
        body = posted(said(text=text, messageId=f"their-{number}"))
        right = signature(body)
        agreed += len((await provider.hear(CONFIG, Post(headers=right, body=body))).reports)
        other = posted(said(text=f"{text}.", messageId=f"their-{number}"))
        for headers, told in ((right, other), (signature(body, f"{TOKEN}{number}"), body)):
            try:
                passed += len(
                    (await provider.hear(CONFIG, Post(headers=headers, body=told))).reports
                )
            except UnauthorizedError:
                continue

    assert (1_000, 0) == (agreed, passed)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(MEMBERS), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(told=JSON)
def test_an_event_of_any_form_raises_nothing(told: Any) -> None:
    """A signed event is heard, ignored, or counted as unreadable; Google is never told to repeat it."""
    body = posted(told)
    post = Post(headers=signature(body), body=body)
    heard = posts.heard(settings_of(CONFIG), post, NOW)

    assert 200 == heard.status
    assert len(heard.reports) + heard.unreadable <= 1


async def test_the_signed_event_counts_and_not_what_stands_around_it(
    provider: RcsBusinessProvider,
) -> None:
    """The signature covers the data alone, so other members of a post may be anybody's."""
    body = posted(event("DELIVERED", "their-7"))
    document = json.loads(body)
    document["message"] |= {"attributes": {"type": "agent_launch_event"}, "messageId": "their-8"}
    changed = Post(headers=signature(body), body=json.dumps(document).encode())
    (report,) = (await provider.hear(CONFIG, changed)).reports

    assert isinstance(report, ProviderReport)
    assert "their-7" == report.provider_message_id
    assert evolve(changed, body=body) != changed
