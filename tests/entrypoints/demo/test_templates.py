"""The demo and its message templates exist once, after any number of starts (C-4)."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from tests.entrypoints.conftest import listening
from watchword.application.caller import THE_WORKER
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.demo.seeding import ACCOUNT, TEMPLATE_ID
from watchword.entrypoints.settings import Settings


async def templates(settings: Settings, reject: str | None = None) -> list[dict[str, Any]]:
    """Start a sandbox, reject one channel's template, and return all templates as before that."""
    async with wired(settings) as service, listening(service) as caller:
        found = [
            each
            for channel in ("rcs", "wa")
            for each in (await caller.operated("GET", f"/{channel}-templates"))["data"]
        ]
        if reject is not None:
            await caller.operated("POST", f"/{reject}-templates/demo/reject", {})
        return found


async def test_a_restart_makes_no_others_and_overrules_nobody(tmp_path: Path) -> None:
    """Both are approved at first; one that an operator rejected stays rejected."""
    settings = Settings(sandbox=True, store=f"sqlite:///{tmp_path / 's.db'}", data_dir=tmp_path)
    first = await templates(settings, reject="wa")
    second = await templates(settings)

    assert [("demo", "Approved"), ("demo", "Approved")] == [
        (each["name"], each["status"]) for each in first
    ]
    assert [first[0]["id"], first[1]["id"]] == [each["id"] for each in second]
    assert ["Approved", "Rejected"] == [each["status"] for each in second]


async def test_processes_that_start_at_once_share_one_demo(
    postgres_url: str, tmp_path: Path
) -> None:
    """On an empty database one makes the demo, and the others make do with it (C-2, C-4)."""
    key = "1:" + "a" * 44
    settings = Settings(sandbox=True, store=postgres_url, code_key=key, data_dir=tmp_path)

    async def start() -> str:
        async with wired(settings) as service:
            return await service.accounts.resolve(THE_WORKER, ACCOUNT)

    first, second, third = await asyncio.gather(start(), start(), start())

    assert first == second == third


async def test_the_demo_of_an_earlier_release_is_widened(tmp_path: Path) -> None:
    """Five codes a day would end a first hour; an operator's choice stays (D-151)."""
    settings = Settings(sandbox=True, store=f"sqlite:///{tmp_path / 's.db'}", data_dir=tmp_path)
    limits = []
    # The review before each restart, and the status after it.
    for archive, limit in ((False, "5/1d"), (False, "7/1h"), (True, "5/1d")):
        async with wired(settings) as service, listening(service) as caller:
            body = {"sendPinPerPhoneNumberLimit": limit}
            await caller.operated("PATCH", f"/pin-templates/{TEMPLATE_ID}", body)
            if archive:
                await caller.operated("POST", f"/pin-templates/{TEMPLATE_ID}/archive")
        async with wired(settings) as service, listening(service) as caller:
            demo = await caller.operated("GET", f"/pin-templates/{TEMPLATE_ID}")
            limits.append(demo["sendPinPerPhoneNumberLimit"])

    assert ["1000/1d", "7/1h", "5/1d"] == limits
