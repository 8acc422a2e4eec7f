"""The commands and examples of a guide."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence


def blocks(guide: str, language: str) -> list[str]:
    """Return the code blocks of a language, each as one text."""
    found = re.findall(rf"```{language}\n(.*?)```", guide, re.DOTALL)
    return [each.replace("\\\n", "") for each in found]


def section(guide: str, title: str) -> str:
    """Return the text under a heading."""
    return guide.split(f"\n## {title}\n")[1].split("\n## ", maxsplit=1)[0]


def typed(guide: str, *languages: str) -> list[list[str]]:
    """Return every call of `watchword` in blocks of these languages and in running text, in words."""
    calls = [
        call
        for language in languages
        for block in blocks(guide, language)
        for line in block.splitlines()
        for call in re.findall(r"(?:^|[ =/])watchword ((?!db\b)[a-z][^|&>)]*)", line)
        if "psql" not in line and "createdb" not in line and not line.startswith(("pg_", "  -c"))
    ]
    calls += re.findall(r"`watchword ([a-z][^`]*)`", guide)
    return [shlex.split(each) for each in calls]


def table(guide: str, first: str) -> Sequence[Sequence[str]]:
    """Return the cells below the table header that begins with a cell."""
    lines = guide.split(f"\n| {first} |")[1].split("\n\n", maxsplit=1)[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
