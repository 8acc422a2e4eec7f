"""A3, row by row of its table, by a client that sends bytes (SPEC section 7, C-8, C-58)."""

from __future__ import annotations

import json
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.adapters.test_media_files import names
from tests.crash.waiting import until
from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import listening
from tests.entrypoints.http.hostile.raw_client import HOST, RawAnswer, exchange, request, wire
from tests.entrypoints.http.media.forms import (
    A3,
    FIELDS,
    FORM,
    JSON,
    KEY,
    file_part,
    form,
    upload,
)
from watchword.application.media import receiving_media
from watchword.application.media.receiving_media import MOST_UPLOADS
from watchword.entrypoints.demo.seeding import API_KEY
from watchword.entrypoints.http.listener.patience import Patience
from watchword.entrypoints.wired import Wired

# Answers are the same on every store; a store in memory has a folder of no known name.
STORES = ("sqlite",)
SENDER, KIND = {"senderProfileName": "TeaHouse"}, {"message_type": "otp"}
URL = "http://127.0.0.1:9/tea.png"


def told(answer: RawAnswer) -> tuple[int, str]:
    """Return the status and the words of a failure, in the form of A3."""
    body: dict[str, Any] = json.loads(answer.body)
    assert {"status": "error", "http_status": answer.status} == {
        name: value for name, value in body.items() if name != "message"
    }
    return answer.status, body["message"]


def sent_json(**fields: Any) -> bytes:
    """Put a JSON upload together."""
    return upload(json.dumps(fields).encode(), JSON)


ROWS = [
    (upload(b"tea"), "Missing Content-Type / Missing form data"),
    (upload(None), "Missing Content-Type / Missing form data"),
    (upload(None, FORM), "Missing Content-Type / Missing form data"),
    (upload(b"", FORM), "Missing Content-Type / Missing form data"),
    (
        upload(b"tea", b"Content-Type: multipart/form-data\r\n"),
        "Missing Content-Type / Missing form data",
    ),
    *(
        (
            upload(b"tea", b"Content-Type: %s\r\n" % kind),
            "Content-Type must be multipart/form-data or application",
        )
        for kind in (
            b"text/plain",
            b"application/x-www-form-urlencoded",
            b"multipart/mixed",
            b"x",
        )
    ),
    (upload(form(file_part(), **SENDER), FORM), "message_type is mandatory"),
    (upload(form(file_part(), **SENDER, message_type=" "), FORM), "message_type is mandatory"),
    (upload(form(file_part()), FORM), "message_type is mandatory"),
    (upload(form(), FORM), "message_type is mandatory"),
    (upload(form(file_part(), **KIND), FORM), "channelId is mandatory"),
    (upload(form(file_part(), senderProfileName="", **KIND), FORM), "channelId is mandatory"),
    (upload(form(**FIELDS), FORM), "Either file or url must be provided"),
    (upload(form(**FIELDS, url=""), FORM), "Either file or url must be provided"),
    (
        upload(form(file_part(b"", name=b""), **FIELDS), FORM),
        "Either file or url must be provided",
    ),
    (
        upload(form(file_part(), **FIELDS, url=URL), FORM),
        "Only one file or url can be provided",
    ),
    (upload(form(file_part(), file_part(), **FIELDS), FORM), "message_type is mandatory"),
    (upload(form(file_part(b""), **FIELDS), FORM), "file must not be empty"),
    (upload(form(file_part(b"")), FORM), "message_type is mandatory"),
    (
        upload(form(file_part(b""), **FIELDS, url=URL), FORM),
        "Only one file or url can be provided",
    ),
    (
        upload(form(file_part(b""), **KIND), FORM),
        "channelId is mandatory",
    ),
    (sent_json(), "message_type is mandatory"),
    (sent_json(**SENDER, url=URL), "message_type is mandatory"),
    (sent_json(**KIND, url=URL), "channelId is mandatory"),
    (sent_json(**FIELDS), "Either file or url must be provided"),
    (sent_json(**FIELDS, url=URL, file="tea.png"), "Only one file or url can be provided"),
    (sent_json(**FIELDS, url=None), "Either file or url must be provided"),
    (sent_json(**FIELDS, url=5), "url must be a text"),
    *(
        (upload(body, JSON), "Invalid JSON")
        for body in (b"{", b"", b"[]", b"5", b'{"url": "a", "url": "b"}', b"\xff", b'"\\u0000"')
    ),
]


async def test_what_is_wrong_is_told_in_the_words_of_the_table(port: int, folder: Path) -> None:
    """The answer is 400, and nothing is stored."""
    for sent, words in ROWS:
        assert (400, words) == told(await exchange(port, sent)), sent
    assert [] == names(folder)


