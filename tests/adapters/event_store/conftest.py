"""The stores of these tests."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a path whose folder does not exist yet, with all that a URI or command would trip over."""
    return tmp_path / "new folder" / "-a?mode=ro#b%20 é.db"
