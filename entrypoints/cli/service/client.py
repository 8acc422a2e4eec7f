"""An HTTP client of the routes under `/admin/v1`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, Self, TypeVar

import aiohttp
import msgspec
from yarl import URL

from ....adapters.never_repeated import RequestCutError, sent_once
from ....domain.errors import DomainError
from ...wire.codec import encode
from ...wire.structuring import structure

T = TypeVar("T")

_SECONDS = 30
# A line may wait for a receipt, for a minute.
_SECONDS_FOR_A_LINE = 90


class Unreachable(Exception):
    """The service does not answer, or something else answers at its address; the text says which."""


class RemoteRefusal(Exception):
    """The service refused a call; it has the documented code, message and details."""

    def __init__(self, code: str, message: str, details: Mapping[str, Any]) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.details = details


class Client:
    """Calls one service with the operator's token. Use it in `async with`."""

    def __init__(
        self, url: str, admin_token: str, connector: aiohttp.BaseConnector | None = None
    ) -> None:
        self._url = url
        self._connector = connector
        # A misspelt member of a file must be refused, and not ignored (D-150).
        self._headers = {"Authorization": f"Bearer {admin_token}", "Prefer": "handling=strict"}

    async def __aenter__(self) -> Self:
        self._session = aiohttp.ClientSession(
            connector=self._connector,
            timeout=aiohttp.ClientTimeout(total=_SECONDS),
            middlewares=(sent_once,),
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._session.close()

    async def call(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        query: Mapping[str, str | Sequence[str]] | None = None,
    ) -> dict[str, Any]:
        """Call a route and return the JSON object; raise `RemoteRefusal` or `Unreachable`."""
        sent = {} if body is None else {"Content-Type": "application/json"}
        # Ids in the path are quoted already. A redirect would send the token elsewhere.
        url = URL(f"{self._url}/admin/v1{path}", encoded=True)
        try:
            async with self._session.request(
                method,
                url.with_query(query) if query else url,
                data=None if body is None else encode(body),
                headers=self._headers | sent,
                allow_redirects=False,
            ) as response:
                status, answer = response.status, await response.read()
        except TimeoutError:
            raise Unreachable(
                f"The service at {self._url} did not answer within {_SECONDS} s. Try again."
            ) from None
        except (aiohttp.ClientError, RequestCutError, OSError):
            raise Unreachable(
                f"No service answers at {self._url}. Start it, or name the store to open instead."
            ) from None
        return self._read(status, answer)

    async def lines(
        self, method: str, path: str, body: Mapping[str, Any]
    ) -> AsyncIterator[dict[str, Any]]:
        """Call a route and yield the JSON object of each line; raise as `call` does, also later."""
        url = URL(f"{self._url}/admin/v1{path}", encoded=True)
        headers = {"Content-Type": "application/json", "Accept": "application/x-ndjson"}
        try:
            async with self._session.request(
                method,
                url,
                data=encode(body),
                headers=self._headers | headers,
                allow_redirects=False,
                timeout=aiohttp.ClientTimeout(sock_read=_SECONDS_FOR_A_LINE),
            ) as response:
                if response.status >= 300:
                    self._read(response.status, await response.read())
                async for line in response.content:
                    # A refusal after the first line has no status of its own.
                    yield self._read(500 if line.startswith(b'{"error"') else 200, line)
        except TimeoutError:
            raise Unreachable(
                f"The service at {self._url} said nothing for {_SECONDS_FOR_A_LINE} s."
            ) from None
        except (aiohttp.ClientError, OSError):
            raise Unreachable(
                f"No service answers at {self._url}, or its answer was cut off."
            ) from None

    def understood(self, record: Any, form: type[T]) -> T:
        """Read a record as a `form`; raise `Unreachable` if it does not fit."""
        try:
            return structure(record, form)
        except DomainError:
            raise self._stranger() from None

    def _read(self, status: int, answer: bytes) -> dict[str, Any]:
        try:
            read = msgspec.json.decode(answer)
            if status < 300:
                return dict(read)
            error = read["error"]
            refusal = RemoteRefusal(error["code"], error["message"], error.get("details", {}))
        except (msgspec.DecodeError, ValueError, TypeError, KeyError):
            raise self._stranger() from None
        raise refusal

    def _stranger(self) -> Unreachable:
        return Unreachable(
            f"What answers at {self._url} is no Watchword of this release. Check the --url."
        )
