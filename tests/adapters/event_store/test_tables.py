"""The tables of the read models."""

from __future__ import annotations

from watchword.adapters.event_store.tables import ROW_TABLES
from watchword.application.read_models.rows import ROWS, Row


def test_every_read_model_is_stored_and_audited() -> None:
    """A list that is added gets a table, and the check of the audit looks at it."""
    assert set(Row.__subclasses__()) == set(ROWS) == set(ROW_TABLES)
