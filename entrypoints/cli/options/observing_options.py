"""Options of a running process: its log and its metrics."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from ....adapters.log_lines import RENDERERS
from .shared import option

F = TypeVar("F", bound=Callable[..., Any])


def observing_options(command: F) -> F:
    """Add the options that say what is shown of the work, and where."""
    options = (
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
    for each in reversed(options):
        command = each(command)
    return command
