"""Settings that all tests share: the depth of property tests, the order of tests, and readable asserts."""

import gc
import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from aiohttp import web_app
from hypothesis import HealthCheck, settings

from tests.databases import Databases, databases

pytest.register_assert_rewrite("tests.specs", "tests.contracts.event_store")

# A failing example that CI finds must fail again on the next machine.
IN_CI = "CI" in os.environ

# A disk that is busy with something else is no failure of an example that writes to it.
PATIENT = [HealthCheck.too_slow]

settings.register_profile(
    "fast",
    deadline=None,
    derandomize=IN_CI,
    max_examples=50,
    suppress_health_check=PATIENT,
)
settings.register_profile(
    "deep",
    deadline=None,
    derandomize=IN_CI,
    max_examples=1000,
    stateful_step_count=100,
    suppress_health_check=PATIENT,
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fast"))

# Tests that mostly wait, for minutes in all.
WAITING = Path(__file__).with_name("crash")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """
    Start half of the processes with the tests that wait, so the others keep the cores busy.

    Each process works on one stretch of the list, and then takes tests from the ends of the others'
    stretches, so the slowest tests must not come last.
    """
    processes = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if processes == 1:
        return
    waiting = [each for each in items if WAITING in each.path.parents]
    others = iter([each for each in items if WAITING not in each.path.parents])
    ordered: list[pytest.Item] = []
    for number in range(processes // 2):
        share = waiting[number :: processes // 2]
        ordered += share + list(islice(others, max(0, len(items) // processes - len(share))))
    items[:] = [*ordered, *others]


def pytest_collection_finish() -> None:
    """Have the collector of garbage pass over thousands of tests, which stay until the end."""
    gc.freeze()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown() -> None:
    """
    Have aiohttp forget the applications of a test, of which it remembers the last thousand handlers.

    Each holds a whole service, so a process grew by gigabytes.
    """
    web_app._cached_build_middleware.cache_clear()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Databases]:
    """Yield the PostgreSQL server of the run."""
    with databases() as server:
        yield server


@pytest.fixture
def postgres_url(postgres_server: Databases) -> Iterator[str]:
    """Yield the URL of a database without a row."""
    with postgres_server.lent() as url:
        yield url
