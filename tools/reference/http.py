"""docs/reference/http: a page for each part of the HTTP interface, from its OpenAPI description."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from attrs import frozen

from tools.openapi.refusals import ANYWHERE
from tools.reference.markdown import code, codes, page, prose, table
from tools.reference.shapes import described, in_words, members, used
from watchword.entrypoints.http.openapi_document import OPENAPI

_SOURCE = "`entrypoints/http/openapi.json`"
_EVERY = (
    "Every route takes `X-Request-Id` and answers it, and may answer the errors"
    f" {codes(ANYWHERE)} besides those that it names."
)
# What a route asks of its caller, by the security that it is described with.
_CALLERS = {
    "": "anybody",
    "ApiKey": "an API key of scope `pins`, in `Authorization: Bearer KEY`",
    "ApiKeyHeader": "an API key of scope `messaging`, in `apikey: KEY`",
    "AdminToken": "an operator's token, in `Authorization: Bearer TOKEN`",
    "LegacyToken": "a token of the legacy platform, in `authentication-token: TOKEN`",
    " AdminToken": "anybody under a loopback name; in a public sandbox, an operator's token",
}


@frozen
class Operation:
    """One operation of the interface: its method, its path, its description and the whole document."""

    method: str
    path: str
    said: Mapping[str, Any]
    document: Mapping[str, Any]

    def parts(self) -> Iterator[str]:
        """Yield the parts of its section."""
        yield f"## {self.said['summary']}"
        yield f"```text\n{self.method.upper()} {self.path}\n```"
        yield prose(self.said.get("description", ""))
        yield f"Who may call: {self._callers()}."
        yield self._parameters()
        yield from self._body()
        yield from self._answers()
        yield self._errors()

    def _callers(self) -> str:
        kinds = " ".join("".join(each) for each in self.said["security"])
        return _CALLERS[kinds]

    def _resolved(self, part: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a part of the document, or the one that it refers to."""
        found: Any = part
        if "$ref" in part:
            found = self.document
            for step in part["$ref"].removeprefix("#/").split("/"):
                found = found[step]
        return found  # type: ignore[no-any-return]  # JSON has no types

    def _parameters(self) -> str:
        rows = []
        for each in map(self._resolved, self.said.get("parameters", ())):
            if each["name"] == "X-Request-Id":
                continue
            optional = "" if each.get("required") else " *optional*"
            default = each["schema"].get("default")
            said = prose(each.get("description", ""))
            rows.append(
                (
                    code(each["name"]) + optional,
                    each["in"],
                    in_words(each["schema"]),
                    said + (f" Default: {code(default)}." if default is not None else ""),
                )
            )
        return table(("parameter", "in", "type", "meaning"), rows)

    def _body(self) -> Iterator[str]:
        body = self.said.get("requestBody")
        if body is None:
            return
        yield "**Body**" + ("" if body.get("required") else " (optional)")
        for media, content in body["content"].items():
            yield from _content(media, content, most=5)

    def _answers(self) -> Iterator[str]:
        for status, response in self.said["responses"].items():
            answer = self._resolved(response)
            if int(status) < 400:
                yield f"**{status}** {prose(answer['description'])}"
                own = sorted(answer.get("headers", {}).keys() - {"X-Request-Id"})
                yield f"Headers: {codes(own)}." if own else ""
                for media, content in answer.get("content", {}).items():
                    yield from _content(media, content, most=1)

    def _errors(self) -> str:
        rows = []
        for status, response in self.said["responses"].items():
            answer = self._resolved(response)
            content = answer.get("content", {}).get("application/json", {})
            found = self._codes(content)
            if int(status) >= 400 and not {*found} <= {*ANYWHERE}:
                rows.append((status, codes(found), prose(answer["description"])))
        return table(("error", "[codes](../errors.md#codes)", "meaning"), rows)

    def _codes(self, content: Mapping[str, Any]) -> list[str]:
        """Return the codes that an answer may have, in the order of the description."""
        names = used(content.get("schema", {}), self.document["components"]["schemas"])
        found: list[str] = []
        for name in names:
            member = (
                self.document["components"]["schemas"][name].get("properties", {}).get("code", {})
            )
            found += [member["const"]] if "const" in member else member.get("enum", [])
        return list(dict.fromkeys(found))

    def shapes(self) -> Any:
        """Return what its section says of types: those of errors are described elsewhere."""
        answers = {
            status: response
            for status, response in self.said["responses"].items()
            if int(status) < 400
        }
        return [self.said.get("parameters"), self.said.get("requestBody"), answers]


def _content(media: str, content: Mapping[str, Any], most: int) -> Iterator[str]:
    """Yield what a body of a media type consists of, and examples of it."""
    schema = content.get("schema", {})
    kind = in_words(schema) if schema else "bytes"
    yield f"{code(media)}: {kind}" if media != "application/json" else kind
    if "$ref" not in schema:
        yield members(schema)
    shown = list(content.get("examples", {}).items())[:most]
    for _, example in shown:
        value = example["value"]
        if media == "application/json":
            yield f"```json\n{json.dumps(value, indent=2, ensure_ascii=False)}\n```"


def http() -> dict[str, str]:
    """Return the pages by their place in docs/."""
    document = json.loads(OPENAPI.read_text())
    by_tag: dict[str, list[Operation]] = {each["name"]: [] for each in document["tags"]}
    for path, methods in document["paths"].items():
        for method, said in methods.items():
            by_tag[said["tags"][0]].append(Operation(method, path, said, document))
    about = {each["name"]: each["description"] for each in document["tags"]}
    found = {
        f"reference/http/{slug(tag)}.md": _page(tag, about[tag], operations, document)
        for tag, operations in by_tag.items()
    }
    return {"reference/http/README.md": _index(document, by_tag), **found}


def slug(title: str) -> str:
    """Return the name of the file of a page."""
    return re.sub(r"\W+", "-", title.lower())


def _anchor(title: str) -> str:
    """Return the anchor of a heading, as renderers of Markdown make it."""
    return re.sub(r"[\s]+", "-", re.sub(r"[^\w\s-]", "", title.lower()).strip())


def _index(document: Mapping[str, Any], by_tag: Mapping[str, list[Operation]]) -> str:
    parts = []
    for tag in document["tags"]:
        name = tag["name"]
        rows = (
            (
                code(f"{each.method.upper()} {each.path}"),
                f"[{each.said['summary']}]({slug(name)}.md#{_anchor(each.said['summary'])})",
            )
            for each in by_tag[name]
        )
        parts += [f"## {name}", prose(tag["description"]), table(("route", "what it does"), rows)]
    return page(
        "HTTP interface",
        _SOURCE,
        prose(document["info"]["description"]),
        "A running service describes itself: `/docs` shows the same as these pages, and `/openapi.json` is"
        " the description for programs. [Errors](../errors.md) explains the codes.",
        *parts,
    )


def _page(tag: str, about: str, operations: list[Operation], document: Mapping[str, Any]) -> str:
    schemas = document["components"]["schemas"]
    parameters = document["components"]["parameters"]
    shapes = [each.shapes() for each in operations]
    types = used([shapes, parameters], schemas) if operations else []
    parts = [part for each in operations for part in each.parts()]
    if types:
        parts.append("## Types")
        parts += [part for name in types for part in described(name, schemas[name])]
    return page(tag, _SOURCE, prose(about), _EVERY, *parts)
