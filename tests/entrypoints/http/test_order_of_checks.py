"""The order of refusals: route, method, key, media type, size, syntax, then the rest (C-64)."""

import pytest

from tests.entrypoints.caller import Caller

MIB = 1024 * 1024
PATHS = ["/v1/pins", "/v1/pins/pin_1/resend", "/v1/pins/pin_1/verify"]
TEXT = {"Content-Type": "text/plain"}
BIG = b'{"x":"' + b"x" * MIB + b'"}'


@pytest.mark.parametrize("key", [None, "no-such-key", "sandbox-key"])
async def test_an_unknown_route_is_404_with_or_without_a_key(
    caller: Caller, key: str | None
) -> None:
    """Route first: not_found, in the envelope, for any caller (C-8, C-9)."""
    for path in ("/v1", "/v1/", "/v1/pin", "/v1/pins/", "/v1/pins/pin_1/x", "/admin/v1/tea"):
        assert (404, "not_found") == (await caller.using(key).post(path, {})).refusal


async def test_a_wrong_method_is_405(caller: Caller) -> None:
    """Then the method: method_not_allowed with Allow, before any key is asked for (C-9)."""
    nobody = caller.using(None)
    for method in ("GET", "PUT", "DELETE", "PATCH", "OPTIONS"):
        for path in PATHS:
            reply = await nobody.ask(method, path)

            assert (405, "method_not_allowed") == reply.refusal
            assert "POST" == reply.headers["Allow"]
    assert "GET,HEAD" == (await nobody.post("/v1/templates", {})).headers["Allow"]


@pytest.mark.parametrize("path", PATHS)
async def test_a_key_comes_before_the_body(caller: Caller, path: str) -> None:
    """Then the key: mistakes in the body do not matter yet (C-8)."""
    for options in ({"data": b"x", "headers": TEXT}, {"data": BIG}, {"data": b"{"}):
        reply = await caller.using("no-such-key").post(path, **options)

        assert (401, "unauthorized") == reply.refusal
        assert "Bearer" == reply.headers["WWW-Authenticate"]


@pytest.mark.parametrize("path", PATHS)
async def test_the_media_type_comes_before_the_size(caller: Caller, path: str) -> None:
    """Then the type: 415 unsupported_media_type for anything but JSON (C-9)."""
    assert (415, "unsupported_media_type") == (
        await caller.post(path, data=BIG, headers=TEXT)
    ).refusal


@pytest.mark.parametrize(
    "said",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/json-patch+json",
        "application/json; charset=utf-16",
        "application/json; charset=latin-1",
        "",
        "☃",
    ],
)
async def test_only_json_in_utf_8_is_taken(caller: Caller, said: str) -> None:
    """Every other content type is 415."""
    reply = await caller.post("/v1/pins", data=b"{}", headers={"Content-Type": said})

    assert (415, "unsupported_media_type") == reply.refusal


@pytest.mark.parametrize("said", ["application/json; charset=UTF-8", "Application/JSON"])
async def test_json_may_say_its_charset(caller: Caller, said: str) -> None:
    """JSON is UTF-8, so the charset may say so."""
    body = b'{"destination": "+919812345611", "templateId": "tpl_demo"}'

    assert 201 == (await caller.post("/v1/pins", data=body, headers={"Content-Type": said})).status


@pytest.mark.parametrize("path", PATHS)
async def test_the_size_comes_before_the_syntax(caller: Caller, path: str) -> None:
    """Then the size: over 1 MiB is 413 payload_too_large, JSON or not (C-9)."""
    for data in (BIG, b"{" * (MIB + 1)):
        assert (413, "payload_too_large") == (await caller.post(path, data=data)).refusal


async def test_a_body_of_exactly_1_mib_is_read(caller: Caller) -> None:
    """1 MiB is not over 1 MiB."""
    body = b'{"destination": "+919812345611", "templateId": "tpl_demo"}'

    assert 201 == (await caller.post("/v1/pins", data=body.ljust(MIB))).status
    assert (413, "payload_too_large") == (
        await caller.post("/v1/pins", data=body.ljust(MIB + 1))
    ).refusal


async def test_fields_come_before_the_idempotency_key(caller: Caller) -> None:
    """Then syntax and fields: a known key does not hide a malformed body."""
    await caller.create(once="once")

    assert ["destination"] == (await caller.create("", once="once")).wrong


async def test_the_idempotency_key_comes_before_existence(caller: Caller) -> None:
    """Then the key's own word: with another body it is reuse, even under an unknown template."""
    await caller.create(once="once")
    stranger = caller.under("tpl_unheard_of")

    assert (422, "idempotency_key_reuse") == (await stranger.create(once="once")).refusal
    assert (404, "template_not_found") == (await stranger.create(once="twice")).refusal


async def test_fields_come_before_existence(caller: Caller) -> None:
    """A malformed body is 400 on a PIN and a template that do not exist, too."""
    assert ["destination"] == (await caller.under("tpl_unheard_of").create("")).wrong
    assert ["pin"] == (await caller.verify("pin_unheard_of", "")).wrong
    assert ["channels"] == (await caller.resend("pin_unheard_of", channels=[])).wrong


async def test_existence_comes_before_state(caller: Caller) -> None:
    """State comes last: an unknown template is 404 before any other refusal."""
    reply = await caller.under("tpl_unheard_of").create(channels=["email"])

    assert (404, "template_not_found") == reply.refusal
