"""Connections to providers: kept, checked, and never used to send a message twice (C-63, C-68, C-99)."""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
import socket
from collections.abc import AsyncIterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
from msgspec.structs import replace

from tests.adapters.channels.http.counterparts import (
    MESSAGE,
    Counterpart,
    counterpart,
    opened,
    raw_server,
    request_read,
)
from tests.adapters.channels.smtp.certificates import Authority
from watchword.adapters.channels.http import HttpProvider
from watchword.adapters.channels.http_client import keep_alive
from watchword.application.ports.channels import Accepted, Connected, Fault, Rejected, Unknown
from watchword.testing import (
    FakeContext,
    FaultyHttp,
    FaultyTcp,
    HttpAnswer,
    HttpRequest,
    a_message,
    cuts,
)

BOTH = pytest.mark.parametrize("method", ["GET", "POST"])


def config_of(url: str, method: str = "POST") -> dict[str, Any]:
    """Return a config for a URL."""
    config = Counterpart(url).config(method=method, query={"text": "{{text}}"})
    return config if method == "POST" else {name: config[name] for name in config if name != "body"}


def port_of(url: str) -> int:
    """Return the port of a URL."""
    return int(url.rpartition(":")[2])


@pytest.fixture
def free_port() -> int:
    """Return a port on which nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@pytest.fixture
def authority(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Authority:
    """Return an authority that this machine trusts."""
    trusted = Authority()
    file = tmp_path / "trusted.pem"
    file.write_bytes(trusted.pem)
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    return trusted


async def test_a_connection_is_kept(provider: HttpProvider, theirs: Counterpart) -> None:
    """Sends one after the other need one connection; another channel account has its own."""
    config = theirs.config()
    for _ in range(20):
        await provider.send(config, MESSAGE)
    one = theirs.connections
    await provider.send(config, replace(MESSAGE, channel_account_id="cha_lily"))

    assert (1, 2) == (one, theirs.connections)


async def test_an_idle_connection_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """After 15 seconds, and here sooner: providers close theirs at times of their own."""
    monkeypatch.setattr(keep_alive, "IDLE_SECONDS", 0.05)
    closed = asyncio.Event()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await request_read(reader)
        writer.write(b'HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n{"id": "a"}')
        if not await reader.read(1):
            closed.set()

    async with opened() as provider, raw_server(talk) as url, asyncio.timeout(10):
        assert Accepted("a") == await provider.send(config_of(url), MESSAGE)
        await closed.wait()


@BOTH
async def test_a_kept_connection_that_the_provider_cuts_repeats_nothing(
    provider: HttpProvider, method: str
) -> None:
    """The provider may have taken the message: unknown, and it arrived once."""
    seen: list[bytes] = []

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while len(seen) < 1:
            seen.append(await request_read(reader))
            writer.write(b'HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n{"id": "a"}')
        seen.append(await request_read(reader))

    async with raw_server(talk) as url:
        first = await provider.send(config_of(url, method), MESSAGE)
        second = await provider.send(config_of(url, method), MESSAGE)

    assert Accepted("a") == first
    assert isinstance(second, Unknown)
    assert 2 == len(seen)


@BOTH
async def test_a_connection_that_went_stale_while_idle_is_replaced(
    provider: HttpProvider, method: str
) -> None:
    """The provider closed it after its answer; nothing of the next message was written to it."""

    def answer(request: HttpRequest) -> HttpAnswer:
        return HttpAnswer.json({"id": request.query["text"]}).but(stale=True)

    async with FaultyHttp(answer) as theirs:
        for number in range(5):
            message = replace(MESSAGE, text=f"text {number}")
            answered = await provider.send(config_of(theirs.url, method), message)
            # Until the end of the connection is read here, it looks as if it were open.
            assert isinstance(answered, Accepted | Unknown)

        texts = [each.query["text"] for each in theirs.requests]
    assert len({*texts}) == len(texts)


@BOTH
async def test_a_connection_that_is_cut_at_once_repeats_nothing(
    provider: HttpProvider, method: str
) -> None:
    """A new one, too: after the request began, nobody knows."""
    async with FaultyHttp(HttpAnswer(cut_at=0)) as theirs:
        answer = await provider.send(config_of(theirs.url, method), MESSAGE)

        assert isinstance(answer, Unknown)
        assert (1, 1) == (len(theirs.requests), theirs.connections)


@BOTH
@pytest.mark.parametrize("scheme", ["http", "https"])
async def test_no_cut_makes_a_taken_message_rejected_or_sends_it_twice(
    authority: Authority, tmp_path: Path, method: str, scheme: str
) -> None:
    """At any byte of either direction, the handshake's too (WATCHWORD_CUTS=1000 cuts more often)."""
    tls = authority.server(tmp_path) if scheme == "https" else None
    async with (
        FaultyHttp(lambda _: HttpAnswer.json({"id": "a"}), tls=tls) as theirs,
        FaultyTcp(theirs.port) as proxy,
        opened() as provider,
    ):
        config = config_of(f"{scheme}://127.0.0.1:{proxy.port}", method)
        tally = await cuts(provider, config, proxy, lambda: len(theirs.requests), a_message)

    assert [] == tally.wrong
    assert tally.answers["Accepted"] > 0
    assert tally.answers["Unknown"] > 0


