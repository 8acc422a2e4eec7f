"""The address that a request came to, as answers may name it (C-1)."""

from __future__ import annotations

from aiohttp import web
from attrs import define


@define
class CallersPort:
    """The port that callers use, once it is known; without it, the port that a request came to counts."""

    number: int | None = None


CALLERS_PORT = web.AppKey("callers_port", CallersPort)


def listening_address(request: web.Request) -> str | None:
    """
    Return the address that the request came to; its `Host` header is not believed (C-1).

    Requests on a port of their own get the callers' port, where media and short links are.
    """
    name = request.get_extra_info("sockname")
    if name is None:
        return None
    host = f"[{name[0]}]" if ":" in name[0] else name[0]
    return f"http://{host}:{request.app[CALLERS_PORT].number or name[1]}"
