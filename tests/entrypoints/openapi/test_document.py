"""The document is OpenAPI, its examples are true, and it agrees with the code."""

from __future__ import annotations

import re
from typing import Any

import pytest
from aiohttp.test_utils import TestClient
from attrs import fields
from openapi_spec_validator import OpenAPIV31SpecValidator

from tests.entrypoints.openapi.described import METHODS, Document, Operation
from tools.openapi import ROUTES, assemble
from tools.openapi.operations import name_of
from tools.openapi.prose import INTERFACE, SHARED, Prose
from watchword.adapters.channels.sandbox_posts import PostedStatus
from watchword.adapters.event_store.log.event_types import EVENT_TYPES
from watchword.domain.accounts.api_key import Scope
from watchword.domain.callback_endpoint import ACCOUNTS_PATTERNS, OPERATORS_PATTERNS, CallbackType
from watchword.domain.channel import PIN_CHANNELS, Channel
from watchword.domain.errors import camel
from watchword.domain.fallback_run import RunStatus, StepStatus
from watchword.domain.message import MessageStatus
from watchword.domain.pin import PinStatus
from watchword.domain.pin_template.policy import PinPolicy
from watchword.domain.receipt import ReceiptStatus
from watchword.entrypoints.http.media_upload_answers import UPLOAD
from watchword.entrypoints.http.openapi_document import OPENAPI
from watchword.entrypoints.http.statuses import STATUSES


def schema(document: Document, name: str) -> Any:
    """Return a named schema."""
    return document.contents["components"]["schemas"][name]


def examples(part: Any) -> list[tuple[Any, Any]]:
    """Return every example in a part of the document, each with its schema."""
    if isinstance(part, list):
        return [found for each in part for found in examples(each)]
    if not isinstance(part, dict):
        return []
    found = [found for each in part.values() for found in examples(each)]
    if "schema" in part and isinstance(part.get("examples"), dict):
        found += [(part["schema"], each["value"]) for each in part["examples"].values()]
    elif isinstance(part.get("examples"), list):
        found += [(part, each) for each in part["examples"]]
    return found


def test_the_document_is_what_the_code_and_the_prose_give() -> None:
    """The written file is the assembled one; after a change of a type or route, run `make openapi`."""
    assert assemble() == OPENAPI.read_text()


def test_every_fragment_of_prose_is_a_routes() -> None:
    """Prose beside a route that is gone, or that has another path now, is found."""
    assert {name_of(route) for route in ROUTES} == Prose.read().operations.keys()


def test_prose_is_named_after_its_routes() -> None:
    """Each file of prose has the name of a module of routes, and each of these modules has prose."""
    modules = {each.stem for each in INTERFACE.parent.glob("routes/[!_]*.py")}

    assert {SHARED, *modules} == {each.stem for each in INTERFACE.glob("*.toml")}


def test_the_document_is_openapi(document: Document) -> None:
    """It is a valid OpenAPI 3.1 document."""
    errors = OpenAPIV31SpecValidator(document.contents).iter_errors()

    assert [] == [error.message for error in errors]


async def test_the_routes_are_the_described_ones(client: TestClient, document: Document) -> None:
    """Every registered route is described, and every described one is registered."""
    assert client.app is not None
    registered = {
        Operation(route.method.lower(), route.resource.canonical)
        for route in client.app.router.routes()
        if route.resource is not None and route.method.lower() in METHODS
    }

    assert registered == set(document.operations)


async def test_the_server_gives_the_document(client: TestClient, document: Document) -> None:
    """GET /openapi.json needs no key and returns this document."""
    answer = await client.get("/openapi.json")

    assert document.contents == await answer.json()


def test_every_error_code_is_described_with_its_status(document: Document) -> None:
    """Each code of the table of refusals stands under its own status and no other."""
    # Embedders alone ask for one by its id.
    by_no_route = {("fallback_configuration_not_found", 404)}
    described = {
        (code, status)
        for operation in document.operations
        for status in document.statuses(operation)
        for code in document.codes(document.response(operation, status))
    }

    assert set(STATUSES.items()) - by_no_route == described


def test_every_error_response_names_its_codes(document: Document) -> None:
    """No refusal is described without the codes that it may carry; a probe's 503 is no refusal."""
    unnamed = [
        (str(operation), status)
        for operation in document.operations
        for status in document.statuses(operation)
        # The form of A3 has none (C-58).
        if operation.path != UPLOAD
        and status >= 400
        and not document.codes(document.response(operation, status))
    ]

    assert [("GET /health/ready", 503)] == unnamed


def test_every_answer_carries_its_request_id(document: Document) -> None:
    """X-Request-Id is a header of every described answer."""
    without = [
        (str(operation), status)
        for operation in document.operations
        for status in document.statuses(operation)
        if "X-Request-Id" not in document.response(operation, status)["headers"]
    ]

    assert [] == without


def parts(part: Any) -> list[Any]:
    """Return every object in a part of the document."""
    if isinstance(part, list):
        return [found for each in part for found in parts(each)]
    if not isinstance(part, dict):
        return []
    return [part, *(found for each in part.values() for found in parts(each))]


