"""Receipts and inbound messages in posts, read by the paths of a config (C-63, C-70)."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from watchword.adapters.channels.http.hearing.posted_documents import LONGEST_FORM
from watchword.adapters.channels.http.hearing.reading_posts import MOST_PARTS, heard
from watchword.adapters.channels.http.hearing.settings import hearing_problems, with_token
from watchword.adapters.channels.reported_times import reported_time
from watchword.application.ports.channels import Heard, InboundMessage, Post, ProviderReport
from watchword.domain.accounts.api_key import UnauthorizedError
from watchword.domain.errors import ValidationFailedError
from watchword.domain.receipt import Receipt, ReceiptStatus

NOW = datetime(2031, 5, 4, 12, tzinfo=UTC)
TOKEN = "only-the-tea-house-knows"
URL = f"https://pins.example.com/callbacks/cha_orchid?t={TOKEN}"
SIGNATURE = {"kind": "query_token", "secret": TOKEN}
RECEIPT: Mapping[str, Any] = {
    "itemsPath": "results",
    "idPath": "message.id",
    "referencePath": "ours",
    "statusPath": "message.status",
    "statuses": {"3": "delivered", "gone": "failed", "out": "sent", "seen": "read"},
    "codePath": "error.code",
    "atPath": "at",
    "signature": SIGNATURE,
}
INBOUND: Mapping[str, Any] = {
    "itemsPath": "results",
    "senderPath": "from",
    "recipientPath": "to",
    "textPath": "text",
    "idPath": "id",
}
BOTH = {"receipt": RECEIPT, "inbound": INBOUND}
FLAT = {"idPath": "id", "statusPath": "status", "statuses": {"1": "delivered"}}


def posted(document: object) -> Post:
    """Return a post of JSON."""
    headers = {"content-type": "application/json"}
    return Post(url=URL, headers=headers, body=json.dumps(document).encode())


async def receipts(config: Mapping[str, Any], post: Post) -> list[tuple[str | None, ReceiptStatus]]:
    """Return the ids and statuses that are heard."""
    reports = (await heard(config, post, NOW)).reports
    return [
        (each.provider_message_id, each.receipt.status)
        for each in reports
        if isinstance(each, ProviderReport)
    ]


async def test_receipts_and_messages_of_one_post_are_told_apart_by_their_paths() -> None:
    """Each item of the list is read by the paths that lead somewhere in it."""
    post = posted(
        {
            "results": [
                {
                    "message": {"id": 77, "status": 3},
                    "at": "2031-05-04T11:59:00.000+0100",
                    "error": {"code": 0},
                },
                {
                    "message": {"id": "b", "status": "gone"},
                    "ours": "msg_1",
                    "error": {"code": 5},
                },
                {"from": "+4479", "to": "Orchid", "text": "", "id": "in-1"},
            ]
        }
    )

    assert Heard(
        reports=(
            ProviderReport(
                provider_message_id="77",
                receipt=Receipt(
                    status=ReceiptStatus.DELIVERED,
                    reported_at=datetime(2031, 5, 4, 10, 59, tzinfo=UTC),
                ),
            ),
            ProviderReport(
                provider_message_id="b",
                reference="msg_1",
                receipt=Receipt(status=ReceiptStatus.FAILED, error_code="5", reported_at=NOW),
            ),
            InboundMessage(provider_message_id="in-1", sender="+4479", recipient="Orchid", text=""),
        )
    ) == await heard(BOTH, post, NOW)


async def test_json_forms_and_queries_are_one_document() -> None:
    """The same members are heard in each of the three forms of a post."""
    config = {"receipt": {**FLAT, "signature": SIGNATURE}}
    members = {"id": "their-7", "status": "1"}
    form = {"content-type": "application/x-www-form-urlencoded; charset=utf-8"}
    for post in (
        posted(members),
        Post(url=URL, headers=form, body=urlencode(members).encode()),
        Post(method="GET", url=f"{URL}&{urlencode(members)}"),
    ):
        assert [("their-7", ReceiptStatus.DELIVERED)] == await receipts(config, post)


@pytest.mark.parametrize(
    ("said", "kept"),
    [("21211", "21211"), ("EC_X-1", "EC_X-1"), ("Text 'Your code is 4711.' refused", None)],
)
async def test_an_error_code_is_one_word(said: str, kept: str | None) -> None:
    """Words in its place may quote the text, and a receipt is stored: they are left out (D-243)."""
    flat = {**FLAT, "statuses": {"5": "failed"}}
    config = {"receipt": {**flat, "codePath": "why", "signature": SIGNATURE}}
    post = posted({"id": "their-7", "status": "5", "why": said})
    (report,) = (await heard(config, post, NOW)).reports

    assert isinstance(report, ProviderReport)
    assert (ReceiptStatus.FAILED, kept) == (report.receipt.status, report.receipt.error_code)


async def test_a_long_form_is_not_read() -> None:
    """One of 4 MiB would hold up all other requests, and for Twilio's signature it is read (D-244)."""
    by_twilio = {"kind": "twilio", "secret": "twilio-token"}
    config = {"receipt": {**FLAT, "signature": SIGNATURE}}
    form = {"content-type": "application/x-www-form-urlencoded"}
    body = b"id=1&status=1&text="
    longest = Post(url=URL, headers=form, body=body.ljust(LONGEST_FORM, b"a"))

    assert [("1", ReceiptStatus.DELIVERED)] == await receipts(config, longest)
    for signature in (SIGNATURE, by_twilio):
        config = {"receipt": {**FLAT, "signature": signature}}
        with pytest.raises(ValidationFailedError):
            await heard(config, evolve(longest, body=longest.body + b"a"), NOW)


