"""Values that one request makes: immutable for the type checker, plain at run time (D-121)."""

from __future__ import annotations

from attrs import field

from watchword.domain.limits import Characters
from watchword.domain.value import value


@value(kw_only=True)
class Cup:
    """A value like any command."""

    tea: str = field(validator=Characters(1, 10))
    sugar: int = 0


def test_values_of_the_same_facts_are_one() -> None:
    """Equal values count once in a set, as with `attrs.frozen`."""
    assert {Cup(tea="oolong"), Cup(tea="oolong")} == {Cup(tea="oolong")}
    assert Cup(tea="oolong") != Cup(tea="oolong", sugar=1)


def test_a_value_takes_no_name_that_it_has_no_field_for() -> None:
    """There is no room for a misspelt fact."""
    assert not hasattr(Cup(tea="oolong"), "__dict__")


def test_making_a_value_costs_no_frozen_set_attribute() -> None:
    """At run time a value has the ordinary `__setattr__`, so it is quick to make."""
    assert Cup.__setattr__ is object.__setattr__
