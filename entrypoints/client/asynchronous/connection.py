"""One attempt of a call over httpx2, within a time and a size."""

from __future__ import annotations

import asyncio
import ssl

import httpx2

from ..answers import Answered
from ..calls import AnswerT
from ..errors.base import NoAnswerError
from ..exchanges import no_answer, request_of
from ..options import Options
from ..requests import Prepared


class AsyncConnection:
    """Connections to one service, kept open between calls."""

    def __init__(
        self,
        options: Options,
        ssl_context: ssl.SSLContext | None,
        transport: httpx2.AsyncBaseTransport | None,
    ) -> None:
        self._options = options
        self._http = httpx2.AsyncClient(verify=ssl_context or True, transport=transport)

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def attempt(
        self, prepared: Prepared[AnswerT], seconds: float
    ) -> Answered | NoAnswerError:
        """
        Make a call once, and return its answer or why there is none.

        Errors of httpx2 have the request and so the key: they end here, and nothing is raised from them.
        """
        try:
            async with asyncio.timeout(seconds):
                return await self._answer(prepared, seconds)
        except (httpx2.RequestError, TimeoutError) as error:
            return no_answer(error)

    async def _answer(self, prepared: Prepared[AnswerT], seconds: float) -> Answered:
        request = request_of(self._http, self._options, prepared, seconds)
        response = await self._http.send(request, stream=True)
        try:
            body = await self._body(response)
        finally:
            await response.aclose()
        return Answered(response.status_code, dict(response.headers), body)

    async def _body(self, response: httpx2.Response) -> bytes | None:
        body = bytearray()
        async for piece in response.aiter_raw():
            body += piece
            if len(body) > self._options.max_answer_bytes:
                return None
        return bytes(body)
