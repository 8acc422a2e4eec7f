"""Assembles the OpenAPI document from the code and from the prose of its operations (D-173)."""

from __future__ import annotations

from tools.openapi.document import assembled
from tools.openapi.operations import as_json
from tools.openapi.prose import Prose
from watchword.entrypoints.http import routes

ROUTES = (
    *routes.CALLER_ROUTES,
    *routes.LEGACY_ROUTES,
    *routes.OPERATOR_ROUTES,
    *routes.SANDBOX_ROUTES,
    *routes.SANDBOX_OPERATOR_ROUTES,
)


def assemble() -> str:
    """Return the document of all routes."""
    return as_json(assembled(ROUTES, Prose.read()))
