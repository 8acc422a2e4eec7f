"""Write the blocking client from the one for asyncio (`make client`), so that both have the same calls."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

_CLIENT = Path(__file__).parents[1] / "entrypoints" / "client"
SOURCE, TARGET = _CLIENT / "asynchronous", _CLIENT / "blocking"
# Connections differ by more than words, and are written twice.
_BY_HAND = ("__init__.py", "connection.py")
_WORDS = (
    (r"Callable\[\[float\], Awaitable\[None\]\]", "Callable[[float], None]"),
    (r"import Awaitable, Callable", "import Callable"),
    (r"\bimport asyncio\n", ""),
    (r"\basyncio\.sleep\b", "time.sleep"),
    (r"\basync (def|with|for)\b", r"\1"),
    (r"`async with`", "`with`"),
    (r"\bawait ", ""),
    (r"\b__a(enter|exit)__", r"__\1__"),
    (r"\bAsync([A-Z]\w+)", r"\1"),
)


def blocking(text: str) -> str:
    """Return a module of the client for asyncio as one that blocks, formatted as all code is."""
    for pattern, replacement in _WORDS:
        text = re.sub(pattern, replacement, text)
    return _ruff("format", _ruff("check", text, "--fix-only", "--select", "I"))


def modules() -> dict[Path, str]:
    """Return each generated module: where it belongs, and its text."""
    return {
        TARGET / each.name: blocking(each.read_text())
        for each in sorted(SOURCE.glob("*.py"))
        if each.name not in _BY_HAND
    }


def _ruff(command: str, text: str, *options: str) -> str:
    run = [sys.executable, "-m", "ruff", command, *options, "--stdin-filename", "blocking.py", "-"]
    done = subprocess.run(run, input=text, capture_output=True, text=True, check=True)
    return done.stdout


if __name__ == "__main__":
    for path, text in modules().items():
        path.write_text(text)
