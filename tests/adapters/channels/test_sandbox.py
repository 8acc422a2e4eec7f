"""The sandbox provider keeps the contract, and stands for the recipients' phones (C-39, C-40)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from typing import Any

import pytest
from attrs import evolve
from msgspec.structs import replace

from tests.fakes.clocks import StillClock
from watchword.adapters.channels.sandbox import SandboxProvider, account_of
from watchword.adapters.channels.sandbox_outbox import CAPACITY, FilledRcsTemplate, SmsPayload
from watchword.application.ports.channels import (
    Accepted,
    Message,
    Post,
    ProviderTemplate,
    Rejected,
    TemplateReview,
)
from watchword.domain.channel import Channel
from watchword.domain.errors import ValidationFailedError
from watchword.domain.message import RcsTemplateContent, SmsContent
from watchword.domain.rcs_template import TextMessage
from watchword.domain.receipt import ReceiptStatus
from watchword.testing import ChannelProviderContract, a_message

MESSAGE = a_message()


@pytest.fixture
async def provider() -> AsyncIterator[SandboxProvider]:
    """Yield a sandbox with an empty outbox."""
    sandbox = SandboxProvider(StillClock().now)
    yield sandbox
    await sandbox.close()


class TestSandboxProvider(ChannelProviderContract):
    """The contract."""

    @pytest.fixture
    async def provider(self) -> AsyncIterator[SandboxProvider]:
        """Yield a sandbox."""
        sandbox = SandboxProvider(StillClock().now)
        yield sandbox
        await sandbox.close()

    @pytest.fixture
    def config(self) -> Mapping[str, Any]:
        """Return settings with all their members but the one that decides."""
        return {"mirror": "udp://127.0.0.1:9"}

    @pytest.fixture
    def rejected(self) -> Message:
        """Return a message to a destination that rejects."""
        return replace(MESSAGE, destination="+919812340001")

    def taken(self, provider: SandboxProvider) -> int:
        """Count the outbox."""
        return len(provider.outbox())

    def arrive(self, provider: SandboxProvider, provider_message_id: str) -> None:
        """Report it from the phone."""
        provider.report(provider_message_id, ReceiptStatus.DELIVERED)

    def worded(
        self, provider_message_id: str, status: ReceiptStatus, error_code: str | None
    ) -> bytes:
        """Word a receipt in the form of C-39."""
        members = {"providerMessageId": provider_message_id, "status": status.name}
        return json.dumps({**members, "errorCode": error_code}).encode()

    def with_unknown_status(self) -> Post:
        """Word a receipt with a status that C-39 does not have."""
        return Post(body=json.dumps({"providerMessageId": "their-7", "status": "LOST"}).encode())


async def test_the_outbox_keeps_the_newest(provider: SandboxProvider) -> None:
    """At most 10,000 messages; the oldest go first, and ids go on counting."""
    for number in range(CAPACITY + 2):
        await provider.send({}, replace(MESSAGE, reference=f"pin_orchid:{number}:sms"))
    kept = provider.outbox()

    assert CAPACITY == len(kept)
    assert ("3", str(CAPACITY + 2)) == (kept[0].id, kept[-1].id)


async def test_a_message_is_kept_as_it_was_given(provider: SandboxProvider) -> None:
    """Channel, account, destination, sender, text and time, by the sandbox's clock."""
    await provider.send({}, replace(MESSAGE, channel=Channel.EMAIL, subject="Code"))
    (kept,) = provider.outbox()

    assert (Channel.EMAIL, "cha_orchid", "+919812345610", "Orchid") == (
        kept.channel,
        kept.channel_account_id,
        kept.destination,
        kept.sender,
    )
    assert ("Your code is 4711.", "Code", None) == (kept.text, kept.subject, kept.payload)
    assert StillClock().now() == kept.at


async def test_a_providers_template_is_shown(provider: SandboxProvider) -> None:
    """The payload contains the values that WhatsApp would fill in."""
    template = ProviderTemplate(name="tea_code", language="en", code="4711", params={"1": "Ann"})
    await provider.send({}, replace(MESSAGE, template=template))

    assert template == provider.outbox()[0].payload


async def test_silence_lasts(provider: SandboxProvider) -> None:
    """A destination that ends in 0004 gets no answer; the caller sets the time limit."""
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await provider.send({}, replace(MESSAGE, destination="+919812340004"))

    assert [] == list(provider.outbox())


