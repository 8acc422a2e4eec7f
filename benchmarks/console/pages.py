"""Loads pages of the console as one visitor does, one after the other."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from time import perf_counter

from aiohttp import ClientSession, ClientTimeout, CookieJar

from watchword.entrypoints.console.figures.spans import MONTH
from watchword.entrypoints.console.pages import PAGES
from watchword.entrypoints.settings import SANDBOX_ADMIN_TOKEN

from ..long_stores.seeding import Seeded
from ..processes import StartError
from ..summary import Spread

LOADS = 20
# The one account of a sandbox; a search by number needs an account.
_ACCOUNT = "demo"
_CSRF = re.compile(r'name="csrf" value="([^"]+)"')
_PATIENCE = 1_800


def page_paths() -> list[str]:
    """Return the pages that need no id: overviews and lists, about all accounts and about one."""
    found = [each.path for each in PAGES if each.method == "GET" and "{" not in each.path]
    return [
        f"{path}{query}"
        for path in dict.fromkeys(found)
        if not path.endswith("/new")
        for query in ("", f"?account={_ACCOUNT}")
    ]


async def page_times(port: int, seeded: Seeded) -> dict[str, Spread | None]:
    """Return the milliseconds of each page's loads, of one PIN's and one message's, and of searches."""
    more = [
        f"?range={MONTH}",
        "/verifications?status=VERIFIED",
        f"/verifications/{seeded.pin_id}",
        f"/messages/{seeded.message_id}",
    ]
    async with ClientSession(
        f"http://127.0.0.1:{port}",
        timeout=ClientTimeout(120),
        cookie_jar=CookieJar(unsafe=True),
    ) as session:
        csrf = await _sign_in(session)
        found = {}
        for path in (*page_paths(), *more):
            if (taken := await _loads(session, path)) is not None:
                found[path or "/"] = Spread.of(taken)
        for path, name in (("/verifications", "destination"), ("/messages", "recipient")):
            # A number stands in no address: it is posted.
            fields = {"csrf": csrf, name: seeded.number}
            if (taken := await _loads(session, f"{path}?account={_ACCOUNT}", fields)) is not None:
                found[f"{path}, by number"] = Spread.of(taken)
    return found


async def settled(port: int, events: int, say: Callable[[], None]) -> None:
    """Wait until statistics and heads cover all events of a filled store; raises `StartError`."""
    headers = {"Authorization": f"Bearer {SANDBOX_ADMIN_TOKEN}"}
    until = perf_counter() + _PATIENCE
    say()
    async with ClientSession(f"http://127.0.0.1:{port}", headers=headers) as session:
        while perf_counter() < until:
            if await _covered(session) >= events:
                return
            await asyncio.sleep(1)
    raise StartError("The statistics or the heads of the log did not cover the store in time.")


async def _covered(session: ClientSession) -> int:
    async with session.get("/admin/v1/stats") as answer:
        counted = int((await answer.json()).get("position", 0))
    async with session.get("/admin/v1/log/stats") as answer:
        head = (await answer.json()).get("head") or {"size": 0}
    return min(counted, int(head["size"]))


async def _sign_in(session: ClientSession) -> str:
    """Sign in, and return the text that proves the forms of the session."""
    async with session.get("/console/login") as page:
        csrf = _CSRF.search(await page.text())
    if csrf is None:
        raise StartError("The server has no console.")
    fields = {"csrf": csrf[1], "token": SANDBOX_ADMIN_TOKEN, "next": ""}
    async with session.post("/console/login", data=fields) as page:
        if page.status != 200 or page.url.path.endswith("/login"):
            raise StartError("The console refused the sandbox's token.")
        own = _CSRF.search(await page.text())
    if own is None:
        raise StartError("The first page of the console has no form.")
    return own[1]


async def _loads(
    session: ClientSession, path: str, fields: Mapping[str, str] | None = None
) -> list[float] | None:
    """Return the milliseconds of the loads of a page; None for what is not shown without more."""
    taken = []
    for _ in range(LOADS):
        began = perf_counter()
        method = "GET" if fields is None else "POST"
        async with session.request(
            method, f"/console{path}", data=fields, allow_redirects=False
        ) as page:
            await page.read()
        if page.status != 200:
            return None
        taken.append((perf_counter() - began) * 1000)
    return taken
