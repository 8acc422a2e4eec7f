"""Connect to a server at one of its addresses."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence

from ..public_addresses import address_in


async def first_that_answers(addresses: Sequence[str], port: int, seconds: float) -> socket.socket:
    """
    Return a socket that is connected to the first address that answers.

    The addresses share the seconds. Raises the `OSError` of the last one.
    """
    failure: OSError = TimeoutError()
    for address in addresses:
        family = socket.AF_INET if address_in(address).version == 4 else socket.AF_INET6
        reached = socket.socket(family, socket.SOCK_STREAM)
        reached.setblocking(False)
        try:
            async with asyncio.timeout(seconds / len(addresses)):
                await asyncio.get_running_loop().sock_connect(reached, (address, port))
        except OSError as error:
            # A `TimeoutError` is one, too.
            failure = error
            reached.close()
        except BaseException:
            reached.close()
            raise
        else:
            return reached
    raise failure
