"""A send is one request as the config describes it, and the answer is its outcome (C-63, C-68)."""

from __future__ import annotations

import base64
import json
from typing import Any
from urllib.parse import parse_qsl

import pytest

from tests.adapters.channels.http.counterparts import (
    JSON_BODY,
    MESSAGE,
    Counterpart,
    Service,
    opened,
    said,
)
from watchword.adapters.channels.http.provider import HttpProvider
from watchword.application.ports.channels import Accepted, Connected, Fault, Rejected, Unknown


async def test_a_message_goes_out_as_json(provider: HttpProvider, theirs: Counterpart) -> None:
    """The body is the config's with the values in its leaves; the id is at its path."""
    config = theirs.config(
        body='{"to": ["{{destination.digits}}"], "text": "{{text}}", "flash": false, "n": 7}'
    )
    answer = await provider.send(config, MESSAGE)

    (seen,) = theirs.seen
    assert Accepted("their-1") == answer
    assert ("POST", "/messages") == (seen.method, seen.raw_path)
    assert ["application/json"] == seen.header("Content-Type")
    assert {
        "to": ["919812345610"],
        "text": "Your code is 4711.",
        "flash": False,
        "n": 7,
    } == json.loads(seen.body)


async def test_a_message_goes_out_as_a_form(provider: HttpProvider, theirs: Counterpart) -> None:
    """A body that is no JSON is a form."""
    body = "To={{destination}}&Body={{text}}&From={{sender}}&Kind=a%26b&Empty="
    await provider.send(theirs.config(body=body), MESSAGE)

    (seen,) = theirs.seen
    assert ["application/x-www-form-urlencoded"] == seen.header("Content-Type")
    assert [
        ("To", "+919812345610"),
        ("Body", "Your code is 4711."),
        ("From", "Orchid"),
        ("Kind", "a&b"),
        ("Empty", ""),
    ] == parse_qsl(seen.body.decode(), keep_blank_values=True)


async def test_a_message_goes_out_in_a_query(provider: HttpProvider, theirs: Counterpart) -> None:
    """A GET has the values in its path, and in the query of its URL and of its config."""
    config = theirs.config(
        method="GET",
        url=f"{theirs.url}/v1/{{{{reference}}}}/send?to={{{{destination}}}}",
        query={"text": "{{text}}", "tag": ["a", "b"], "n": 7},
        body=None,
    )
    await provider.send(config, MESSAGE)

    (seen,) = theirs.seen
    assert ("GET", b"") == (seen.method, seen.body)
    assert "/v1/pin_orchid%3A1%3Asms/send" == seen.raw_path.partition("?")[0]
    assert [
        ("to", "+919812345610"),
        ("text", "Your code is 4711."),
        ("tag", "a"),
        ("tag", "b"),
        ("n", "7"),
    ] == seen.query


async def test_every_placeholder_has_its_value(theirs: Counterpart) -> None:
    """All values of C-63 reach the provider, those of the config too."""
    names = (
        *("destination", "destination.digits", "text", "sender", "reference", "template_id"),
        *("entity_id", "ttl", "callback_url", "config.auth.basic.username"),
    )
    config = theirs.config(
        body={name: f"{{{{{name}}}}}" for name in names},
        auth={"basic": {"username": "shop", "password": "s:cret"}},
    )
    message = said("Your code is 4711.", template_id="1107", entity_id="1101")
    async with opened() as provider:
        await provider.send(config, message)

    assert {
        "destination": "+919812345610",
        "destination.digits": "919812345610",
        "text": "Your code is 4711.",
        "sender": "Orchid",
        "reference": "pin_orchid:1:sms",
        "template_id": "1107",
        "entity_id": "1101",
        "ttl": "300",
        "callback_url": "https://pins.example.com/callbacks/cha_orchid",
        "config.auth.basic.username": "shop",
    } == json.loads(theirs.seen[0].body)


async def test_an_empty_leaf_vanishes(theirs: Counterpart) -> None:
    """So does an object that held nothing else, and an address without `--public-url`."""
    config = theirs.config(
        body={
            **JSON_BODY,
            "dlt": {"template": "{{template_id}}", "entity": "{{entity_id}}"},
            "from": "{{sender}}",
            "callback": "{{callback_url}}&ref={{reference}}",
            "list": ["{{ttl}}", "kept"],
            "label": "ttl {{ttl}}",
            "empty": {},
        }
    )
    async with opened(Service(None)) as provider:
        await provider.send(config, said("Hello", sender=None, ttl_seconds=None))

    assert {
        "to": "+919812345610",
        "text": "Hello",
        "list": ["kept"],
        "label": "ttl ",
        "empty": {},
    } == json.loads(theirs.seen[0].body)


