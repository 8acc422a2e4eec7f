"""Shells for the lines of the documents: their curl is Python's, and their watchword this checkout's."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.entrypoints.cli.processes import command, environment

Shell = Callable[..., "subprocess.CompletedProcess[str]"]

_ROOT = Path(__file__).parents[3]


def shell_in(folder: Path) -> Shell:
    """Return what runs lines in a shell in a folder, with variables of the caller's."""
    tools = folder / "tools"
    tools.mkdir()
    program = "import sys, shlex; from tests.entrypoints.cli.curl_lines import answer_to"
    program = f"{program}; print(answer_to(shlex.join(['curl', *sys.argv[1:]])), end='')"
    for name, words in {
        "curl": [sys.executable, "-c", program],
        "watchword": command(),
    }.items():
        tool = tools / name
        path = shlex.quote(str(_ROOT))
        tool.write_text(f'#!/bin/sh\nPYTHONPATH={path} exec {shlex.join(words)} "$@"\n')
        tool.chmod(0o700)

    def run(lines: str, **variables: str) -> subprocess.CompletedProcess[str]:
        path = f"{tools}:{os.environ['PATH']}"
        return subprocess.run(
            ["/bin/sh", "-c", lines],
            env=environment(PATH=path, **variables),
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )

    return run
