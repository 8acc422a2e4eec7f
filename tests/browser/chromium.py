"""
Finds a Chromium on this machine: the browser of Debian, or the one that a variable names.

`python -m tests.browser.chromium` says in one line that there is none, and else nothing.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

VARIABLE = "WATCHWORD_BROWSER"
_USUAL = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def chromium() -> Path | None:
    """Return the path of a browser; None where there is none."""
    if named := os.environ.get(VARIABLE):
        return Path(named)
    found = next(filter(None, map(shutil.which, _USUAL)), None)
    return None if found is None else Path(found)


if __name__ == "__main__" and chromium() is None:
    print(f"Not run: make test-browser, because there is no Chromium ({VARIABLE} may name one).")  # noqa: T201  `make test` shows it
