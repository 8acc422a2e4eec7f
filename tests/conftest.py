"""What every test shares: how hard properties are tried, and readable asserts in shared modules."""

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from tests.databases import Databases, databases

pytest.register_assert_rewrite(
    "tests.specs", "tests.contracts.event_store", "tests.contracts.channel_provider_contract"
)

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


# Where tests take seconds.
LONG = (
    "tests/adapters/event_store/test_postgres_",
    "tests/adapters/event_store/test_writer_process.py",
    "tests/benchmarks/",
    "tests/crash/",
    "tests/entrypoints/cli/test_login_flood.py",
    "tests/entrypoints/cli/test_serving_workers.py",
    "tests/entrypoints/http/hostile/",
    "tests/entrypoints/http/media/test_large_uploads.py",
    "tests/entrypoints/http/test_secrecy.py",
    "tests/entrypoints/test_metrics.py",
    "tests/entrypoints/test_postgresql.py",
    "tests/examples/",
    "tests/stateful/",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """
    Have every worker of a run begin with its share of what takes long.

    `worksteal` gives each a stretch of the list, as long as those of the others, and what is short
    can change hands at the end.
    """
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    long: list[pytest.Item] = []
    short: list[pytest.Item] = []
    for each in items:
        (long if each.nodeid.startswith(LONG) else short).append(each)
    total = len(items)
    items.clear()
    for worker in range(workers):
        mine = long[worker::workers]
        beside = max(0, (total - len(items)) // (workers - worker) - len(mine))
        items += [*mine, *short[:beside]]
        del short[:beside]
    items += short


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Databases]:
    """Give the PostgreSQL server of the run."""
    with databases() as server:
        yield server


@pytest.fixture
def postgres_url(postgres_server: Databases) -> Iterator[str]:
    """Give the URL of a database without a row."""
    with postgres_server.lent() as url:
        yield url
