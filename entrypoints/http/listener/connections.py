"""The listener's connections: deadlines that aiohttp lacks, and its errors in our words (D-22, D-184)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, cast

from aiohttp import web
from aiohttp.http import RawRequestMessage

from ....adapters.logs import logger
from .client_address import Network, peer_counted_as
from .incoming_requests import path_of
from .open_connections import Admission, OpenConnections
from .own_answers import OwnAnswers
from .patience import Patience

# What is read and thrown away behind an answer that came before its request's end.
MAX_DRAINED = 2 * 1024 * 1024
# aiohttp bounds each header and their number, which together is a megabyte for every connection.
MAX_HEAD = 64 * 1024
_REFUSED_LINE_EVERY = 1.0
NEW_REQUEST_ID: web.AppKey[Callable[[], str]] = web.AppKey("new_request_id")
_log = logger("watchword.server")


class Connections:
    """The open connections of one listener."""

    def __init__(
        self,
        server: web.Server,
        patience: Patience,
        answers: OwnAnswers,
        new_request_id: Callable[[], str],
        trusted_proxies: Sequence[Network] = (),
    ) -> None:
        self.patience = patience
        self.answers = answers
        self.new_request_id = new_request_id
        self.open: OpenConnections[Connection] = OpenConnections(patience.connections)
        self._server = server
        self._trusted_proxies = trusted_proxies
        self._loop = asyncio.get_running_loop()
        self._refused = 0
        self._said_at = -_REFUSED_LINE_EVERY

    def accept(self) -> Connection:
        """Make the protocol of a new connection."""
        return Connection(self._server, self, self._loop)

    def admit(self, connection: Connection, peer: str | None) -> Admission:
        """Take a connection in, if there is room for one more, and for one more of its client."""
        client = peer_counted_as(peer, self._trusted_proxies)
        admission = self.open.admit(connection, client)
        if admission is not Admission.GRANTED:
            self._refused += 1
            now = self._loop.time()
            if now - self._said_at >= _REFUSED_LINE_EVERY:
                _log.warning("connections_refused", open=len(self.open), count=self._refused)
                self._refused, self._said_at = 0, now
        return admission

    async def watch(self) -> None:
        """End overdue connections, for ever: one look at all of them costs less than a timer for each."""
        period = min(0.25, self.patience.head / 10, self.patience.answer / 10)
        late: set[Connection] = set()
        while True:
            await asyncio.sleep(period)
            now = self._loop.time()
            overdue = {each for each in self.open if each.overdue(now)}
            # Overdue twice in a row: a busy loop may not have come to read what was here in time.
            for connection in overdue & late:
                connection.abort()
            late = overdue - late


class Connection(web.RequestHandler):
    """
    One connection, of which aiohttp's handler does the work.

    A subclass is the narrowest place to see bytes that make no request yet (`data_received`) and to
    word what aiohttp answers of its own accord (`handle_error`). `_waiter`, which is pending while
    no request is here, is what aiohttp's keep-alive timer goes by; `_keepalive` is false once an
    answer has said that it is the last.
    """

    __slots__ = (
        "_connections",
        "_drained",
        "_head_length",
        "_head_since",
        "_line",
        "_opening",
        "_unreadable",
        "_untaken_since",
    )

    def __init__(
        self, server: web.Server, connections: Connections, loop: asyncio.AbstractEventLoop
    ) -> None:
        options: dict[str, Any] = {
            "keepalive_timeout": connections.patience.idle,
            "lingering_time": connections.patience.rest,
            "access_log": None,
            "auto_decompress": False,
        }
        super().__init__(server, loop=loop, **options)
        self._connections = connections
        self._line: asyncio.Transport
        self._head_since: float | None = loop.time()
        self._untaken_since: float | None = None
        self._opening = b""
        self._unreadable = False
        self._drained = 0
        self._head_length = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin, or say that there is no room (D-22)."""
        self._line = cast(asyncio.Transport, transport)
        peer = transport.get_extra_info("peername")
        admission = self._connections.admit(self, peer[0] if peer else None)
        if admission is Admission.GRANTED:
            super().connection_made(transport)
            return
        request_id = self._connections.new_request_id()
        self._line.write(self._connections.answers.no_room(admission, request_id))
        transport.close()

    def connection_lost(self, exc: BaseException | None) -> None:
        """Make room."""
        self._connections.open.forget(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Note when a head begins and when it is whole; bound what is read for nobody."""
        if self._unreadable:
            return
        self._connections.open.begin(self)
        if not self._keepalive:
            self._drained += len(data)
            if self._drained > MAX_DRAINED:
                self.force_close()
        if self._head_since is None or not self._opening:
            self._opening = data[:500]
        super().data_received(data)
        if self._messages and not isinstance(self._messages[-1][0], RawRequestMessage):
            self._give_up()
        waiting = self._waiter is not None and not self._waiter.done()
        # A first byte can come before aiohttp waits for it: uvloop reads ahead of the task.
        if self._request_count and not waiting:
            self._head_since = None
            return
        if self._head_since is None:
            self._head_since, self._head_length = self._loop.time(), 0
        self._head_length += len(data)
        if self._head_length > MAX_HEAD:
            self._refuse_head()

    def resume_reading(self, resume_parser: bool = True) -> None:
        """Go on reading, if reading was held up: aiohttp goes on after every body, parsing nothing anew."""
        if self._reading_paused:
            super().resume_reading(resume_parser)

    def resume_writing(self) -> None:
        """Go on writing: the client took what was sent, and has its time anew for what comes."""
        self._untaken_since = None
        super().resume_writing()

    def answered(self) -> None:
        """Be idle from now on, unless another request is here already."""
        if not self._messages:
            self._connections.open.rest(self)

    @property
    def waits(self) -> bool:
        """Whether it waits for a request, its first one or another, while none is answered."""
        waiter = self._waiter
        return not self._request_count or (waiter is not None and not waiter.done())

    def let_go(self) -> None:
        """Make room for another: a client that comes back opens a new one."""
        self.force_close()

    def _refuse_head(self) -> None:
        self._unreadable = True
        request_id = self._connections.new_request_id()
        self._line.write(self._connections.answers.head_too_large(self._opening, request_id))
        self._line.close()

    def _give_up(self) -> None:
        """Read no more: the parser gave up, and left the reader of a body that went wrong waiting."""
        self._unreadable = True
        reading = self._current_request
        if reading is not None and not reading.content.is_eof():
            reading.content.set_exception(web.RequestPayloadError())
            reading.content.feed_eof()
            self.close()

    def overdue(self, now: float) -> bool:
        """Say whether the client keeps us waiting for the rest of a head, or for it to read."""
        patience = self._connections.patience
        if self._head_since is not None and now - self._head_since > patience.head:
            return True
        if not self._line.get_write_buffer_size():
            self._untaken_since = None
        elif self._untaken_since is None:
            self._untaken_since = now
        return self._untaken_since is not None and now - self._untaken_since > patience.answer

    def abort(self) -> None:
        """End at once, whatever is unsent."""
        self._line.abort()

    def log_exception(self, *args: Any, **details: Any) -> None:
        """Log a failure; that a connection ended before the rest of an unwanted body is none (R28)."""
        if self.transport is None and isinstance(details.get("exc_info"), RuntimeError):
            return
        super().log_exception(*args, **details)

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,  # noqa: ARG002  aiohttp's words quote the request
    ) -> web.StreamResponse:
        """Word what the parser refused (400), or what got past the edge, and close (C-12, C-18)."""
        if request.writer.output_size > 0:
            raise ConnectionError("An answer has begun and cannot become another.")
        request_id = self._connections.new_request_id()
        if status == 400:
            response = self._connections.answers.unreadable(exc, self._opening, request_id)
        else:
            if not isinstance(exc, OSError | None):
                _log.error("request_failed_outside_the_edge", exc_info=exc)
            response = self._connections.answers.failed(path_of(request), request_id)
        response.force_close()
        return response