async def test_a_query_that_no_signature_covers_is_not_read() -> None:
    """A signature of an empty body does not vouch for the members of a query (D-205)."""
    signed = hmac.new(b"s", b"", hashlib.sha256).hexdigest()
    by_hmac = {"kind": "hmac", "header": "X-Signature", "secret": "s"}
    post = Post(method="GET", url=f"{URL}&id=1&status=1", headers={"x-signature": signed})
    with pytest.raises(ValidationFailedError):
        await heard({"receipt": {**FLAT, "signature": by_hmac}}, post, NOW)


async def test_an_unknown_status_is_ignored_and_an_unreadable_part_counted() -> None:
    """One status that the config does not name is nothing; one part without an id is unreadable."""
    post = posted(
        {
            "results": [
                {"message": {"id": "a", "status": "queued"}},
                {"message": {"status": "3"}},
                {"message": {"id": "b\n", "status": "3"}},
                {"message": {"id": "c\u0000d", "status": "3"}},
                {"message": {"id": "x" * 300, "status": "3"}},
                {"message": {"id": {"a": 1}, "status": "3"}},
                "text",
                {"message": {"id": "d", "status": "3"}},
            ]
        }
    )
    result = await heard(BOTH, post, NOW)

    assert [("b", ReceiptStatus.DELIVERED), ("d", ReceiptStatus.DELIVERED)] == await receipts(
        BOTH, post
    )
    assert 5 == result.unreadable


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\xff",
        b"{",
        b"[" * 100_000,
        b"{}",
        b'{"results":null}',
        b"[1]",
        b'{"a":NaN}',
        b'{"results":[{"a":1},7]}',
    ],
)
async def test_a_post_of_which_nothing_can_be_read_is_refused(body: bytes) -> None:
    """The provider learns that it posts something else (C-70)."""
    with pytest.raises(ValidationFailedError):
        await heard(BOTH, Post(url=URL, body=body), NOW)


async def test_an_empty_list_is_heard() -> None:
    """A post without any receipt is no error of the provider."""
    assert Heard() == await heard(BOTH, posted({"results": []}), NOW)


async def test_numbers_keep_all_their_digits() -> None:
    """An id that is a long number is read as it was written."""
    body = b'{"id": 123456789012345678901234567890, "status": 1}'
    config = {"receipt": {**FLAT, "signature": SIGNATURE}}

    assert [("123456789012345678901234567890", ReceiptStatus.DELIVERED)] == await receipts(
        config, Post(url=URL, body=body)
    )


async def test_the_answer_is_the_one_that_the_provider_expects() -> None:
    """An inbound message is answered in its own way, a receipt in another (C-70)."""
    config = {
        "receipt": {**RECEIPT, "answer": {"contentType": "text/plain", "body": "OK"}},
        "inbound": {**INBOUND, "answer": {"contentType": "text/xml", "body": "<Response/>"}},
    }
    message = {"from": "+4479", "to": "Orchid", "text": "STOP"}
    receipt = {"message": {"id": "a", "status": "3"}}

    answers = [
        (result.content_type, result.body)
        for each in (message, receipt)
        for result in [await heard(config, posted({"results": [each]}), NOW)]
    ]
    assert [("text/xml", b"<Response/>"), ("text/plain", b"OK")] == answers


async def test_a_text_that_no_store_can_keep_loses_these_characters() -> None:
    """NUL and half surrogate pairs are replaced; the message is kept."""
    config = {"inbound": {**INBOUND, "signature": SIGNATURE}}
    body = b'{"results":[{"from":"a","to":"b","text":"tea\\u0000\\ud800"}]}'
    (message,) = (await heard(config, Post(url=URL, body=body), NOW)).reports

    assert isinstance(message, InboundMessage)
    assert "tea\ufffd\ufffd" == message.text


async def test_an_account_that_describes_no_posts_hears_nobody() -> None:
    """Without receipts and inbound messages there is nothing that a caller could sign."""
    with pytest.raises(UnauthorizedError):
        await heard({}, posted({}), NOW)
    with pytest.raises(UnauthorizedError):
        await heard({"receipt": FLAT}, posted({"id": "1", "status": "1"}), NOW)


@pytest.mark.parametrize("name", ["receipt", "inbound"])
def test_the_token_stands_in_the_section_that_covers_all_posts(name: str) -> None:
    """It is made once, for `receipt`, or for `inbound` alone (D-206)."""
    kept = with_token({name: {"textPath": "text"}})

    assert "query_token" == kept[name]["signature"]["kind"]
    assert kept == with_token(kept)
    assert {} == with_token({})
    both = with_token({"receipt": {}, "inbound": {}})
    assert {"signature"} == {*both["receipt"]} - {*both["inbound"]}


