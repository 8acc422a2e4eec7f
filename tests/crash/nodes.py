"""Several servers on one PostgreSQL, and a client of them all."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager
from itertools import cycle
from pathlib import Path
from typing import Any

from aiohttp import ClientSession
from attrs import field, frozen

from tests.crash.load import Client, outbox
from tests.crash.server import Server, serving

# Where it says nothing for so long, an orphaned step of a fallback is sent again after 6 s.
_FLAGS = ("--provider-timeout", "1")
CODE_KEY = "1:" + b64encode(b"k" * 32).decode()


def node(url: str, folder: Path) -> AbstractAsyncContextManager[Server]:
    """Start a server on a database; all of a folder have one code key."""
    key = folder / "shared.key"
    key.touch(mode=0o600)
    key.write_text(CODE_KEY)
    return serving(folder, "--store", url, "--code-key-file", str(key), *_FLAGS)


@frozen
class SpreadClient(Client):
    """Sends its requests to several servers in turn; each has phones of its own."""

    others: tuple[ClientSession, ...] = ()
    _turns: Iterator[ClientSession] = field(init=False)

    @_turns.default
    def _cycle(self) -> Iterator[ClientSession]:
        return cycle((self.session, *self.others))

    def next_session(self) -> ClientSession:
        """Return the way to the next server."""
        return next(self._turns)

    async def outbox(self, destination: str) -> list[Any]:
        """Look at what all phones of a recipient show."""
        shown = [await outbox(each, destination) for each in (self.session, *self.others)]
        return sorted((each for phone in shown for each in phone), key=lambda each: str(each["at"]))