async def test_a_port_without_a_listener_is_away(provider: HttpProvider, free_port: int) -> None:
    """Nothing was written."""
    config = config_of(f"http://127.0.0.1:{free_port}")
    answer, probed = await provider.send(config, MESSAGE), await provider.probe(config)

    assert isinstance(answer, Rejected)
    assert ("http_connect_failed", Fault.AWAY) == (answer.code, answer.fault)
    assert f"127.0.0.1:{free_port} cannot be connected to (ECONNREFUSED)." == answer.message
    assert answer == probed


async def named(host: str) -> Sequence[str]:
    """Look a name up."""
    names = {
        "inside.example": ["127.0.0.1"],
        "metadata.example": ["127.0.0.1", "169.254.169.254"],
        "nowhere.example": [],
    }
    if host not in names:
        raise OSError("No such name.")
    return names[host]


async def test_names_are_looked_up_and_their_addresses_checked(theirs: Counterpart) -> None:
    """Private addresses are the operator's choice; link-local and metadata ones are never called."""
    port = port_of(theirs.url)
    found: dict[str, list[object]] = {}
    async with opened(look_up=named) as provider:
        for host in ("inside", "metadata", "nowhere", "unknown"):
            config = config_of(f"http://{host}.example:{port}")
            for answer in (await provider.send(config, MESSAGE), await provider.probe(config)):
                found.setdefault(host, []).append(getattr(answer, "code", type(answer)))

    assert {
        "inside": [Accepted, Connected],
        "metadata": ["http_address_refused"] * 2,
        "nowhere": ["http_dns_failed"] * 2,
        "unknown": ["http_dns_failed"] * 2,
    } == found
    assert 2 == theirs.connections


async def test_a_reopened_provider_looks_names_up_again(theirs: Counterpart) -> None:
    """A close ends the threads of the look-ups; the next service that opens it starts them."""
    provider = HttpProvider()
    config = config_of(theirs.url.replace("127.0.0.1", "localhost"))
    for _ in range(2):
        await provider.open(FakeContext())
        assert isinstance(await provider.send(config, MESSAGE), Accepted)
        await provider.close()


