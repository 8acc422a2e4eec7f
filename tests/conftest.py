"""What every test shares: how hard properties are tried, and readable asserts in shared modules."""

import os

import pytest
from hypothesis import HealthCheck, settings

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
