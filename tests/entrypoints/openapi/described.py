"""Access to the document for tests: operations, their possible answers, and a check of answers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from attrs import frozen
from openapi_schema_validator import OAS31Validator, oas31_format_checker

from watchword.entrypoints.http.openapi_document import OPENAPI

JSON = "application/json"
METHODS = ("get", "post", "put", "patch", "delete")


@frozen
class Operation:
    """One method of one path."""

    method: str
    path: str

    def __str__(self) -> str:
        """Name it as a reader would."""
        return f"{self.method.upper()} {self.path}"


class Document:
    """The described interface, with its references followed."""

    def __init__(self, contents: Mapping[str, Any]) -> None:
        self.contents = contents
        self._operations = {
            Operation(method, path): self.resolved(item)[method]
            for path, item in contents["paths"].items()
            for method in METHODS
            if method in self.resolved(item)
        }

    @classmethod
    def read(cls) -> Document:
        """Read the document that the server serves."""
        return cls(json.loads(OPENAPI.read_text()))

    @property
    def operations(self) -> tuple[Operation, ...]:
        """All of them, in the document's order."""
        return tuple(self._operations)

    def resolved(self, part: Any) -> Any:
        """Follow a reference, if it is one."""
        while "$ref" in part:
            target: Any = self.contents
            for step in part["$ref"].removeprefix("#/").split("/"):
                target = target[step]
            part = target
        return part

    def query_names(self, operation: Operation) -> tuple[str, ...]:
        """Return the query parameters that an operation takes, in the document's order."""
        item = self.resolved(self.contents["paths"][operation.path])
        described = (
            *item.get("parameters", ()),
            *self._operations[operation].get("parameters", ()),
        )
        parameters = map(self.resolved, described)
        return tuple(each["name"] for each in parameters if each["in"] == "query")

    def wants_a_key(self, operation: Operation) -> bool:
        """Return whether an operation needs a key or a token."""
        return bool(self._operations[operation].get("security"))

    def takes_json(self, operation: Operation) -> bool:
        """Return whether an operation takes a body of JSON."""
        body = self.resolved(self._operations[operation].get("requestBody", {}))
        return "application/json" in body.get("content", {})

    def statuses(self, operation: Operation) -> frozenset[int]:
        """Return the statuses that an operation may answer."""
        return frozenset(int(status) for status in self._operations[operation]["responses"])

    def response(self, operation: Operation, status: int) -> Any:
        """Return what is said of one answer."""
        return self.resolved(self._operations[operation]["responses"][str(status)])

    def request_examples(self) -> Iterator[tuple[Operation, str, Any]]:
        """Yield the example bodies of requests, with their names."""
        for operation, described in self._operations.items():
            media = described.get("requestBody", {}).get("content", {}).get("application/json", {})
            for name, example in media.get("examples", {}).items():
                yield operation, name, example["value"]

    def request_problems(self, operation: Operation, body: Any) -> list[str]:
        """Return the violations of the document in a request body."""
        described = self._operations[operation]["requestBody"]["content"]["application/json"]
        return self.problems(described["schema"], body)

    def problems(self, schema: Mapping[str, Any], value: Any) -> list[str]:
        """Return the violations of a schema in a value."""
        # References stay local: the schema carries the components that they point to.
        whole = {**schema, "components": self.contents["components"]}
        validator = OAS31Validator(whole, format_checker=oas31_format_checker)
        return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(value)]

    def answer_problems(
        self, operation: Operation, status: int, headers: Mapping[str, str], body: bytes
    ) -> list[str]:
        """Return the differences between an answer and its description."""
        if status not in self.statuses(operation):
            return [f"status {status} is not described"]
        described = self.response(operation, status)
        media = headers["Content-Type"].partition(";")[0]
        if media not in described["content"] and "*/*" not in described["content"]:
            return [f"{media} is not described"]
        schema = described["content"].get(media, {"schema": {}})["schema"]
        # Bytes are any text.
        text = body.decode("latin-1" if media == "application/octet-stream" else "utf-8")
        found = self.problems(schema, json.loads(body) if media == JSON else text)
        for name, reference in described["headers"].items():
            header = self.resolved(reference)
            if name in headers:
                value = headers[name]
                integer = header["schema"].get("type") == "integer"
                found += self.problems(header["schema"], int(value) if integer else value)
            elif header.get("required", False):
                found.append(f"the header {name} is missing")
        for name in ("Retry-After", "Idempotent-Replayed", "WWW-Authenticate", "Allow"):
            if name in headers and name not in described["headers"]:
                found.append(f"the header {name} is not described")
        return found

    def operation_for(self, method: str, path: str) -> Operation:
        """Find the operation behind an actual path."""
        for operation in self._operations:
            # The path of a tile has slashes.
            pattern = re.sub(r"\{\w+\}", "[^/]+", operation.path.replace("{tile}", ".+"))
            if operation.method == method.lower() and re.fullmatch(
                pattern, path.split("?", maxsplit=1)[0]
            ):
                return operation
        raise LookupError(f"{method} {path}")

    def codes(self, response: Any) -> frozenset[str]:
        """Return the error codes that a response may have; none if it is no error."""
        schema = self.resolved(response)["content"].get(JSON, {}).get("schema", {})
        found: set[str] = set()
        for part in map(self.resolved, schema.get("anyOf", [schema])):
            properties = part.get("properties", {})
            inner = self.resolved(properties.get("error", part)).get("properties", {})
            if "const" in inner.get("code", {}):
                found.add(inner["code"]["const"])
        return frozenset(found)
