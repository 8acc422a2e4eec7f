"""A real service behind a real listener, on each kind of store."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession, TCPConnector
from aiohttp.typedefs import Middleware
from attrs import evolve, frozen
from yarl import URL

from tests.databases import Databases
from tests.entrypoints.caller import Caller
from tests.entrypoints.receiving import Receiver, receiving
from tests.fakes.hashers import FakePasswordHasher
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.http.app import Exposure, build_app
from watchword.entrypoints.http.listener.listeners import Listener
from watchword.entrypoints.http.listener.patience import USUAL_PATIENCE, Patience
from watchword.entrypoints.http.listener.server import open_listeners
from watchword.entrypoints.http.route import Route
from watchword.entrypoints.settings import SANDBOX_ADMIN_TOKEN, Settings
from watchword.entrypoints.wired import Wired

EXPOSED = Exposure(admin_token=SANDBOX_ADMIN_TOKEN)

Serving = Callable[..., AbstractAsyncContextManager[Caller]]


# The stores of a module's tests, unless it sets `STORES` itself.
USUAL_STORES = ("memory", "sqlite")
EVERY_STORE = (*USUAL_STORES, "postgresql")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run tests that need a store on each kind that they, or their module, are marked with."""
    if "store_kind" in metafunc.fixturenames:
        marked = metafunc.definition.get_closest_marker("stores")
        usual = getattr(metafunc.module, "STORES", USUAL_STORES)
        metafunc.parametrize("store_kind", marked.args if marked else usual)


@pytest.fixture
def store_url(store_kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the address of a new store of each kind."""
    match store_kind:
        case "memory":
            return "memory://"
        case "sqlite":
            return f"sqlite:///{tmp_path / 'store.db'}"
        case _:
            return str(request.getfixturevalue("postgres_url"))


@pytest.fixture
def settings(store_url: str, tmp_path: Path) -> Settings:
    """Return the settings of a sandbox on that store."""
    return Settings(sandbox=True, store=store_url, data_dir=tmp_path)


@pytest.fixture
async def service(settings: Settings) -> AsyncIterator[Wired]:
    """Yield a service, wired as `watchword serve --sandbox` wires it but for its slow hash of passwords."""
    async with wired(settings, password_hasher=FakePasswordHasher()) as parts:
        yield parts


@frozen
class Listening:
    """The address of the listener."""

    port: int

    def make_url(self, path: str) -> URL:
        """Return the absolute address of a path, whose percent signs stay as they are."""
        return URL(f"http://127.0.0.1:{self.port}{path}")


@asynccontextmanager
async def listening(
    service: Wired,
    exposure: Exposure = EXPOSED,
    around: Sequence[Middleware] = (),
    patience: Patience = USUAL_PATIENCE,
    console: Sequence[Route] = (),
) -> AsyncIterator[Caller]:
    """Serve HTTP as `watchword serve` does, and yield a client with the sandbox's key."""
    app = build_app(service, exposure, around, patience, console)
    async with (
        open_listeners(Listener(app, "127.0.0.1", 0, "--port"), drain_timeout=10) as (port,),
        ClientSession(connector=TCPConnector(limit=0)) as session,
    ):
        yield Caller(session, Listening(port))


@pytest.fixture
async def caller(service: Wired) -> AsyncIterator[Caller]:
    """Yield a client of that service."""
    async with listening(service) as client:
        yield client


@pytest.fixture
def serving(settings: Settings) -> Serving:
    """Serve with other settings, another exposure or other providers."""

    @asynccontextmanager
    async def serve(
        exposure: Exposure = EXPOSED, providers: Any = None, **changes: Any
    ) -> AsyncIterator[Caller]:

        async with (
            wired(
                evolve(settings, **changes),
                providers=providers,
                password_hasher=FakePasswordHasher(),
            ) as parts,
            listening(parts, exposure) as client,
        ):
            yield client

    return serve


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    """Yield a receiver of callbacks."""
    async with receiving() as listening:
        yield listening


@pytest.fixture
def back_up(
    store_kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[Callable[[Settings], Settings]]:
    """Copy the store of a service, and return the settings of one on the copy."""
    server: Databases | None = (
        request.getfixturevalue("postgres_server") if store_kind == "postgresql" else None
    )
    copies: list[str] = []

    def copy(settings: Settings) -> Settings:
        if server is not None:
            copies.append(server.copy(settings.store_url.text))
            return evolve(settings, store=copies[-1])
        path = tmp_path / "restored.db"
        with sqlite3.connect(str(settings.store_url.path)) as served, sqlite3.connect(path) as kept:
            served.backup(kept)
        served.close()
        kept.close()
        return evolve(settings, store=f"sqlite:///{path}")

    yield copy
    for each in copies:
        assert server is not None
        server.drop(each)
