"""Readable asserts in the contracts, which stand in modules of their own."""

import pytest

pytest.register_assert_rewrite("tests.contracts.event_store")
