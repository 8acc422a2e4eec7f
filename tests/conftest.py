"""What every test shares: how hard properties are tried, and readable asserts in shared modules."""

import os

import pytest
from hypothesis import settings

pytest.register_assert_rewrite("tests.specs")

# A failing example that CI finds must fail again on the next machine.
IN_CI = "CI" in os.environ

settings.register_profile("fast", deadline=None, derandomize=IN_CI, max_examples=50)
settings.register_profile(
    "deep", deadline=None, derandomize=IN_CI, max_examples=1000, stateful_step_count=100
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fast"))
