"""Keep aiohttp's client from repeating requests by itself (C-99, D-202)."""

from __future__ import annotations

import aiohttp


class RequestCutError(Exception):
    """The connection was cut after the request may have begun; nobody knows whether it arrived."""


async def sent_once(
    request: aiohttp.ClientRequest, handler: aiohttp.ClientHandlerType
) -> aiohttp.ClientResponse:
    """
    Send a request, as a middleware of a client session.

    aiohttp repeats an idempotent method such as GET when its connection is cut, though a provider may
    take a message by GET. It does so for its own errors alone, so this raises `RequestCutError`.
    An error of the connecting passes: nothing was written then.
    """
    try:
        return await handler(request)
    except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError):
        raise
    except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError) as error:
        raise RequestCutError(type(error).__name__) from None