async def test_an_account_decides_before_the_destination(provider: SandboxProvider) -> None:
    """`outcome` holds for all messages of a channel account."""
    answer = await provider.send({"outcome": "rejected"}, MESSAGE)

    assert Rejected("sandbox_rejected", "The sandbox rejects this destination.") == answer


async def test_no_code_shows_in_a_messages_repr(provider: SandboxProvider) -> None:
    """`repr` omits every field that may contain a code, so no log can quote one (C-31)."""
    await provider.send({}, MESSAGE)

    assert "4711" not in repr(provider.outbox()) + repr(MESSAGE)


async def test_a_repeated_message_is_on_the_phone_once(provider: SandboxProvider) -> None:
    """The repetition has the same id, and is neither shown nor mirrored again (C-20)."""
    first, again = await provider.send({}, MESSAGE), await provider.send({}, MESSAGE)

    assert first == again
    assert 1 == len(provider.outbox())


async def test_an_emptied_outbox_remembers_what_it_took(provider: SandboxProvider) -> None:
    """DELETE empties the list, but a repeated message is still recognised."""
    await provider.send({}, MESSAGE)
    provider.clear()
    await provider.send({}, MESSAGE)

    assert [] == list(provider.outbox())


async def test_a_phone_knows_the_newest_receipt_of_a_message(provider: SandboxProvider) -> None:
    """A failure that is reported late does not take a message back that arrived."""
    sent = await provider.send({}, MESSAGE)
    assert isinstance(sent, Accepted)
    told: list[ReceiptStatus | None] = [provider.reported(sent.provider_message_id)]
    for status in ("sent", "failed", "delivered", "failed", "read", "sent"):
        provider.report(sent.provider_message_id, ReceiptStatus(status))
        told.append(provider.reported(sent.provider_message_id))

    assert [None, "sent", "failed", "delivered", "delivered", "read", "read"] == told
    assert provider.reported("their-7") is None


async def test_a_message_is_found_by_its_providers_id(provider: SandboxProvider) -> None:
    """While it is on the phone."""
    sent = await provider.send({}, MESSAGE)
    assert isinstance(sent, Accepted)
    (shown,) = provider.outbox()

    assert shown == provider.find(sent.provider_message_id)
    assert provider.find("their-7") is None
    provider.clear()
    assert provider.find(sent.provider_message_id) is None


def test_what_a_person_wrote_stays_on_the_phone(provider: SandboxProvider) -> None:
    """The newest last, until the phones are emptied; its text is in no `repr`."""
    for text in ("one", "two"):
        provider.wrote(Channel.SMS, "+919812345610", text, f"msg_{text}")
    written = provider.written()

    assert [("one", "msg_one"), ("two", "msg_two")] == [(w.text, w.message_id) for w in written]
    assert "9198" not in repr(written)
    provider.clear()
    assert () == provider.written()


async def test_ids_are_the_same_after_a_restart(provider: SandboxProvider) -> None:
    """They follow from channel account and reference, and contain the account (C-20, C-39)."""
    other = replace(MESSAGE, channel_account_id="cha_lotus")
    restarted = SandboxProvider(StillClock().now)
    before, elsewhere = await provider.send({}, MESSAGE), await provider.send({}, other)

    assert isinstance(before, Accepted)
    assert isinstance(elsewhere, Accepted)
    assert before == await restarted.send({}, MESSAGE)
    assert before != elsewhere
    assert ("cha_orchid", "cha_lotus", None) == (
        account_of(before.provider_message_id),
        account_of(elsewhere.provider_message_id),
        account_of("their-7"),
    )


async def test_the_outbox_tells_messages_from_codes(provider: SandboxProvider) -> None:
    """A message has its id, and its content if that is more than a text (C-39)."""
    sms = SmsContent(type="SI", text="Your tea is ready.")
    templated = replace(MESSAGE, channel=Channel.RCS)
    rcs = RcsTemplateContent(message_type="template", template_code="tea_ready")
    await provider.send({}, MESSAGE)
    await provider.send({}, replace(MESSAGE, reference="msg_1", content=sms))
    await provider.send({}, replace(templated, reference="msg_2", content=rcs))
    seen = TextMessage(text_message_content="Your tea is ready.")
    await provider.send({}, replace(templated, reference="msg_3", content=rcs, rcs=seen))
    filled = FilledRcsTemplate(
        kind="rcs_template",
        message_type="template",
        template_code="tea_ready",
        params={},
        content=seen,
    )

    bare = SmsPayload(template_id=None, entity_id=None, unicode=False)

    assert [(None, bare), ("msg_1", bare), ("msg_2", rcs), ("msg_3", filled)] == [
        (each.message_id, each.payload) for each in provider.outbox()
    ]