async def test_a_second_file_is_refused_before_it_is_read(port: int, folder: Path) -> None:
    """If the other fields have arrived."""
    body = form(**FIELDS).removesuffix(b"--tea--\r\n") + form(file_part(), file_part())

    assert (400, "Only one file or url can be provided") == told(
        await exchange(port, upload(body, FORM))
    )
    assert [] == names(folder)


async def test_another_method_is_not_allowed(port: int) -> None:
    """The answer names the allowed one."""
    for method in ("GET", "PUT", "DELETE", "PATCH", "OPTIONS"):
        answer = await exchange(port, request(A3, HOST, KEY, method=method))
        assert (405, "Method Not Allowed") == told(answer)
        assert "POST" == answer.headers["Allow"]


KEYS: list[tuple[tuple[bytes, ...], int, str]] = [
    ((), 114, "NO VALID AUTH_KEY FOUND"),
    ((b"apikey:\r\n",), 114, "NO VALID AUTH_KEY FOUND"),
    ((b"Authorization: Bearer sandbox-key\r\n",), 114, "NO VALID AUTH_KEY FOUND"),
    ((b"apikey: wrong\r\n",), 115, "AUTHENTICATION FAILURE"),
    ((b"apikey: \xe9\r\n",), 115, "AUTHENTICATION FAILURE"),
    ((KEY, KEY), 115, "AUTHENTICATION FAILURE"),
]


async def test_a_refused_key_is_told_within_200(port: int, folder: Path) -> None:
    """Before anything of the body is read (C-8)."""
    for path in (A3, "/oapi/wa/mediaupload"):
        for keys, number, words in KEYS:
            body = form(file_part(), **FIELDS)
            answer = await exchange(
                port, request(path, HOST, FORM, *keys, method="POST", body=body)
            )
            assert 200 == answer.status
            assert {"code": number, "message": words} == json.loads(answer.body)
    assert [] == names(folder)


async def test_a_key_without_the_scope_is_forbidden(caller: Caller, port: int) -> None:
    """The answer is 403 in the form of A3 (C-8)."""
    body = {"name": "pins", "scopes": ["pins"]}
    made = await caller.operated("POST", "/api-keys", body)
    key = b"apikey: " + made["key"].encode() + b"\r\n"
    answer = await exchange(port, request(A3, HOST, key, FORM, method="POST", body=form(**FIELDS)))

    assert 403 == told(answer)[0]


URLS = [
    (URL, 503, "The url could not be fetched: nothing could be connected to at its host."),
    ("http://tea.localhost:9/", 503, "The url could not be fetched: nothing could be connected to"),
    ("ftp://127.0.0.1/", 400, "url must be an http or https URL with a host"),
    ("http://169.254.169.254/latest/", 400, "url must have a public address"),
    ("http://a@127.0.0.1/", 400, "url must not carry a user or password"),
    ("tea", 400, "url must be an http or https URL with a host"),
    ("http://x\r\nHost: y/", 400, "url must be a URL in printable ASCII"),
]


async def test_a_url_is_refused_or_unreachable(port: int, folder: Path) -> None:
    """400 if its author can correct it, 503 if its host can (C-58)."""
    for url, status, words in URLS:
        for sent in (sent_json(**FIELDS, url=url), upload(form(**FIELDS, url=url), FORM)):
            found, said = told(await exchange(port, sent))
            assert (status, words) == (found, said[: len(words)])
    assert [] == names(folder)


async def test_a_coded_body_is_refused(port: int) -> None:
    """A Content-Encoding is refused here, too (D-23)."""
    for kind in (FORM, JSON):
        sent = upload(form(file_part(), **FIELDS), kind, b"Content-Encoding: gzip\r\n")
        assert 415 == told(await exchange(port, sent))[0]


async def test_texts_are_bounded(port: int, folder: Path) -> None:
    """Ignored fields count too: no field fills the memory."""
    for parts in (
        form(file_part(), url="x" * (2**20 + 1)),
        form(file_part(), more="x" * (2**20 + 1)),
        form(file_part(b"x" * (2**20 + 1), field=b"more")),
    ):
        assert 413 == told(await exchange(port, upload(parts, FORM)))[0]
    assert [] == names(folder)


async def test_many_parts_are_refused(port: int) -> None:
    """Small parts are counted, too."""
    parts = [file_part(field=b"more")] * 65

    status, words = told(await exchange(port, upload(form(*parts), FORM)))

    assert (400, "body must have at most 64 parts") == (status, words)


@pytest.fixture
def no_folder(folder: Path) -> None:
    """Put a file where the folder of the media should be."""
    folder.write_text("no folder")


