"""
The minimal durable PIN service, which is the ceiling for one process of Watchword.

It has a bearer check, a random code, a keyed hash and one table. It answers a request once the write is on
disk. It has no tenant, template, limit, idempotency, history or message.

`python -m benchmarks.skeleton PHONE_PORT DATABASE`, which is a path or a URL of PostgreSQL.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import sys
import time

import msgspec
from aiohttp import web

from . import event_loop
from .listening import KEY, Phone, answer, issued, listen, new_code, verified
from .skeleton_stores import Keeper, keeper

_TIME_TO_LIVE = 600
_BEARER = f"Bearer {KEY}"


class Skeleton:
    """Create and verify."""

    def __init__(self, keeper: Keeper, phone: Phone) -> None:
        self._keeper = keeper
        self._phone = phone
        self._secret = secrets.token_bytes(32)

    async def issue(self, request: web.Request) -> web.Response:
        """Create a PIN, store it, send its code."""
        if not _authorized(request):
            return answer(401, {})
        body = msgspec.json.decode(await request.read())
        pin_id, code = f"pin_{secrets.token_hex(16)}", new_code()
        destination, expires_at = body["destination"], time.time() + _TIME_TO_LIVE
        hashed = self._hash(pin_id, code)
        await self._keeper.keep((pin_id, destination, body.get("referenceId"), hashed, expires_at))
        self._phone.send(destination, code)
        return issued(pin_id)

    async def verify(self, request: web.Request) -> web.Response:
        """Compare a code with the sent one."""
        if not _authorized(request):
            return answer(401, {})
        pin_id = request.match_info["id"]
        typed = self._hash(pin_id, msgspec.json.decode(await request.read())["pin"])
        right = await self._keeper.verify(pin_id, typed, time.time())
        return verified(pin_id) if right else answer(422, {})

    def _hash(self, pin_id: str, code: str) -> bytes:
        return hmac.digest(self._secret, f"{pin_id}\0{code}".encode(), hashlib.sha256)


def _authorized(request: web.Request) -> bool:
    given = request.headers.get("Authorization", "")
    return hmac.compare_digest(given.encode(), _BEARER.encode())


async def main(phone: Phone, database: str) -> None:
    """Serve."""
    skeleton = Skeleton(await keeper(database), phone)
    await listen(
        [
            web.post("/v1/pins", skeleton.issue),
            web.post("/v1/pins/{id}/verify", skeleton.verify),
        ]
    )


if __name__ == "__main__":
    event_loop.run(main(Phone(int(sys.argv[1])), sys.argv[2]))
