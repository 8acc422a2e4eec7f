"""A service without the console loads neither its pages nor what renders them (D-119)."""

from __future__ import annotations

import subprocess
import sys

import pytest

_PARTS = ("jinja2", "watchword.entrypoints.console")
_TOLD = f"import sys; print([each for each in sys.modules if each.startswith({_PARTS})])"


@pytest.mark.parametrize(
    "loaded",
    [
        "watchword",
        "watchword.entrypoints.serving.one_process",
        "watchword.entrypoints.http.app",
        "watchword.entrypoints.cli.__main__",
    ],
)
def test_the_console_is_loaded_where_it_is_served(loaded: str) -> None:
    """Importing any other part loads no page, and not the library of the pages."""
    done = subprocess.run(
        [sys.executable, "-c", f"import {loaded}; {_TOLD}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"