@pytest.mark.usefixtures("no_folder")
async def test_a_disk_that_takes_nothing_is_told_in_the_words_of_the_table(port: int) -> None:
    """The answer is a temporary failure."""
    answer = await exchange(port, upload(form(file_part(), **FIELDS), FORM))

    assert (503, "Upstream service unavailable") == told(answer)
    assert "1" == answer.headers["Retry-After"]


async def test_an_account_that_fills_its_places_keeps_no_other_from_uploading(
    caller: Caller, port: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its next upload gets a Retry-After; another account's succeeds at once (C-94)."""
    monkeypatch.setattr(receiving_media, "PATIENCE", 0)
    other = str((await caller.neighbour()).key).encode()
    begun = upload(form(file_part(b"tea" * 2**20), **FIELDS), FORM)[:-10]
    async with AsyncExitStack() as slow:
        places = MOST_UPLOADS * 3 // 4
        for _ in range(places):
            await (await slow.enter_async_context(wire(port))).send(begun)
        # So much of a file is written once its upload has its place.
        await until(lambda: len(names(folder)) == places)
        refused = await exchange(port, upload(form(file_part(), **FIELDS), FORM))
        taken = await exchange(
            port, upload(form(file_part(), **FIELDS), FORM).replace(API_KEY.encode(), other)
        )

    assert (503, "Upstream service unavailable") == told(refused)
    assert "5" == refused.headers["Retry-After"]
    assert 200 == taken.status


async def test_what_nobody_expected_is_told_in_the_words_of_the_table(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In no other words."""
    monkeypatch.delattr(receiving_media, "plain_name")
    answer = await exchange(port, upload(form(file_part(), **FIELDS), FORM))

    assert (500, "Internal server error - unexpected arguments") == told(answer)


async def test_a_file_that_comes_too_slowly_is_given_up(service: Wired, folder: Path) -> None:
    """Nothing of it stays (D-85)."""
    async with listening(service, patience=Patience(file_start=0.1, file_rate=2**30)) as caller:
        port = int(caller.endpoint.make_url("/").port or 0)
        async with wire(port) as line:
            await line.send(upload(form(file_part(b"x" * 2**20), **FIELDS), FORM)[: -(2**19)])
            assert 408 == told(await line.answer())[0]

    assert [] == names(folder)


def test_many_files_of_one_form_hold_a_place_for_an_hour() -> None:
    """One at the slowest rate has the time it takes; thirty of them would hold it for a day (D-85)."""
    patience = Patience()

    assert 30 + 100 * 2**20 / 2**15 == patience.file_due(100 * 2**20)
    assert 3_600 == patience.file_due(30 * 100 * 2**20)


async def test_a_file_is_hosted(port: int, folder: Path) -> None:
    """Fields may follow it; the answer has its address (SPEC 2.5)."""
    hosted = []
    for body in (
        form(file_part(), **FIELDS),
        form(**FIELDS).removesuffix(b"--tea--\r\n") + form(file_part()),
    ):
        answer = await exchange(port, upload(body, FORM))
        told_of = json.loads(answer.body)
        hosted.append(told_of["id"])
        assert 200 == answer.status
        assert {
            "id": told_of["id"],
            "status": "success",
            "http_status": 200,
            "service_media_url": f"http://127.0.0.1:{port}/media/{told_of['id']}",
        } == told_of

    assert sorted(hosted) == names(folder)


async def test_what_stands_at_a_url_is_hosted(caller: Caller, port: int) -> None:
    """JSON and forms both work; the URL is that of a file hosted before."""
    first = json.loads((await exchange(port, upload(form(file_part(), **FIELDS), FORM))).body)
    url = first["service_media_url"]
    for sent in (sent_json(**FIELDS, url=url), upload(form(**FIELDS, url=url), FORM)):
        again = json.loads((await exchange(port, sent)).body)
        assert again["id"] != first["id"]
        fetched = await caller.get(f"/media/{again['id']}")
        assert (b"tea", "image/png") == (fetched.body, fetched.headers["Content-Type"])


async def test_a_file_is_hosted_for_whatsapp(port: int, folder: Path) -> None:
    """A message can name its id (C-58)."""
    path = "/oapi/wa/mediaupload"
    answer = await exchange(port, upload(form(file_part()), FORM, path=path))
    told_of = json.loads(answer.body)

    assert {"id": told_of["id"], "status": "success", "http_status": 200} == told_of
    assert [told_of["id"]] == names(folder)
    for body, kind, refusal in (
        (form(), FORM, (400, "validation_failed")),
        (form(file_part(), file_part()), FORM, (400, "validation_failed")),
        (form(file_part(b"")), FORM, (400, "validation_failed")),
        (b"{}", JSON, (415, "unsupported_media_type")),
        (b"tea", b"", (415, "unsupported_media_type")),
    ):
        assert refusal == (await exchange(port, upload(body, kind, path=path))).error
    assert [told_of["id"]] == names(folder)
