"""Builds the operation of a route: its prose, parameters, body, answers and refusals."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, assert_never

from aiohttp import hdrs

from tools.openapi.parameters import query_parameter
from tools.openapi.prose import Prose, examples
from tools.openapi.refusals import (
    ANYWHERE,
    OF_BODIES,
    OF_KEYS,
    OF_SAVED_ANSWERS,
    Refusals,
)
from tools.openapi.schemas import reference
from watchword.domain.accounts.token_role import TokenRole
from watchword.entrypoints.http.error_forms import Form, form_of
from watchword.entrypoints.http.media_upload_answers import in_media_form
from watchword.entrypoints.http.route import (
    About,
    AccountKey,
    LegacyToken,
    Nothing,
    OperatorToken,
    Route,
    SandboxAccess,
)

_JSON = "application/json"
# By the kind of credential that a route needs.
_SECURITY: Mapping[str, list[dict[str, list[str]]]] = {
    "ApiKey": [{"ApiKey": []}],
    "ApiKeyHeader": [{"ApiKeyHeader": []}],
    "AdminToken": [{"AdminToken": []}],
    "LegacyToken": [{"LegacyToken": []}],
    "Sandbox": [{}, {"AdminToken": []}],
    "Provider": [{}, {"AdminToken": []}],
    "None": [],
}


def name_of(route: Route) -> str:
    """Return the name of a route in the fragments."""
    return f"{route.method} {route.path}"


def _key_of(route: Route, said: Mapping[str, Any]) -> str:
    """Return the name of a route's security scheme."""
    match route.needs:
        case AccountKey(header=hdrs.AUTHORIZATION):
            return "ApiKey"
        case AccountKey():
            return "ApiKeyHeader"
        case OperatorToken():
            return "AdminToken"
        case LegacyToken():
            return "LegacyToken"
        case SandboxAccess():
            return "Sandbox"
        case Nothing():
            # Adapters check the signatures of providers themselves.
            return "Provider" if said.get("signed") else "None"
        case _:
            assert_never(route.needs)


def operation(route: Route, prose: Prose) -> dict[str, Any]:
    """Return the operation of a route."""
    said = prose.operations[name_of(route)]
    key = _key_of(route, said)
    body = {"requestBody": _body(said)} if "takes" in said else {}
    callbacks = {"callbacks": _callbacks(said["callbacks"])} if "callbacks" in said else {}
    return {
        "tags": [said["tag"]],
        "operationId": said["id"],
        "summary": said["summary"],
        "description": said["about"] + _needs_of(route),
        "security": _SECURITY[key],
        "parameters": _parameters(route, said, prose, key),
        **body,
        "responses": _responses(route, said, prose, key),
        **callbacks,
    }


def _needs_of(route: Route) -> str:
    """Return what an operator's token needs to open a route; nothing for other routes."""
    if not isinstance(route.needs, OperatorToken):
        return ""
    unbound = " that is bound to no account" if route.about is About.STORE else ""
    return f"\n\nNeeds a token with the role `{route.needs.role}`{unbound}."


def _is_forbidden_to_some(route: Route) -> bool:
    """Return whether a valid token may be refused by its role, or by the account that it is bound to."""
    needs = route.needs
    return isinstance(needs, OperatorToken) and (
        needs.role is not TokenRole.AUDITOR or route.about is About.STORE
    )


def _parameters(
    route: Route, said: Mapping[str, Any], prose: Prose, key: str
) -> list[dict[str, Any]]:
    own, shared = said.get("parameters", {}), prose.shared["parameters"]
    headers = ["X-Request-Id", *said.get("headers", [])]
    # A route without credentials reads the header `Prefer` only if it has a body.
    read_exactly = key not in ("None", "Provider") or (key == "None" and "takes" in said)
    headers += ["Prefer"] if read_exactly else []
    headers += ["Idempotency-Key"] if said.get("once") else []
    found: list[dict[str, Any]] = [_parameter_reference(name) for name in headers]
    for name in re.findall(r"\{(\w+)\}", route.path):
        described = {"name": name, "in": "path", "required": True}
        found.append({**described, **_about(own.get(name)), "schema": {"type": "string"}})
    for name in route.query:
        schema, finds = query_parameter(route, name)
        words = own.get(name) or shared["query"].get(name) or finds
        found.append({"name": name, "in": "query", **_about(words), "schema": schema})
    return found