@pytest.mark.parametrize(
    ("config", "wrong"),
    [
        ({"receipt": {**RECEIPT, "statuses": {"ok": "fine"}}}, "config.receipt.statuses.ok"),
        ({"receipt": {**RECEIPT, "statuses": {}}}, "config.receipt.statuses"),
        ({"receipt": {**RECEIPT, "idPath": "a..b"}}, "config.receipt.idPath"),
        ({"receipt": {**RECEIPT, "signature": {"kind": "rsa"}}}, "config.receipt.signature.kind"),
        ({"receipt": {**RECEIPT, "answer": "OK"}}, "config.receipt.answer"),
        ({"receipt": {**RECEIPT, "answer": {"body": "x"}}}, "config.receipt.answer.contentType"),
        (
            {"receipt": {**RECEIPT, "answer": {"contentType": "text/xml\r\nx: y"}}},
            "config.receipt.answer.contentType",
        ),
        (
            {"receipt": {**RECEIPT, "answer": {"contentType": "text/xml", "body": 7}}},
            "config.receipt.answer.body",
        ),
        (
            {"receipt": {**RECEIPT, "answer": {"contentType": "text/xml", "status": 7}}},
            "config.receipt.answer.status",
        ),
        ({**BOTH, "inbound": {**INBOUND, "signature": SIGNATURE}}, "config.inbound.signature"),
        (
            {"receipt": {"statusPath": "s", "statuses": {"1": "sent"}}},
            "config.receipt.idPath",
        ),
    ],
)
def test_a_wrong_member_is_named(config: Mapping[str, Any], wrong: str) -> None:
    """Every problem has its path (C-63)."""
    assert [wrong] == [each.field for each in hearing_problems(config)]


def test_a_right_config_has_no_problem() -> None:
    """Neither do the members that a check adds."""
    assert [] == [*hearing_problems(BOTH), *hearing_problems(with_token({"receipt": {**FLAT}}))]


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("2031-05-04T11:00:00Z", datetime(2031, 5, 4, 11, tzinfo=UTC)),
        ("2031-05-04 11:00:00", datetime(2031, 5, 4, 11, tzinfo=UTC)),
        ("2031-05-04T11:00:00.000+0000", datetime(2031, 5, 4, 11, tzinfo=UTC)),
        ("Sun, 04 May 2031 13:00:00 +0200", datetime(2031, 5, 4, 11, tzinfo=UTC)),
        ("1935658800", datetime(2031, 5, 4, 11, tzinfo=UTC)),
        ("1935658800.25", datetime(2031, 5, 4, 11, tzinfo=UTC)),
        ("1935658800000", datetime(2031, 5, 4, 11, tzinfo=UTC)),
        ("1935658800000000", datetime(2031, 5, 4, 11, tzinfo=UTC)),
        ("tomorrow", NOW),
        ("", NOW),
        (None, NOW),
        ("9" * 60, NOW),
        ("1999-01-01T00:00:00Z", NOW),
        ("2032-01-01T00:00:00Z", NOW),
        ("0001-01-01T00:00:00+23:59", NOW),
    ],
)
def test_times_are_read_as_providers_write_them(text: str | None, at: datetime) -> None:
    """A text that means no time, or one that cannot be right, is the time of the arrival."""
    assert at == reported_time(text, NOW)


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(
            st.sampled_from(("results", "message", "id", "status", "from", "to")), inner
        )
    ),
)


@given(document=_VALUES, body=st.binary(max_size=80), form=st.booleans())
def test_whatever_is_posted_is_heard_or_refused_in_words(
    document: object, body: bytes, form: bool
) -> None:
    """No document and no bytes raise another error than a refusal (C-70)."""
    kind = "application/x-www-form-urlencoded" if form else "application/json"
    for content in (json.dumps(document).encode(), body):
        post = Post(url=URL, headers={"content-type": kind}, body=content)
        try:
            result: object = asyncio.run(heard(BOTH, post, NOW))
        except ValidationFailedError as refusal:
            result = refusal

        assert isinstance(result, Heard) or "body" in str(result)


async def test_a_post_has_so_many_parts_at_most() -> None:
    """Too many empty parts are 400 before one of them is read (D-246)."""
    empty: list[dict[str, str]] = [{}] * (MOST_PARTS + 1)
    with pytest.raises(ValidationFailedError) as refusal:
        await heard(BOTH, posted({"results": empty}), NOW)

    assert ["has more than 10000 parts"] == [each.message for each in refusal.value.problems]


async def test_other_work_goes_on_while_a_large_post_is_read() -> None:
    """A post with many parts does not hold the event loop until its end."""
    parts = [{"message": {"id": str(number), "status": "3"}} for number in range(2_000)]
    reading = asyncio.create_task(heard(BOTH, posted({"results": parts}), NOW))
    turns = 0
    while not reading.done():
        await asyncio.sleep(0)
        turns += 1

    assert 2_000 == len(reading.result().reports)
    assert turns >= 10
