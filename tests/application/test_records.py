"""The records: nothing that a decider knows is left out of them."""

from __future__ import annotations

import pkgutil
from importlib import import_module

import watchword.domain
from watchword.application.records import RECORDS
from watchword.domain.decider import Decider


def test_every_decider_has_one_record() -> None:
    """A kind of aggregate without a record could not be stored, shown or audited."""
    modules = pkgutil.walk_packages(watchword.domain.__path__, "watchword.domain.")
    deciders = {
        found.kind
        for module in modules
        for found in vars(import_module(module.name)).values()
        if isinstance(found, Decider)
    }

    assert sorted(deciders) == sorted(record.decider.kind for record in RECORDS)


def test_no_two_records_share_a_prefix_a_state_or_an_event() -> None:
    """An id, a state and an event each lead to one record."""
    for named in (
        [record.prefix for record in RECORDS],
        [record.state for record in RECORDS],
        [event for record in RECORDS for event in record.decider.events],
    ):
        assert len(named) == len(set(named))


def test_a_record_projects_into_a_read_model_or_not_at_all() -> None:
    """A row without a list could not be stored, and a list without rows would stay empty."""
    assert [] == [
        record.decider.kind
        for record in RECORDS
        if (record.read_model is None) != (record.project is None)
    ]
