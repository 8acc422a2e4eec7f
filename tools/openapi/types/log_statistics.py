"""The counts of the log's events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from watchword.entrypoints.wire.event_counts import CoveredBody, LogStatistics

NAMED: Mapping[str, Any] = {"LogStatistics": LogStatistics, "LogStatisticsHead": CoveredBody}