@pytest.mark.parametrize(
    ("auth", "expected"),
    [
        ({"bearer": "tok.en"}, "Bearer tok.en"),
        (
            {"basic": {"username": "shöp", "password": "a:b"}},
            "Basic " + base64.b64encode("shöp:a:b".encode()).decode(),
        ),
    ],
)
async def test_the_account_logs_in(
    provider: HttpProvider, theirs: Counterpart, auth: dict[str, Any], expected: str
) -> None:
    """Basic and Bearer authentication, and headers of the config."""
    config = theirs.config(auth=auth, headers={"X-Ref": "r {{reference}}", "X-None": "{{ttl}}"})
    await provider.send(config, said("Hello", ttl_seconds=None))

    (seen,) = theirs.seen
    assert [expected] == seen.header("Authorization")
    assert ["r pin_orchid:1:sms"] == seen.header("X-Ref")
    assert [] == seen.header("X-None")
    assert ["Watchword"] == seen.header("User-Agent")


REFUSED = b'{"error": {"code": 21211, "words": "No such\\nnumber."}}'


@pytest.mark.parametrize(
    ("status", "headers", "body", "expected"),
    [
        (401, {}, b"", ("http_401", Fault.ACCOUNT, None)),
        (403, {}, REFUSED, ("http_21211", Fault.ACCOUNT, None)),
        (429, {"Retry-After": "7"}, b"", ("http_429", Fault.BUSY, 7.0)),
        (429, {"Retry-After": "soon"}, b"", ("http_429", Fault.BUSY, None)),
        (503, {"Retry-After": "99999999"}, b"<html>", ("http_503", Fault.BUSY, 3600.0)),
        (
            503,
            {
                "Retry-After": "Mon, 23 Nov 2026 10:00:30 GMT",
                "Date": "Mon, 23 Nov 2026 10:00:00 GMT",
            },
            b"",
            ("http_503", Fault.BUSY, 30.0),
        ),
        (400, {}, REFUSED, ("http_21211", Fault.RECIPIENT, None)),
        (400, {}, b"{", ("http_400", Fault.CONTENT, None)),
        (
            404,
            {},
            b'{"error": {"code": "NoSuchRoute"}}',
            ("http_no_such_route", Fault.CONTENT, None),
        ),
        (400, {}, b'{"error": {"code": "busy"}}', ("http_busy", Fault.BUSY, None)),
        (422, {}, b"x" * 200_000, ("http_422", Fault.CONTENT, None)),
        (
            422,
            {},
            b'{"error": {"code": "!", "words": "\\n"}}',
            ("http_refused", Fault.CONTENT, None),
        ),
        (
            422,
            {},
            b'{"error": {"code": "%s"}}' % (b"aB" * 99),
            ("http_" + "a_b" * 15 + "a", Fault.CONTENT, None),
        ),
    ],
)
async def test_a_refusal_is_told_by_its_status_and_its_code(
    provider: HttpProvider,
    theirs: Counterpart,
    status: int,
    headers: dict[str, str],
    body: bytes,
    expected: tuple[str, Fault, float | None],
) -> None:
    """The provider certainly did not take the message; the fault says what to do (C-68)."""
    theirs.status, theirs.headers, theirs.body = status, headers, body
    answer = await provider.send(theirs.config(), MESSAGE)

    assert isinstance(answer, Rejected)
    assert expected == (answer.code, answer.fault, answer.retry_after)
    assert "4711" not in answer.message
    assert answer.message
    assert answer.message.isprintable()


async def test_a_refusal_quotes_the_provider(provider: HttpProvider, theirs: Counterpart) -> None:
    """Its words stand on one line."""
    theirs.status, theirs.body = 400, REFUSED

    assert Rejected("http_21211", "No such number.", Fault.RECIPIENT) == await provider.send(
        theirs.config(), MESSAGE
    )


async def test_a_long_refusal_ends_with_a_whole_word(
    provider: HttpProvider, theirs: Counterpart
) -> None:
    """What is cut off may be half a code, which the service would not find and hide."""
    for before in range(294, 302):
        words = f"{'a' * before} 482913"
        error = {"code": f"{'a' * (before - 256)}_482913", "words": words}
        theirs.status, theirs.body = 400, json.dumps({"error": error}).encode()
        answer = await provider.send(theirs.config(), MESSAGE)

        assert isinstance(answer, Rejected)
        for each in (answer.message, answer.code):
            assert "482913" in each or "4" not in each.replace("400", "")


