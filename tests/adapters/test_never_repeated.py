"""No HTTP client of ours repeats a request by itself (C-99)."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import watchword
from watchword.adapters.guarded_web import GuardedWeb
from watchword.adapters.public_addresses import is_public_or_own
from watchword.application.ports.web import WebError, WebFailure
from watchword.entrypoints.cli.service.client import Client, Unreachable
from watchword.testing import FaultyHttp, HttpAnswer

ROOT = Path(watchword.__file__).parent
LAYERS = ("application", "adapters", "entrypoints")


def repeating(source: str) -> list[int]:
    """Return the lines that make a client session without the middleware against repetition."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).endswith("ClientSession")
        and "sent_once" not in {ast.unparse(each) for each in ast.walk(node)}
    ]


def test_every_client_sends_once() -> None:
    """Each client session of the product has the middleware."""
    sources = {
        str(path.relative_to(ROOT)): path.read_text()
        for layer in LAYERS
        for path in (ROOT / layer).rglob("*.py")
    }

    assert sum("ClientSession(" in each for each in sources.values()) >= 3
    assert {} == {name: found for name, each in sources.items() if (found := repeating(each))}


def test_a_client_that_may_repeat_would_be_seen() -> None:
    """The rule above can fail."""
    source = "aiohttp.ClientSession(trust_env=False)\nClientSession(middlewares=(sent_once,))"

    assert [1] == repeating(source)


async def test_a_cut_download_is_not_asked_for_again() -> None:
    """Media of clients are fetched by GET."""
    web = GuardedWeb(is_public_or_own)
    async with FaultyHttp(HttpAnswer(cut_at=0)) as theirs:
        with pytest.raises(WebError) as error:
            async with web.get(theirs.url):
                pass
        await web.close()

        assert WebFailure.NO_ANSWER is error.value.failure
        assert 1 == len(theirs.requests)


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "POST"])
async def test_a_cut_command_is_not_repeated(method: str) -> None:
    """The operator sees that the service did not answer, and decides."""
    async with FaultyHttp(HttpAnswer(cut_at=0)) as theirs, Client(theirs.url, "token") as client:
        with pytest.raises(Unreachable):
            await client.call(method, "/accounts")

        assert 1 == len(theirs.requests)
