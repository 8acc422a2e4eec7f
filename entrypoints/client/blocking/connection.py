"""One attempt of a call over httpx2, within a time and a size."""

from __future__ import annotations

import ssl

import httpx2

from ..answers import Answered
from ..calls import AnswerT
from ..errors.base import NoAnswerError
from ..exchanges import no_answer, request_of
from ..options import Options
from ..requests import Prepared


class Connection:
    """Connections to one service, kept open between calls; threads may share them."""

    def __init__(
        self,
        options: Options,
        ssl_context: ssl.SSLContext | None,
        transport: httpx2.BaseTransport | None,
    ) -> None:
        self._options = options
        self._http = httpx2.Client(verify=ssl_context or True, transport=transport)

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def attempt(self, prepared: Prepared[AnswerT], seconds: float) -> Answered | NoAnswerError:
        """
        Make a call once, and return its answer or why there is none.

        Errors of httpx2 have the request and so the key: they end here, and nothing is raised from them.
        """
        ends = self._options.clock() + seconds
        try:
            return self._answer(prepared, seconds, ends)
        except (httpx2.RequestError, TimeoutError) as error:
            return no_answer(error)

    def _answer(self, prepared: Prepared[AnswerT], seconds: float, ends: float) -> Answered:
        request = request_of(self._http, self._options, prepared, seconds)
        response = self._http.send(request, stream=True)
        try:
            body = self._body(response, ends)
        finally:
            response.close()
        return Answered(response.status_code, dict(response.headers), body)

    def _body(self, response: httpx2.Response, ends: float) -> bytes | None:
        body = bytearray()
        for piece in response.iter_raw():
            body += piece
            if len(body) > self._options.max_answer_bytes:
                return None
            # Nothing can interrupt a thread that reads, so a trickling answer ends between two pieces.
            if self._options.clock() > ends:
                raise TimeoutError
        return bytes(body)
