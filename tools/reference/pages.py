"""All generated pages, by their place in docs/."""

from __future__ import annotations

from pathlib import Path

from tools.reference.cli import cli
from tools.reference.errors import errors
from tools.reference.http import http
from tools.reference.log_lines import log
from tools.reference.metrics import metrics
from tools.reference.python_api import python_api
from tools.reference.settings import settings

DOCS = Path(__file__).parents[2] / "docs"


def generated() -> dict[str, str]:
    """Return the text of each generated page."""
    return {
        "reference/cli.md": cli(),
        "reference/errors.md": errors(),
        "reference/log.md": log(),
        "reference/metrics.md": metrics(),
        "reference/settings.md": settings(),
        **http(),
        **python_api(),
    }
