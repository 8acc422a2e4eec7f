"""The command line, run here; and a sandbox that runs beside it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from click.testing import CliRunner, Result

import watchword as package
from tests.entrypoints.cli.processes import Served, served
from watchword.entrypoints.cli.__main__ import main

Run = Callable[..., Result]


def _running(**variables: str) -> Run:
    nothing_else = {name: None for name in os.environ if name.startswith("WATCHWORD_")}

    def run(*arguments: str, given: str | None = None, **more: str) -> Result:
        env = {**nothing_else, **variables, **more}
        return CliRunner().invoke(main, arguments, input=given, env=env)

    return run


@pytest.fixture(scope="session")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Yield a sandbox that serves in another process, shared by all tests of a worker."""
    with served(tmp_path_factory.mktemp("sandbox"), "--sandbox") as running:
        yield running


@pytest.fixture
def alone(tmp_path: Path) -> Run:
    """Run commands on a data directory of their own, which is empty at first."""
    return _running(WATCHWORD_DATA_DIR=str(tmp_path))


@pytest.fixture
def connected(sandbox: Served) -> Run:
    """Run commands that talk to the running sandbox."""
    return _running(WATCHWORD_URL=sandbox.url, WATCHWORD_ADMIN_TOKEN="sandbox-admin")


@pytest.fixture
def beside(sandbox: Served) -> Run:
    """Run commands that open the running sandbox's own store."""
    return _running(WATCHWORD_DATA_DIR=str(sandbox.data_dir))


@pytest.fixture(params=["alone", "connected"])
def watchword(request: pytest.FixtureRequest) -> Run:
    """Run commands each way: on a store of their own, and against a running service."""
    run: Run = request.getfixturevalue(request.param)
    return run


@pytest.fixture(params=["alone", "connected"])
def with_sandbox_account(request: pytest.FixtureRequest, tmp_path: Path) -> Run:
    """Run commands against both targets, with the sandbox's account and its channels."""

    async def seed() -> None:
        async with package.open(
            f"sqlite:///{tmp_path / 'watchword.db'}", data_dir=tmp_path, sandbox=True
        ):
            pass

    if request.param == "alone":
        asyncio.run(seed())
    run: Run = request.getfixturevalue(request.param)
    return run


@pytest.fixture
def account(watchword: Run) -> str:
    """Return the name of a new account."""
    name = f"shop-{uuid4()}"
    assert 0 == watchword("accounts", "create", name).exit_code
    return name


@pytest.fixture(params=["beside", "connected"])
def auditor(request: pytest.FixtureRequest) -> Run:
    """Audit each way: on the store that the service has open, and by its endpoint."""
    run: Run = request.getfixturevalue(request.param)
    return run
