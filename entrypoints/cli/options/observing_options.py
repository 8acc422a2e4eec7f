"""Options of a running process: its log and its metrics."""

from __future__ import annotations

import click

from ....adapters.log_lines import RENDERERS
from .shared import option, together

observing_options = together(
    option(
        "--log-level",
        type=click.Choice(["debug", "info", "warning", "error"], case_sensitive=False),
        default="info",
        show_default=True,
        help="The least that is logged, on stderr.",
    ),
    option(
        "--log-format",
        type=click.Choice([*RENDERERS]),
        help="How it is logged (default: text in a terminal, json elsewhere).",
    ),
    option(
        "--metrics-port",
        type=click.IntRange(0, 65535),
        help="Serve Prometheus metrics on this port of the same host; 0 takes a free one.",
    ),
)