async def test_an_sms_shows_what_goes_out_beside_its_text(provider: SandboxProvider) -> None:
    """Its DLT ids, and whether it is Unicode (C-71)."""
    await provider.send({}, replace(MESSAGE, template_id="1107", entity_id="1101", unicode=True))
    ids = SmsPayload(template_id="1107", entity_id="1101", unicode=True)

    assert [ids] == [each.payload for each in provider.outbox()]


def test_a_decision_on_a_template_is_read(provider: SandboxProvider) -> None:
    """It names the template, and the language or profile that distinguishes it (C-34)."""
    told = {"name": "tea", "senderProfile": "Tea House", "language": "en"}
    body = {"template": told, "status": "REJECTED", "reason": "Shouts."}

    def read(**changes: Any) -> Any:
        return provider.reports({}, {}, json.dumps({**body, **changes}).encode())[0]

    review = TemplateReview(
        name="tea",
        sender_profile="Tea House",
        language="en",
        approved=False,
        reason="Shouts.",
    )
    assert review == read()
    assert evolve(review, approved=True, reason=None) == read(status="APPROVED", reason=None)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"template": "tea"}, "template"),
        ({"template": {}}, "template.name"),
        ({"template": {"name": "x" * 513}}, "template.name"),
        ({"template": {"name": "tea", "senderProfile": 7}}, "template.sender_profile"),
        ({"template": {"name": "tea", "language": ""}}, "template.language"),
        ({"status": "READ"}, "status"),
        ({"status": None}, "status"),
        ({"reason": "x" * 1001}, "reason"),
        ({"reason": "\0"}, "reason"),
    ],
)
def test_a_wrong_decision_is_refused(
    provider: SandboxProvider, changes: dict[str, Any], field: str
) -> None:
    """One wrong member each."""
    body = {"template": {"name": "tea"}, "status": "APPROVED", **changes}
    with pytest.raises(ValidationFailedError) as refusal:
        provider.reports({}, {}, json.dumps(body).encode())

    assert [field] == [each.field for each in refusal.value.problems]


@pytest.mark.parametrize(
    "posted",
    [
        {"status": "READ"},
        {"providerMessageId": "", "status": "READ"},
        {"providerMessageId": "a b", "status": "READ"},
        {"providerMessageId": "x" * 201, "status": "READ"},
        {"providerMessageId": 7, "status": "READ"},
        {"providerMessageId": "7", "status": "read"},
        {"providerMessageId": "7", "status": ["READ"]},
        {"providerMessageId": "7", "status": "FAILED", "errorCode": "\0"},
        {"providerMessageId": "7", "status": "FAILED", "errorCode": 7},
    ],
)
def test_a_wrong_receipt_is_refused(provider: SandboxProvider, posted: dict[str, Any]) -> None:
    """One wrong member each; all that is wrong is named at once."""
    with pytest.raises(ValidationFailedError) as refusal:
        provider.reports({}, {}, json.dumps(posted).encode())
    with pytest.raises(ValidationFailedError) as all_wrong:
        provider.reports({}, {}, b'{"errorCode": 1}')

    assert 1 == len(refusal.value.problems)
    assert ["provider_message_id", "status", "error_code"] == [
        each.field for each in all_wrong.value.problems
    ]


@pytest.mark.parametrize("posted", [b"", b"{", b'{"status": "\xff"}', b"\xff", b"[" * 10_000])
def test_a_post_that_is_no_json_is_refused(provider: SandboxProvider, posted: bytes) -> None:
    """Bytes that are not JSON in UTF-8 are the poster's mistake, and are named as the body's."""
    with pytest.raises(ValidationFailedError) as refusal:
        provider.reports({}, {}, posted)

    assert [("body", "is not valid JSON")] == [
        (each.field, each.message) for each in refusal.value.problems
    ]
