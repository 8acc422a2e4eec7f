"""No value can add a member, a field, a piece of a path or a header to a request (C-63)."""

from __future__ import annotations

import asyncio
import json
from urllib.parse import parse_qsl, unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.adapters.channels.http.counterparts import (
    MESSAGE,
    Counterpart,
    counterpart,
    opened,
    said,
)
from watchword.adapters.channels.http.provider import HttpProvider
from watchword.application.ports.channels import Accepted, Fault, Rejected

HOSTILE = st.one_of(
    st.text(st.characters(codec="utf-8"), max_size=40),
    st.lists(
        st.sampled_from(
            [
                *('"', "'", "\\", "{", "}", "{{text}}", "{{config.method}}", "\r\n", "\n", "\0"),
                *("&", "=", "%", "%0d%0a", "+", " ", "/", "?", "#", "é", "🜂", "\u2028", "4711"),
            ]
        ),
        max_size=12,
    ).map("".join),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(HOSTILE, HOSTILE), min_size=4, max_size=4))
def test_the_provider_decodes_exactly_the_text(texts: list[tuple[str, str]]) -> None:
    """In JSON, in a form, in a query and in a path: nothing more and nothing less arrives."""
    # A path has no steps of dots (D-201).
    texts[3] = (texts[3][0].replace(".", ""), texts[3][1].replace(".", ""))

    async def run() -> None:
        async with counterpart() as theirs, opened() as provider:
            shapes = (
                theirs.config(body='{"a": ["{{text}}"], "b": {"c": "x {{text}} {{sender}}"}}'),
                theirs.config(body="a={{text}}&b=x+{{text}}+{{sender}}"),
                theirs.config(
                    url=f"{theirs.url}/send?a={{{{text}}}}",
                    query={"b": "x {{text}} {{sender}}"},
                    body={},
                ),
                theirs.config(url=f"{theirs.url}/x{{{{text}}}}/x-{{{{sender}}}}", body={}),
            )
            for config, (text, sender) in zip(shapes, texts, strict=True):
                answer = await provider.send(config, said(text, sender=sender))
                assert isinstance(answer, Accepted)
            for_json, for_form, for_query, for_path = theirs.seen

        text, sender = texts[0]
        expected = {"b": {"c": f"x {text} {sender}"}} | ({"a": [text]} if text else {})
        assert expected == json.loads(for_json.body)
        for (text, sender), fields in (
            (texts[1], parse_qsl(for_form.body.decode(), keep_blank_values=True)),
            (texts[2], for_query.query),
        ):
            kept = [("a", text)] if text else []
            assert [*kept, ("b", f"x {text} {sender}")] == fields
        text, sender = texts[3]
        path, _, query = for_path.raw_path.partition("?")
        assert ("", [f"/x{text}/x-{sender}"]) == (query, [unquote(path)])
        assert 3 == len(path.split("/"))

    asyncio.run(run())


PAYLOADS = [
    *(f"a{cut}X-Added: yes" for cut in ("\r\n", "\n", "\r", "\r\n ", "\n\t", "\0", "\x0b", "\x0c")),
    *(
        f"a{cut}X-Added: yes"
        for cut in ("\x85", "\u2028", "\u2029", "\x1c", "\x1d", "\x1e", "\x7f")
    ),
    *(f"a{cut}X-Added: yes" for cut in ("%0d%0a", "%0a", "\\r\\n", "&#13;&#10;", "%E5%98%8A")),
    *("\u560a\u560dX-Added: yes", "é\r\nX-Added: yes", "\r\n\r\nGET / HTTP/1.1\r\nX-Added: yes"),
    *("a\r\nContent-Length: 0\r\n\r\nGET /two HTTP/1.1", "a\r\nTransfer-Encoding: chunked"),
    *("\r\nX-Added: yes", "\nX-Added: yes", "a\r\n\tX-Added: yes", "a: b\r\nX-Added: yes"),
    *(f"a{chr(each)}X-Added: yes" for each in range(1, 9)),
    *(f"a{chr(each)}X-Added: yes" for each in range(14, 28)),
    *("a\r\rX-Added: yes", "a\n\nX-Added: yes", "a\n\rX-Added: yes", "a\0\r\nX-Added: yes"),
]


async def test_no_payload_adds_a_header(provider: HttpProvider, theirs: Counterpart) -> None:
    """A value with a line break, NUL or another control is refused and never sent."""
    config = theirs.config(headers={"X-Text": "{{text}}"})
    plain = await provider.send(config, said("plain"))
    names = sorted(name for name, _ in theirs.seen[0].headers)
    answers = [await provider.send(config, said(each)) for each in PAYLOADS]

    assert isinstance(plain, Accepted)
    assert len({*PAYLOADS}) >= 50
    assert all(names == sorted(name for name, _ in each.headers) for each in theirs.seen)
    for payload, answer in zip(PAYLOADS, answers, strict=True):
        if any(each in payload for each in "\r\n\0"):
            assert isinstance(answer, Rejected)
            assert ("http_header_refused", Fault.CONTENT) == (answer.code, answer.fault)
            assert "Added" not in answer.message
    assert 1 + sum(isinstance(each, Accepted) for each in answers) == len(theirs.seen)


@pytest.mark.parametrize(
    "value", ["", ".", "..", "../admin", "a/..", "a/../../admin", "..\\admin", "a\\.\\b"]
)
async def test_a_value_stays_in_its_piece_of_the_path(
    provider: HttpProvider, theirs: Counterpart, value: str
) -> None:
    """One that would leave its piece out, or climb to another path, is refused and never sent."""
    config = theirs.config(url=f"{theirs.url}/accounts/{{{{sender}}}}/messages")
    answer = await provider.send(config, said("Hello", sender=value))
    beside = await provider.send(config, said("Hello", sender="a/b..%2e"))

    assert isinstance(answer, Rejected)
    assert ("http_path_refused", Fault.CONTENT) == (answer.code, answer.fault)
    assert isinstance(beside, Accepted)
    assert ["/accounts/a%2Fb..%252e/messages"] == [each.raw_path for each in theirs.seen]


async def test_what_cannot_be_encoded_is_refused(
    provider: HttpProvider, theirs: Counterpart
) -> None:
    """An unpaired surrogate has no UTF-8."""
    shapes: list[dict[str, str]] = [
        {},
        {"body": "text={{text}}"},
        {"url": f"{theirs.url}/{{{{text}}}}"},
    ]
    codes = {
        getattr(await provider.send(theirs.config(**each), said("\ud800")), "code", None)
        for each in shapes
    }

    assert {"http_text_refused"} == codes
    assert [] == theirs.seen


async def test_a_value_is_not_filled_again(provider: HttpProvider, theirs: Counterpart) -> None:
    """A text that looks like a placeholder is a text, also one of the config."""
    config = theirs.config(
        body={"text": "{{text}}", "by": "{{config.auth.basic.username}}"},
        auth={"basic": {"username": "{{text}}", "password": "p"}},
    )
    await provider.send(config, said("{{config.auth.basic.password}} {{sender}}", sender="S"))

    assert {"text": "{{config.auth.basic.password}} {{sender}}", "by": "{{text}}"} == json.loads(
        theirs.seen[0].body
    )
    assert MESSAGE.text not in theirs.seen[0].body.decode()
