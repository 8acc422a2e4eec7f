"""Rebuilds of lists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from watchword.entrypoints.wire.rebuilds import Rebuild, RebuildBody

NAMED: Mapping[str, Any] = {"NewRebuild": RebuildBody, "Rebuild": Rebuild}
