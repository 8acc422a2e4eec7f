"""Options that several commands share; each has an environment variable `WATCHWORD_<FLAG>` (C-1)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


def option(flag: str, **settings: Any) -> Callable[[F], F]:
    """Declare an option with its environment variable."""
    variable = "WATCHWORD_" + flag.removeprefix("--").replace("-", "_").upper()
    return click.option(flag, envvar=variable, show_envvar=True, **settings)


def store_options(command: F) -> F:
    """Add the options that say where the events are kept."""
    with_store = option(
        "--store",
        metavar="URL",
        help="sqlite:///relative.db, sqlite:////absolute.db or memory:// "
        "(default: watchword.db in the data directory).",
    )
    with_data_dir = option(
        "--data-dir",
        type=click.Path(file_okay=False, path_type=Path),
        default=Path("var"),
        show_default=True,
        help="Holds the SQLite file and code.key.",
    )
    return with_data_dir(with_store(command))
