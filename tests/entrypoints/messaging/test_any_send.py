"""Any body is sent, or refused by name; nothing else can happen (R25)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from tests.entrypoints.messaging.sends import (
    DEMO_FALLBACK_WA,
    DEMO_RCS,
    DEMO_WA,
    FALLBACK,
    FALLBACK_RCS,
    FALLBACK_SMS,
    INDIAN,
    INTERACTIVE,
    SMS,
    session,
)
from tests.strategies import texts
from watchword.application.caller import THE_WORKER, Caller
from watchword.application.messages.sending_messages import SentMessages
from watchword.domain.errors import DomainError
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.messaging.send_bodies import send_request
from watchword.entrypoints.settings import Settings
from watchword.entrypoints.wired import Wired

MEMBERS = ("prefix", "campaignName", "urlShortener", "fallback", "sms", "wa", "rcs")
DLT = {"templateId": "1", "entityId": "2"}
BODIES: list[dict[str, Any]] = [
    {"sms": [{**SMS, **DLT, "recipient": INDIAN, "ttl": "9", "custRef1": {"a": "b"}}, SMS]},
    {"wa": [{**DEMO_WA, "custref1": "a"}], "prefix": "49"},
    {
        "wa": [
            session("text", {"body": "Tea?"}),
            session("image", {"link": "https://tea.example/cup.png"}),
        ]
    },
    {"wa": [session("interactive", INTERACTIVE)]},
    {"rcs": [DEMO_RCS], "campaignName": "spring", "urlShortener": {"flag": 0, "urlDetails": [{}]}},
    {"wa": [DEMO_WA], "fallback": {**FALLBACK, "sms": {**FALLBACK_SMS, "type": "TXN"}}},
    {
        "rcs": [DEMO_RCS],
        "fallback": {
            **FALLBACK,
            "fallback_id": "demo-two",
            "sms": FALLBACK_SMS,
            "wa": DEMO_FALLBACK_WA,
        },
    },
    {"sms": [SMS], "fallback": {**FALLBACK, "rcs": {**FALLBACK_RCS, "customParams": "{}"}}},
]
anything: SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts
    | st.sampled_from(["", "0", "60", "OTP", "template", "text", "{}", "[", '{"name": 1}']),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(texts, inside, max_size=3),
    max_leaves=6,
)


def places(part: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every place inside a body, as what holds it and its key."""
    keys: Any = part if isinstance(part, dict) else range(len(part))
    for key in list(keys):
        yield part, key
        if isinstance(part[key], dict | list):
            yield from places(part[key])


@st.composite
def spoilt(draw: DrawFn) -> Any:
    """Take a body that is right, and put anything in up to three of its places, or nothing."""
    body = json.loads(json.dumps(draw(st.sampled_from(BODIES))))
    for _ in range(draw(st.integers(0, 3))):
        found = list(places(body))
        if not found:
            break
        holder, key = draw(st.sampled_from(found))
        if draw(st.booleans()):
            holder[key] = draw(anything)
        else:
            del holder[key]
    return body


@frozen
class Post:
    """A sandbox in memory, to which any body can be sent."""

    service: Wired
    by: Caller
    run: Callable[..., Any]

    def send(self, body: Any) -> SentMessages | DomainError:
        """Send a body, or return the refusal."""
        try:
            request = send_request(body, self.service.third_parties)
            sent: SentMessages = self.run(self.service.sending_messages.send(self.by, request))
        except DomainError as refusal:
            return refusal
        return sent


@pytest.fixture(scope="module")
def post() -> Iterator[Post]:
    """Yield one for all examples."""
    with asyncio.Runner() as runner:
        opening = wired(Settings(sandbox=True, store="memory://"), run_due=False)
        service = runner.run(opening.__aenter__())
        account_id = runner.run(service.accounts.resolve(THE_WORKER, "demo"))
        yield Post(service, Caller(account_id, "key_1", "req_1"), runner.run)
        runner.run(opening.__aexit__(None, None, None))


@pytest.mark.parametrize("body", BODIES[:-1])
def test_the_bodies_are_right_before_they_are_spoilt(post: Post, body: Any) -> None:
    """Otherwise the property below would only see the first check."""
    assert isinstance(post.send(body), SentMessages)


@given(body=spoilt())
def test_any_body_is_sent_or_refused(post: Post, body: Any) -> None:
    """A refusal has a documented code, and a 400 names paths that begin in the body."""
    result = post.send(body)

    if isinstance(result, DomainError):
        assert result.code in ("validation_failed", "template_not_found")
        named: Any = result.details.get("fields", [])
        for each in named:
            assert each["field"].partition(".")[0].partition("[")[0] in ("body", *MEMBERS)
    else:
        assert 1 <= len(result.messages) <= 1000


@given(body=anything)
def test_any_json_is_refused_or_sent(post: Post, body: Any) -> None:
    """JSON that does not resemble a send is refused, too."""
    result = post.send(body)

    assert isinstance(result, DomainError)
    assert "validation_failed" == result.code