def _about(words: str | None) -> dict[str, str]:
    return {} if words is None else {"description": words}


def _parameter_reference(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/parameters/{name}"}


def _body(said: Mapping[str, Any]) -> dict[str, Any]:
    takes = said["takes"]
    by_type = takes if isinstance(takes, dict) else {_JSON: takes}
    shown = said.get("examples", {}).get("takes", {})
    content = {kind: {"schema": reference(name)} for kind, name in by_type.items()}
    if shown:
        content[_JSON if _JSON in content else next(iter(content))]["examples"] = examples(shown)
    return {
        **_about(said.get("takes_about")),
        "required": said.get("required", True),
        "content": content,
    }


def _responses(route: Route, said: Mapping[str, Any], prose: Prose, key: str) -> dict[str, Any]:
    found = {status: _answer(status, name, said) for status, name in said["gives"].items()}
    if (form := form_of(route.path)) is Form.LEGACY:
        return found
    codes = tuple(_codes(route, said, key))
    refusals = Refusals(
        form=form,
        codes=codes,
        key=key,
        saved=said.get("once", False),
        said=said["said"],
        shown=said.get("examples", {}).get("refuses", {}),
    )
    refused = refusals.responses(prose.shared["refusals"])
    if in_media_form(route.path):
        refused = {status: _in_media_form(status, each) for status, each in refused.items()}
    return dict(sorted({**found, **refused}.items()))


def _codes(route: Route, said: Mapping[str, Any], key: str) -> Iterable[str]:
    spared = said.get("spares", ())
    generic = [*ANYWHERE, "validation_failed", "unavailable", *OF_KEYS.get(key, ())]
    generic += ("forbidden",) if _is_forbidden_to_some(route) else ()
    generic += OF_BODIES if "takes" in said else ()
    generic += OF_SAVED_ANSWERS if said.get("once") else ()
    return dict.fromkeys(
        [*said.get("refuses", ()), *(each for each in generic if each not in spared)]
    )


def _answer(status: str, name: Any, said: Mapping[str, Any]) -> dict[str, Any]:
    by_type = name if isinstance(name, dict) else {_JSON: name}
    shown = said.get("examples", {}).get("gives", {}) if status in ("200", "201", "302") else {}
    content: dict[str, Any] = {kind: _content(each) for kind, each in by_type.items() if each}
    if shown and _JSON in content:
        content[_JSON]["examples"] = examples(shown)
    headers: dict[str, Any] = {"X-Request-Id": {"$ref": "#/components/headers/X-Request-Id"}}
    if said.get("once"):
        headers["Idempotent-Replayed"] = {"$ref": "#/components/headers/Idempotent-Replayed"}
    headers |= said.get("answer_headers", {}).get(status, {})
    return {"description": said["said"][status], "headers": headers, "content": content}


def _content(name: str) -> dict[str, Any]:
    if name == "text":
        return {"schema": {"type": "string"}}
    if name == "file":
        return {"schema": {"type": "string", "format": "binary"}}
    if name == "anything":
        return {}
    several = [reference(each) for each in name.split(" or ")]
    return {"schema": several[0] if len(several) == 1 else {"anyOf": several}}


def _in_media_form(status: str, response: dict[str, Any]) -> dict[str, Any]:
    """Return a refusal in the form of A3, which has no codes (C-58)."""
    if status == "431":
        return response
    name = "MediaUploadLimited" if status == "429" else "MediaUploadError"
    return {**response, "content": {_JSON: {"schema": reference(name)}}}


def _callbacks(told: Mapping[str, Any]) -> dict[str, Any]:
    """Return the callbacks that are posted to an address in the request."""
    return {
        name: {
            each["to"]: {
                "post": {
                    "security": [],
                    "summary": each["summary"],
                    "description": each["about"],
                    "requestBody": {
                        "required": True,
                        "content": {_JSON: {"schema": reference(each["takes"])}},
                    },
                    "responses": {"2XX": {"description": each["said"]}},
                }
            }
        }
        for name, each in told.items()
    }


def as_json(document: Mapping[str, Any]) -> str:
    """Return the text of a document."""
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"
