"""The tables of the read models, built from the records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Table

from ....application.records import READ_MODELS
from ....application.records.read_model import Row
from .row_table import RowTable, row_table
from .tables import metadata

ROW_TABLES: Mapping[type[Row], RowTable[Any]] = {
    each.row: row_table(metadata, each) for each in READ_MODELS
}

ALL_TABLES: Sequence[Table] = metadata.sorted_tables
