"""The lines of a shell, as far as they can be checked without running them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.docs.guide_lines import typed
from tests.entrypoints.cli.test_help import command_of, commands

ROOT = Path(__file__).parents[2]
# What is served and not described: pages for people, and what operators' tools read.
_NOT_DESCRIBED = re.compile(r"/(console|docs|metrics)(/.*)?")
_URL = re.compile(
    r"""(?:https?://[\w.:-]+|\$(?:URL|WATCHWORD_URL)|\$\{\w+\})(/(?:\$\{[^}]*\}|[^\s'"?;|)])*)"""
)
# The ports of the documents on which no program of the reader's listens.
_OURS = re.compile(r"https?://((127\.0\.0\.1|localhost|\[::1\]):808\d|[\w.]*pins\.\w+)")


def faults(text: str) -> list[str]:
    """Return what is wrong with the commands, routes and targets of a block of shell lines."""
    return [*_of_commands(text), *_of_routes(text), *_of_targets(text)]


def is_ours(text: str) -> bool:
    """Say whether a block has a line that `faults` can judge."""
    calls = typed(f"```sh\n{text}```", "sh")
    return bool(calls or list(_routes(text)) or re.search(r"^ *make [a-z-]", text, re.MULTILINE))


def _of_commands(text: str) -> Iterator[str]:
    """Yield calls of `watchword` with a command or a flag that does not exist."""
    known = set(commands())
    for words in typed(f"```sh\n{text}```", "sh"):
        if words[:1] == ["--help"] or words[:1] == ["--version"]:
            continue
        path = next((tuple(words[:n]) for n in (3, 2, 1) if tuple(words[:n]) in known), None)
        if path is None:
            yield f"no command: watchword {' '.join(words[:2])}"
            continue
        flags = {flag for each in command_of(*path).params for flag in each.opts} | {"--help"}
        for word in words:
            if word.startswith("--") and word.partition("=")[0] not in flags:
                yield f"no option of {' '.join(path)}: {word}"


@cache
def _described() -> dict[str, set[str]]:
    """Return the paths of the interface, as patterns, with their methods."""
    document = json.loads((ROOT / "entrypoints" / "http" / "openapi.json").read_text())
    return {
        re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(path)): {each.upper() for each in item}
        for path, item in document["paths"].items()
    }


def _routes(text: str) -> Iterator[tuple[str, str]]:
    """Yield method and path of every call of a service by curl."""
    joined = text.replace("\\\n", " ")
    for call in re.split(r"(?=\bcurl\b)", joined)[1:]:
        found = _URL.search(call)
        if found is None or (found[0].startswith("http") and not _OURS.match(found[0])):
            continue
        own = call if "'{" in call else f"{call}\n"[: f"{call}\n".find("\n", found.end())]
        method = re.search(r"(?:-X|--request)[ =]?([A-Z]+)", own)
        has_body = re.search(r" (-d|--data\S*|--json|-F|--form)\b", own)
        yield (method[1] if method else "POST" if has_body else "GET"), found[1]


def _of_routes(text: str) -> Iterator[str]:
    """Yield calls of routes that the interface does not have."""
    for method, path in _routes(text):
        plain = re.sub(r"\$\{[^}]*\}|\$\w+|\$\([^)]*\)|<[^>]*>", "x", path).rstrip("/")
        methods = [
            each for pattern, each in _described().items() if re.fullmatch(pattern, plain or "/")
        ]
        if not _NOT_DESCRIBED.fullmatch(plain) and not any(method in each for each in methods):
            yield f"no route: {method} {path}"


def _of_targets(text: str) -> Iterator[str]:
    """Yield targets that the Makefile does not have."""
    made = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for target in re.findall(r"^ *make ([a-z-]+)", text, re.MULTILINE):
        if target not in made:
            yield f"no target: make {target}"