def test_generators_of_clients_find_every_operation(document: Document) -> None:
    """No path item stands behind a reference, and each operation has a name of its own (D-173)."""
    items = document.contents["paths"].values()
    names = [operation["operationId"] for item in items for operation in item.values()]

    assert [] == [item for item in items if "$ref" in item]
    assert len(document.operations) == len(set(names))


def test_generators_of_clients_find_every_list_and_object(document: Document) -> None:
    """A list says what is in it, and an object in an answer or a body has a name."""
    there = parts(document.contents["paths"])
    contents = [each["schema"] for each in there if isinstance(each.get("schema"), dict)]

    assert [] == [
        each
        for each in parts(document.contents["components"])
        if each.get("type") in ("array", ["array", "null"]) and "items" not in each
    ]
    assert [] == [each for each in contents if "properties" in each or "allOf" in each]


def test_every_component_is_used(document: Document) -> None:
    """Nothing is left over."""

    def references(part: Any) -> set[str]:
        if isinstance(part, list):
            return {found for each in part for found in references(each)}
        if not isinstance(part, dict):
            return set()
        own = {part["$ref"]} if isinstance(part.get("$ref"), str) else set()
        return own.union(*(references(each) for each in part.values()))

    components = {
        f"#/components/{kind}/{name}"
        for kind, named in document.contents["components"].items()
        if kind != "securitySchemes"
        for name in named
    }

    assert set() == components - references(document.contents)


def test_every_example_fits_its_schema(document: Document) -> None:
    """Examples of requests, answers and formats are valid."""
    found = examples(document.contents)
    problems = [(each, document.problems(kind, each)) for kind, each in found]

    assert found
    assert [] == [each for each in problems if each[1]]


def refusal(document: Document, called: str, status: int, code: str) -> Any:
    """Return the example of a refusal of an operation, which is named as in `Operation`."""
    (operation,) = (each for each in document.operations if str(each) == called)
    content = document.response(operation, status)["content"]["application/json"]
    return content["examples"][code]["value"]["error"]


@pytest.mark.parametrize(
    ("called", "rule"),
    [
        ("POST /v1/pins", "template"),
        ("GET /v1/pins/{pinId}", "requests_per_second"),
        ("POST /v1/pins/{pinId}/resend", "template"),
        ("POST /v1/pins/{pinId}/verify", "verify"),
        ("GET /v1/templates", "requests_per_second"),
    ],
)
def test_the_example_of_a_limit_is_one_that_the_operation_meets(
    document: Document, called: str, rule: str
) -> None:
    """A create cannot meet the verifyPinLimit, so its example does not name it."""
    assert rule == refusal(document, called, 429, "rate_limited")["details"]["rule"]


def test_the_example_of_an_unknown_template_names_its_kind(document: Document) -> None:
    """A review of an RCS template does not answer that a PIN template is unknown."""
    for each in document.operations:
        if each.path.startswith("/admin/v1/") and "template_not_found" in document.codes(
            document.response(each, 404) if 404 in document.statuses(each) else {"content": {}}
        ):
            said = refusal(document, str(each), 404, "template_not_found")["message"]
            kind = re.search("(pin|rcs|wa)-templates", each.path)
            assert kind
            assert {"pin": "PIN", "rcs": "rcs", "wa": "whatsapp"}[kind[1]] in said


def test_the_example_of_a_resend_that_is_too_late_says_that_a_later_pin_came(
    document: Document,
) -> None:
    """An expired code can be resent; a superseded PIN cannot (C-15)."""
    example = refusal(document, "POST /v1/pins/{pinId}/resend", 410, "pin_expired")

    assert {"reason": "superseded"} == example["details"]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("Channel", tuple(Channel)),
        ("ChannelFilter", (*Channel, "wa")),
        ("PinChannel", PIN_CHANNELS),
        ("RecordedPinStatus", tuple(PinStatus)),
        ("EventType", tuple(name for name, _ in EVENT_TYPES)),
        ("Scope", tuple(Scope)),
        ("CallbackType", CallbackType),
        ("CallbackPattern", (*ACCOUNTS_PATTERNS, *OPERATORS_PATTERNS)),
        ("ReceiptStatus", tuple(ReceiptStatus)),
        ("PostedStatus", tuple(PostedStatus)),
        ("MessageStatus", tuple(MessageStatus)),
        ("RunStatus", tuple(RunStatus)),
        # A step that was fired or accepted has a message, and stands where that stands.
        ("StepStatus", tuple(set(StepStatus) - {StepStatus.FIRED, StepStatus.ACCEPTED})),
    ],
)
def test_enumerations_are_those_of_the_code(
    document: Document, name: str, values: tuple[str, ...]
) -> None:
    """A value that the code gains or loses is gained or lost here, too."""
    assert sorted(set(values)) == sorted(schema(document, name)["enum"])


def test_default_limits_are_those_of_the_code(document: Document) -> None:
    """A template's limits have the described names and defaults."""
    limits = schema(document, "NewPinTemplate")["properties"]
    defaults = {camel(each.name): getattr(PinPolicy(), each.name) for each in fields(PinPolicy)}

    assert {
        name: value if isinstance(value, int | None) else str(value)
        for name, value in defaults.items()
    } == {name: limits[name].get("default") for name in defaults}
