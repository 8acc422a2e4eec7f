"""Guard policies in the documented spelling."""

from __future__ import annotations

from hypothesis import given

from tests.strategies import guard_policies
from watchword.domain.guard import DEFAULT_POLICY, GuardPolicy, policy_problems
from watchword.entrypoints.wire.guard_policies import guard_policy_record, read_guard_policy


def test_an_empty_object_is_the_default_policy() -> None:
    """Whatever is left out has the default that the guard rules state (C-76)."""
    assert DEFAULT_POLICY == read_guard_policy({})
    assert DEFAULT_POLICY == read_guard_policy({"guesses": {}, "unverified": {"ip": {}}})


@given(guard_policies)
def test_what_is_shown_can_be_read(policy: GuardPolicy) -> None:
    """Every policy that can hold is the same after it was shown and put."""
    assert [] == policy_problems(policy)
    assert policy == read_guard_policy(guard_policy_record(policy))
