"""How long a client may keep the listener waiting, and how many clients may at once (D-22)."""

from __future__ import annotations

from aiohttp import web
from attrs import frozen


@frozen(kw_only=True)
class Patience:
    """
    What the listener bears from its clients; times in seconds.

    `head` runs from the first byte of a request (of a new connection: from its opening) to the end
    of its headers, `body` from there to the end of the body, `answer` while bytes of an answer wait
    to be taken, `idle` between requests, `rest` after an answer that came before the end of its
    request. A body also has to come at `body_rate` bytes a second or more, once `body_start` is
    over; a file, with which no `body` ends, at `file_rate` once `file_start` is over (D-85), and all
    the files of a form within `files`: they hold a place of their account's.
    `connections` is how many may be open.
    """

    # What is late is noticed up to a second later: 15 s and 60 s are never passed.
    head: float = 14.0
    body: float = 59.0
    body_start: float = 10.0
    body_rate: float = 1024.0
    file_start: float = 30.0
    file_rate: float = 32 * 1024.0
    files: float = 3_600.0
    answer: float = 60.0
    idle: float = 75.0
    rest: float = 5.0
    connections: int = 10_000

    def body_due(self, received: int) -> float:
        """Return the time in which a body of which so many bytes are here has to go on or end."""
        return min(self.body, self.body_start + received / self.body_rate)

    def file_due(self, received: int) -> float:
        """Return the same for a body that carries a file."""
        return min(self.files, self.file_start + received / self.file_rate)


USUAL_PATIENCE = Patience()
# Operators are few, and the files of all others are not theirs.
FEW_CLIENTS = Patience(connections=1_000)
PATIENCE = web.AppKey("patience", Patience)
