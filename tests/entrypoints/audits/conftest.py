"""One store of a service that was asked for everything, and copies of it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.entrypoints.audits.audited_store import build


@pytest.fixture(scope="package")
def served(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a store that a service has left."""
    folder = tmp_path_factory.mktemp("served")
    build(folder)
    return folder


@pytest.fixture
def copy(served: Path, tmp_path: Path) -> Path:
    """Return a copy of it, files and mark included."""
    return Path(shutil.copytree(served, tmp_path / "copy"))
