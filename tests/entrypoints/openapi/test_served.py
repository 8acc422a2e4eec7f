"""The description of a service has everything that the service has, and nothing else (D-174)."""

from __future__ import annotations

import json
import re
from typing import Any

from openapi_spec_validator import OpenAPIV31SpecValidator

from tests.entrypoints.conftest import Serving
from tests.entrypoints.openapi.described import Document
from tests.fakes.providers import ScriptedProvider
from watchword.entrypoints.providers.built_in import BUILT_IN

STORES = ("memory",)


async def described(serving: Serving, **changes: Any) -> Any:
    """Return the document that a service serves."""
    async with serving(**changes) as caller:
        return (await caller.using(None).get("/openapi.json")).json


def provider(document: Any) -> Any:
    """Return what a document says of the providers of channel accounts."""
    return document["components"]["schemas"]["Provider"]


async def test_a_sandbox_describes_all_routes(serving: Serving, document: Document) -> None:
    """A sandbox has every route, and serves the written file."""
    assert document.contents == await described(serving, sandbox=True)


async def test_outside_the_sandbox_nothing_of_it_is_described(serving: Serving) -> None:
    """Its routes, tags, types and providers are absent."""
    document = await described(serving, sandbox=False)
    errors = OpenAPIV31SpecValidator(document).iter_errors()

    assert [] == [error.message for error in errors]
    assert [] == [path for path in document["paths"] if "sandbox" in path]
    assert [] == [tag["name"] for tag in document["tags"] if tag["name"] == "Sandbox"]
    assert [*BUILT_IN] == provider(document).get("enum", [])
    assert "Outbox" not in document["components"]["schemas"]


async def test_all_else_is_described_as_in_a_sandbox(serving: Serving, document: Document) -> None:
    """Leaving the sandbox out takes no other operation along."""
    operations = Document(await described(serving, sandbox=False)).operations

    assert [each for each in document.operations if "/sandbox/" not in each.path] == [*operations]


async def test_every_component_of_a_served_document_is_used(serving: Serving) -> None:
    """Components that only sandbox routes use are removed with those routes."""
    document = await described(serving, sandbox=False)
    used = set(re.findall(r'"#/components/(\w+/[\w.-]+)"', json.dumps(document)))
    there = {
        f"{kind}/{name}"
        for kind, named in document["components"].items()
        if kind != "securitySchemes"
        for name in named
    }

    assert used == there


async def test_an_embedders_providers_are_offered(serving: Serving) -> None:
    """A channel account can have the adapters that are registered, and the sandbox in a sandbox."""
    providers = {"pigeon": ScriptedProvider()}
    outside = await described(serving, providers=providers, sandbox=False)
    inside = await described(serving, providers=providers, sandbox=True)

    assert [*BUILT_IN, "pigeon"] == provider(outside)["enum"]
    assert ["sandbox", *BUILT_IN, "pigeon"] == provider(inside)["enum"]
