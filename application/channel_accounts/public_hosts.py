"""Hold tokens that are bound to an account to public hosts in channel accounts (C-84, D-488)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from ...domain.errors import FieldProblem, ValidationFailedError
from ..caller import Caller
from ..ports.web import Web

_SCHEMES = ("http://", "https://")
# The names of the settings that the built-in providers have for a server, and for a file on this machine.
_HOST, _FILE = "host", "cafile"
_NO_FILE = "must be left out: a token that is bound to an account names no files of the service"
_NO_HOST = "must have a host that is written out"
_MISSING = object()


class PublicHosts:
    """
    Refuses settings with which a bound token would reach what only the operators of the store may name.

    A `web` knows which addresses are public. It is asked before the provider, which would read a file
    to check it. A name is looked up once, when it is set.
    """

    def __init__(self, web: Web) -> None:
        self._web = web

    async def check(
        self, by: Caller, after: Mapping[str, Any], before: Mapping[str, Any] | None = None
    ) -> None:
        """Raise `ValidationFailedError` for what a bound caller must not set; others set anything."""
        if by.bound_to is None:
            return
        problems = []
        for path, value in _changed(before or {}, after, "config"):
            name = path.rpartition(".")[2].lower().replace("_", "")
            wrong = _NO_FILE if name == _FILE else await self._refusal(name, value)
            if wrong is not None:
                problems.append(FieldProblem(path, wrong))
        if problems:
            raise ValidationFailedError(problems)

    async def _refusal(self, name: str, value: object) -> str | None:
        text = value.strip() if isinstance(value, str) else ""
        if text.lower().startswith(_SCHEMES):
            try:
                host = urlsplit(text).netloc
            except ValueError:
                return _NO_HOST
        elif name == _HOST and text:
            host = f"[{text}]" if ":" in text else text
        else:
            return None
        # A placeholder would be filled in when nobody looks.
        return _NO_HOST if "{" in host else await self._web.refusal(f"https://{host}/")


def _changed(before: object, after: object, path: str) -> Iterator[tuple[str, object]]:
    """Yield the settings that differ, with their paths."""
    if isinstance(after, Mapping):
        kept = before if isinstance(before, Mapping) else {}
        for name, value in after.items():
            yield from _changed(kept.get(name, _MISSING), value, f"{path}.{name}")
    elif isinstance(after, list | tuple):
        old = before if isinstance(before, list | tuple) else ()
        for at, value in enumerate(after):
            yield from _changed(old[at] if at < len(old) else _MISSING, value, f"{path}[{at}]")
    elif before != after:
        yield path, after
