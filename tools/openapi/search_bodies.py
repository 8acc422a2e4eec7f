"""The schemas of searches in bodies: the filters of the same searches in queries (C-73)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tools.openapi.operations import name_of
from tools.openapi.parameters import query_parameter
from tools.openapi.prose import Prose
from watchword.entrypoints.http.route import Route


def search_bodies(routes: Iterable[Route], prose: Prose) -> dict[str, Any]:
    """Return the schema of every search in a body, by the name under which its route takes it."""
    return {
        prose.operations[name_of(route)]["takes"]: _schema(route, prose)
        for route in routes
        if route.members
    }


def _schema(route: Route, prose: Prose) -> dict[str, Any]:
    own, shared = prose.operations[name_of(route)], prose.shared["parameters"]["query"]
    told = own.get("parameters", {})
    properties = {}
    for name in route.members:
        schema, finds = query_parameter(route, name)
        words = told.get(name) or shared.get(name) or finds
        properties[name] = schema if words is None else {**schema, "description": words}
    return {"type": "object", "properties": properties, "additionalProperties": False}
