"""Findings of a security review, each with a test that the hole stays closed."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from aiohttp import ClientSession
from aiohttp.test_utils import TestServer

from watchword.adapters.event_store.sqlite.store import SqliteEventStore
from watchword.application.accounts.authenticating import Authenticating
from watchword.domain.accounts.api_key import Scope, UnauthorizedError
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.demo.seeding import API_KEY
from watchword.entrypoints.http.app import Exposure, build_app, build_legacy_app
from watchword.entrypoints.settings import Settings
from watchword.entrypoints.wired import Wired


async def test_an_empty_admin_token_opens_nothing(tmp_path: Path) -> None:
    """The management API stays off, instead of being open to everybody (C-3)."""
    async with wired(Settings(sandbox=True, store="memory://", data_dir=tmp_path)) as service:
        server = TestServer(build_app(service, Exposure(admin_token="")))
        async with server, ClientSession() as session:
            answer = await session.get(server.make_url("/admin/v1/api-keys"))

            assert 404 == answer.status


async def test_the_documented_key_opens_nothing_outside_the_sandbox(tmp_path: Path) -> None:
    """A store that a sandbox has used is served for real: its key is refused (C-4)."""
    async with wired(Settings(sandbox=True, data_dir=tmp_path)):
        pass
    async with wired(Settings(data_dir=tmp_path)) as service:
        authenticating: Authenticating = service.authenticating
        with pytest.raises(UnauthorizedError):
            await authenticating.authenticate(API_KEY, Scope.PINS, "req_1")


def test_nobody_else_may_read_the_store(tmp_path: Path) -> None:
    """Destinations stand in it, so database and side files are the owner's alone."""

    async def use() -> dict[str, int]:
        store = await SqliteEventStore.open(tmp_path / "store.db")
        modes = modes_in(tmp_path)
        await store.close()
        return modes

    assert {0o600} == set(asyncio.run(use()).values())


def modes_in(folder: Path) -> dict[str, int]:
    """Return the mode of every file in a folder."""
    return {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}


async def test_the_legacy_port_names_only_what_it_has(service: Wired) -> None:
    """An unknown path names the port's own paths, and no description elsewhere (C-41)."""
    async with (
        TestServer(build_legacy_app(service, Exposure())) as server,
        ClientSession() as session,
    ):
        answer = await session.get(server.make_url("/openapi.json"))
        told = await answer.json()

    assert (404, "not_found") == (answer.status, told["code"])
    assert "/openapi.json" not in told["message"]
    assert "/account/enterprise/login" in told["message"]