async def test_no_failure_quotes_the_url_of_a_send(
    free_port: int, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A GET has the code in its URL, which errors of the HTTP client name."""
    caplog.set_level(logging.DEBUG)
    monkeypatch.setattr(keep_alive, "CONNECT_SECONDS", 0.1)
    faults = (HttpAnswer(cut_at=0), HttpAnswer(cut_at=9), HttpAnswer(status=500), HttpAnswer())
    async with opened() as provider, FaultyHttp() as theirs:
        urls = [theirs.url, theirs.url.replace("http:", "https:"), f"http://127.0.0.1:{free_port}"]
        answers: list[object] = []
        for fault in faults:
            theirs.says(fault)
            answers += [await provider.send(config_of(url, "GET"), MESSAGE) for url in urls]

    assert not [each for each in answers if isinstance(each, Accepted)]
    told = f"{answers!r}{caplog.text}"
    # The bare code may be a part of a port or of an object's address.
    forms = (MESSAGE.text, quote(MESSAGE.text), quote_plus(MESSAGE.text))
    assert [] == [each for each in forms if each in told]


async def test_an_address_that_is_never_called_is_refused_at_connect_too() -> None:
    """The config's check is not the only one."""
    async with opened(allowed=lambda _: False) as provider, counterpart() as theirs:
        answer = await provider.send(theirs.config(), MESSAGE)
        probed = await provider.probe(theirs.config())

        assert isinstance(answer, Rejected)
        assert ("http_address_refused", Fault.AWAY) == (answer.code, answer.fault)
        assert answer == probed
        assert 0 == theirs.connections


async def test_certificates_are_verified(authority: Authority, tmp_path: Path) -> None:
    """One of another authority, for another host or out of date gets no byte of a request."""
    stranger = Authority("A stranger")
    contexts = {
        "good": authority.server(tmp_path),
        "stranger": stranger.server(tmp_path),
        "host": authority.server(tmp_path, host="127.0.0.9"),
        "old": authority.server(tmp_path, age=timedelta(days=9)),
    }
    found = {}
    for name, context in contexts.items():
        async with counterpart(ssl=context) as theirs, opened() as provider:
            answer = await provider.send(theirs.config(), MESSAGE)
            probed = await provider.probe(theirs.config())
            assert (1 if name == "good" else 0) == len(theirs.seen)
            if isinstance(answer, Rejected):
                assert (Fault.AWAY, probed) == (answer.fault, answer)
                found[name] = f"{answer.code}: {answer.message}"
            else:
                where = f"127.0.0.1:{port_of(theirs.url)} TLSv1.3"
                assert (Accepted("their-1"), Connected(where)) == (answer, probed)

    not_valid = "http_tls_failed: The certificate of 127.0.0.1 is not valid: "
    assert {
        "stranger": not_valid + "unable to get local issuer certificate.",
        "host": not_valid + "IP address mismatch, certificate is not valid for '127.0.0.1'.",
        "old": not_valid + "certificate has expired.",
    } == found


async def test_a_server_without_tls_gets_nothing(
    provider: HttpProvider, theirs: Counterpart
) -> None:
    """A failed handshake is no request."""
    config = config_of(theirs.url.replace("http:", "https:"))
    answer, probed = await provider.send(config, MESSAGE), await provider.probe(config)

    assert isinstance(answer, Rejected)
    assert Fault.AWAY is answer.fault
    assert isinstance(probed, Rejected)
    assert [] == theirs.seen


async def test_a_handshake_that_never_ends_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends before the caller's limit, so that another account may try."""
    monkeypatch.setattr(keep_alive, "CONNECT_SECONDS", 0.05)
    async with opened() as provider, FaultyHttp() as theirs, FaultyTcp(theirs.port) as proxy:
        proxy.be_silent()
        answer = await provider.send(config_of(f"https://127.0.0.1:{proxy.port}"), MESSAGE)

    assert isinstance(answer, Rejected)
    assert ("http_connect_timeout", Fault.AWAY) == (answer.code, answer.fault)


@pytest.mark.parametrize("fault", ["silence", "drip"])
async def test_a_send_ends_with_its_callers_limit(provider: HttpProvider, fault: str) -> None:
    """A silent or dripping provider holds nobody longer; its connection is not used again."""
    async with (
        FaultyHttp(lambda _: HttpAnswer.json({"id": "a" * 200})) as theirs,
        FaultyTcp(theirs.port) as proxy,
    ):
        config = config_of(f"http://127.0.0.1:{proxy.port}")
        proxy.be_silent() if fault == "silence" else proxy.drip(0.02)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.3):
                await provider.send(config, MESSAGE)
        await proxy.mend()
        answer = await provider.send(config, MESSAGE)

        assert Accepted("a" * 200) == answer
        assert 2 == proxy.connections


