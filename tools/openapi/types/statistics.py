"""The statistics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from watchword.application.statistics.views import By, CostView, Group, SecondsToVerify
from watchword.entrypoints.wire.figures import Figures, StatisticsAnswer

NAMED: Mapping[str, Any] = {
    "StatisticsBy": By,
    "StatisticsGroup": Group,
    "Statistics": StatisticsAnswer,
    "Figures": Figures,
    "SecondsToVerify": SecondsToVerify,
    "Cost": CostView,
}
