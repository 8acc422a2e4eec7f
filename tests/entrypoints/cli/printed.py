"""Reading a command's output back."""

from __future__ import annotations

import re


def cells(line: str) -> list[str]:
    """Return the cells of a line of a table."""
    return re.split(r"\s{2,}", line.strip())