async def test_a_caller_without_a_limit_gets_one(
    provider: HttpProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the request began, the end of time is unknown."""
    monkeypatch.setattr(keep_alive, "LONGEST_CALL", 0.05)
    async with FaultyHttp(HttpAnswer.silence()) as theirs:
        answer = await provider.send(config_of(theirs.url), MESSAGE)

    assert isinstance(answer, Unknown)
    assert "provider_timeout" == answer.code


async def endless() -> AsyncIterator[bytes]:
    """Yield an endless answer."""
    yield b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    while True:
        yield b"10000\r\n" + b"x" * 65_536 + b"\r\n"


async def test_an_endless_answer_is_not_read(provider: HttpProvider) -> None:
    """64 KiB are enough; then the connection is closed."""
    closed = asyncio.Event()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await request_read(reader)
        try:
            async for part in endless():
                writer.write(part)
                await writer.drain()
        finally:
            closed.set()

    async with raw_server(talk) as url, asyncio.timeout(10):
        answer = await provider.send(config_of(url), MESSAGE)
        await closed.wait()

    assert isinstance(answer, Unknown)


@pytest.mark.parametrize(
    ("text", "expected"), [('{"id": "a"}', Accepted), ('"' + "x" * 50_000_000 + '"', Unknown)]
)
async def test_a_compressed_answer_is_read_to_its_limit(
    provider: HttpProvider, text: str, expected: type
) -> None:
    """The provider was asked for none; 50 kB that become 50 MB are not read to their end."""
    headers = {"Content-Encoding": "gzip"}
    async with FaultyHttp(HttpAnswer(headers=headers, body=gzip.compress(text.encode()))) as theirs:
        answer = await provider.send(config_of(theirs.url), MESSAGE)

        assert isinstance(answer, expected)
        assert "identity" == theirs.requests[0].headers["accept-encoding"]


@pytest.mark.parametrize(
    "answer",
    [
        HttpAnswer(length=100, body=b'{"id": "a"}', stale=True),
        HttpAnswer(headers={"Content-Encoding": "gzip"}, body=b'{"id": "a"}'),
        HttpAnswer(headers={"Transfer-Encoding": "chunked"}, body=b'{"id": "a"}'),
        HttpAnswer(status=200, headers={"X-A": "\0"}, body=b'{"id": "a"}'),
    ],
)
async def test_an_answer_that_is_no_http_is_unknown(
    provider: HttpProvider, answer: HttpAnswer
) -> None:
    """It came after the request."""
    async with FaultyHttp(answer) as theirs:
        assert isinstance(await provider.send(config_of(theirs.url), MESSAGE), Unknown)
        assert 1 == len(theirs.requests)


async def test_nothing_of_this_machine_goes_along(
    provider: HttpProvider, theirs: Counterpart, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No proxy of the environment is asked, and no cookie comes back."""
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    theirs.headers = {"Set-Cookie": "tea=1; Path=/"}
    for _ in range(2):
        assert isinstance(await provider.send(theirs.config(), MESSAGE), Accepted)

    assert [] == [each for seen in theirs.seen for each in seen.header("Cookie")]


async def test_the_number_of_clients_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """An idle one makes room; while all are in use, another channel account is busy."""
    monkeypatch.setattr(keep_alive, "MOST_CLIENTS", 2)
    asked: asyncio.Queue[str] = asyncio.Queue()
    may_answer = asyncio.Event()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            _, _, body = (await request_read(reader)).partition(b"\r\n\r\n")
            asked.put_nowait(json.loads(body)["text"])
            await may_answer.wait()
            writer.write(b'HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n{"id": "a"}')

    def of(account: str) -> Any:
        return replace(MESSAGE, channel_account_id=account)

    async with opened() as provider, raw_server(talk) as url:
        config = config_of(url)
        sends = [asyncio.create_task(provider.send(config, of(each))) for each in ("a", "b")]
        for _ in sends:
            await asked.get()
        busy = await provider.send(config, of("c"))
        may_answer.set()
        answers = [await each for each in sends]
        later = [await provider.send(config, of(each)) for each in "cab"]

    assert isinstance(busy, Rejected)
    assert ("http_no_connection_free", Fault.BUSY) == (busy.code, busy.fault)
    assert [Accepted("a")] * 5 == [*answers, *later]
