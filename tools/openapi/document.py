"""Assembles the whole document from the declarations in the code and the prose."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from tools.openapi.operations import operation
from tools.openapi.pages import pages
from tools.openapi.prose import Prose, described, references
from tools.openapi.schemas import Types
from tools.openapi.search_bodies import search_bodies
from tools.openapi.types import NAMED
from watchword.entrypoints.http.route import Route
from watchword.entrypoints.release import release

_SCHEMAS = "#/components/schemas/"


def assembled(routes: Iterable[Route], prose: Prose) -> dict[str, Any]:
    """Return the document of some routes."""
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = operation(route, prose)
    shared = prose.shared
    schemas = Types(NAMED).components()
    found = {**pages(references(paths)), **search_bodies(routes, prose)}
    schemas = described({**schemas, **found}, prose)
    components = {
        "securitySchemes": shared["securitySchemes"],
        "parameters": shared["parameters"]["headers"],
        "headers": shared["headers"],
        "schemas": schemas,
    }
    document = {
        "openapi": "3.1.0",
        "info": {**shared["info"], "version": release()},
        "servers": [{"url": "/"}],
        "tags": shared["tags"],
        "paths": dict(sorted(paths.items())),
        "components": components,
    }
    return _with_used_components(_with_shared_responses(document))


def _with_shared_responses(document: dict[str, Any]) -> dict[str, Any]:
    """Move refusals that several operations share into the components."""
    found: dict[str, Counter[str]] = {}
    refused = [
        (operation["responses"], status)
        for item in document["paths"].values()
        for operation in item.values()
        for status in operation["responses"]
        if int(status) >= 400
    ]
    for responses, status in refused:
        name = _shared_name(responses[status])
        found.setdefault(name, Counter())[json.dumps(responses[status])] += 1
    shared: dict[str, Any] = {}
    for name, forms in found.items():
        text, times = forms.most_common(1)[0]
        if times > 1:
            shared[name] = json.loads(text)
    for responses, status in refused:
        name = _shared_name(responses[status])
        if responses[status] == shared.get(name):
            responses[status] = {"$ref": f"#/components/responses/{name}"}
    document["components"]["responses"] = dict(sorted(shared.items()))
    return document


def _shared_name(response: Mapping[str, Any]) -> str:
    names = [each.removeprefix(_SCHEMAS) for each in references(response["content"])]
    return "Or".join(name.removesuffix("Error") for name in names)


def _with_used_components(document: dict[str, Any]) -> dict[str, Any]:
    """Remove components that nothing in the document refers to."""
    components = document.pop("components")
    used, new = set[str](), set(references(document))
    while new:
        used |= new
        parts = (_at(components, each) for each in new)
        new = {each for part in parts for each in references(part)} - used
    kept = {
        kind: {
            name: each
            for name, each in named.items()
            if kind == "securitySchemes" or f"#/components/{kind}/{name}" in used
        }
        for kind, named in components.items()
    }
    return {**document, "components": kept}


def _at(components: Mapping[str, Any], reference: str) -> Any:
    _, _, kind, name = reference.split("/")
    return components[kind][name]
