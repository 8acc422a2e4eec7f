"""The OpenAPI document of a service, derived from the one that `make openapi` wrote (D-174)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from ..providers.built_in import OWN_NAMES
from ..wired import Wired

OPENAPI = Path(__file__).with_name("openapi.json")
_SANDBOX = "Sandbox"


def description_of(service: Wired) -> bytes:
    """Return the document of a service; outside a sandbox, it omits the sandbox's operations."""
    return _described(service.sandbox is not None, service.providers)


@cache
def _described(sandbox: bool, providers: tuple[str, ...]) -> bytes:
    """Build the document once for each kind of service in this process."""
    written = OPENAPI.read_bytes()
    if providers == OWN_NAMES:
        return written
    document = msgspec.json.decode(written)
    schemas = document["components"]["schemas"]
    # An `enum` must not be empty, so a service without providers has none.
    schemas["Provider"] = {"type": "string", **({"enum": list(providers)} if providers else {})}
    # Other providers define their own configurations and posts.
    schemas["ProviderConfig"] = schemas["ProviderPost"] = {"type": "object"}
    if not sandbox:
        _remove_sandbox(document)
    return msgspec.json.encode(document)


def _remove_sandbox(document: dict[str, Any]) -> None:
    """Remove the sandbox's operations, and the components that only these use."""
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
    """Return the names of the components that operations use, by kind."""
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
