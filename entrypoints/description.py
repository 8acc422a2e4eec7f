"""The description of the interface: as `make openapi` wrote it, and as a service gives it (D-174)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from .sandbox.phones import PROVIDER as SANDBOX_PROVIDER
from .wiring import Wired

OPENAPI = Path(__file__).parent / "http" / "openapi.json"
_SANDBOX = "Sandbox"


def description_of(service: Wired) -> bytes:
    """Return the description of what a service has: outside the sandbox, nothing of a sandbox."""
    return _described(service.sandbox is not None, tuple(sorted(service.third_parties)))


@cache
def _described(sandbox: bool, third_parties: tuple[str, ...]) -> bytes:
    """Return the description as bytes, which each service of a process makes once at most."""
    written = OPENAPI.read_bytes()
    if sandbox and not third_parties:
        return written
    document = msgspec.json.decode(written)
    providers = [SANDBOX_PROVIDER, *third_parties] if sandbox else [*third_parties]
    schemas = document["components"]["schemas"]
    # A list of no words is no schema: without a provider, nothing is offered.
    schemas["Provider"] = {"type": "string", **({"enum": providers} if providers else {})}
    # What other providers keep and post is in no type of ours.
    schemas["ProviderConfig"] = schemas["ProviderPost"] = {"type": "object"}
    if not sandbox:
        _leave_out_the_sandbox(document)
    return msgspec.json.encode(document)


def _leave_out_the_sandbox(document: dict[str, Any]) -> None:
    """Leave out the operations of the sandbox, and the components that these alone refer to."""
    document["tags"] = [each for each in document["tags"] if each["name"] != _SANDBOX]
    document["paths"] = {
        path: item
        for path, item in document["paths"].items()
        if not any(_SANDBOX in operation["tags"] for operation in item.values())
    }
    components = document["components"]
    used = _used(document["paths"], components)
    for kind, named in components.items():
        if kind != "securitySchemes":
            components[kind] = {name: each for name, each in named.items() if name in used[kind]}


def _used(paths: Any, components: Any) -> dict[str, set[str]]:
    """Return the names of the components that operations refer to, by the kind of component."""
    used: dict[str, set[str]] = {kind: set() for kind in components}
    waiting = list(_references(paths))
    while waiting:
        _, _, kind, name = waiting.pop().split("/")
        if name not in used[kind]:
            used[kind].add(name)
            waiting += _references(components[kind][name])
    return used


def _references(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        if isinstance(part.get("$ref"), str):
            yield part["$ref"]
        for each in part.values():
            yield from _references(each)
    elif isinstance(part, list):
        for each in part:
            yield from _references(each)