@pytest.mark.parametrize(
    ("status", "headers", "body"),
    [
        (200, {}, b""),
        (200, {}, b"OK"),
        (200, {}, b'{"id": '),
        (200, {}, b"[" * 60_000),
        (200, {}, b'{"id": ""}'),
        (200, {}, b'{"id": null}'),
        (200, {}, b'{"id": true}'),
        (200, {}, b'{"id": 1.5}'),
        (200, {}, b'{"id": "%s"}' % (b"x" * 257)),
        (200, {}, b'{"id": {"a": 1}}'),
        (200, {}, b'{"id": "a\\u0000b"}'),
        (200, {}, b'{"name": "no id"}'),
        (200, {}, b'{"id": "x", "pad": "' + b"x" * 100_000 + b'"}'),
        (204, {}, b""),
        (301, {"Location": "/elsewhere"}, b""),
        (302, {"Location": "http://127.0.0.1:1/"}, b""),
        (500, {}, b'{"id": "their-1"}'),
        (502, {}, b""),
        (504, {}, b""),
        (599, {}, b""),
    ],
)
async def test_doubt_is_unknown(
    provider: HttpProvider, theirs: Counterpart, status: int, headers: dict[str, str], body: bytes
) -> None:
    """An answer that says neither yes nor no is never called a refusal, and nothing is repeated."""
    theirs.status, theirs.headers, theirs.body = status, headers, body
    answer = await provider.send(theirs.config(), MESSAGE)

    assert isinstance(answer, Unknown)
    assert "provider_unknown" == answer.code
    assert "4711" not in answer.message
    assert 1 == len(theirs.seen)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b'{"id": 9, "state": 1}', Accepted("9")),
        (b'{"id": "9", "state": "queued"}', Accepted("9")),
        (b'{"id": "9", "state": 5}', "http_5"),
        (b'{"id": "9", "state": 5, "error": {"code": "21211"}}', "http_21211"),
        (b'{"id": "9"}', Unknown),
        (b"nothing", Unknown),
    ],
)
async def test_an_answer_may_say_whether_it_accepted(
    provider: HttpProvider, theirs: Counterpart, body: bytes, expected: Any
) -> None:
    """Only a value of the list means success; another is a refusal, and none is unknown."""
    theirs.body = body
    config = theirs.config(
        accepted={"idPath": "/id", "whenPath": "state", "in": [1, "queued"], "status": [200]}
    )
    answer = await provider.send(config, MESSAGE)

    if isinstance(expected, str):
        assert isinstance(answer, Rejected)
        assert expected == answer.code
    elif isinstance(expected, type):
        assert isinstance(answer, expected)
    else:
        assert expected == answer


async def test_the_id_may_be_our_own(provider: HttpProvider, theirs: Counterpart) -> None:
    """Then an answer needs no body, and an unknown outcome has the id too."""
    theirs.body = b"0: Accepted for delivery"
    config = theirs.config(accepted={"id": "{{reference}}", "status": [200, 202]})
    accepted = await provider.send(config, MESSAGE)
    theirs.status = 201
    unknown = await provider.send(config, MESSAGE)

    assert Accepted("pin_orchid:1:sms") == accepted
    assert isinstance(unknown, Unknown)
    assert "pin_orchid:1:sms" == unknown.provider_message_id


@pytest.mark.parametrize("quoted", ["Your code is 4711.", "4711", "17:Your code is 4711.:2"])
async def test_a_text_is_no_id(provider: HttpProvider, theirs: Counterpart, quoted: str) -> None:
    """Ids are stored and shown: an idPath that leads to the text makes the outcome unknown (D-243)."""
    theirs.body = json.dumps({"id": quoted}).encode()
    answer = await provider.send(theirs.config(), MESSAGE)

    assert isinstance(answer, Unknown)
    assert "4711" not in f"{answer}"


async def test_a_probe_connects_and_sends_nothing(
    provider: HttpProvider, theirs: Counterpart
) -> None:
    """It says where (C-67)."""
    port = theirs.url.rpartition(":")[2]

    assert Connected(f"127.0.0.1:{port} without TLS") == await provider.probe(theirs.config())
    assert [] == theirs.seen


async def test_a_url_may_have_no_path_or_an_odd_one(
    provider: HttpProvider, theirs: Counterpart
) -> None:
    """The path and the query of a URL begin after its authority, as every parser reads it."""
    await provider.send(theirs.config(url=f"{theirs.url}?to={{{{destination}}}}"), MESSAGE)
    await provider.send(theirs.config(url=f"{theirs.url}//a/b:c"), MESSAGE)

    assert ["/?to=%2B919812345610", "//a/b:c"] == [each.raw_path for each in theirs.seen]
