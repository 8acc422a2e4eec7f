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
