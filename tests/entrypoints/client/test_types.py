"""The typed requests and answers have the members that `/openapi.json` describes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from collections.abc import Sequence as AnySequence
from datetime import datetime
from types import UnionType
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

import msgspec
import pytest
from msgspec import NODEFAULT
from msgspec.structs import FieldInfo, fields

from watchword.client import Message, UnknownMessage
from watchword.entrypoints.client import calls
from watchword.entrypoints.client.calls import Call
from watchword.entrypoints.client.data.media import MediaByUrl, MediaForm
from watchword.entrypoints.client.data.messages import (
    CheckStatus,
    ListHistory,
    MessageStatuses,
    SearchMessages,
)
from watchword.entrypoints.client.data.opt_lists import ListedRecipients, ListOptList
from watchword.entrypoints.client.data.pins import CreatePin, ListTemplates, ResendPin, VerifyPin
from watchword.entrypoints.client.data.rcs_templates import (
    FetchRcsTemplates,
    NewRcsTemplate,
    RcsTemplateData,
)
from watchword.entrypoints.client.data.sends import Fallback, Send
from watchword.entrypoints.client.data.whatsapp_templates import (
    FetchWhatsappTemplates,
    NewWhatsappTemplate,
)
from watchword.entrypoints.http.openapi_document import OPENAPI

DOCUMENT = json.loads(OPENAPI.read_bytes())
SCHEMAS = DOCUMENT["components"]["schemas"]
REQUESTS: dict[str, type] = {
    "CheckStatus": CheckStatus,
    "CreatePin": CreatePin,
    "Fallback": Fallback,
    "FetchRcsTemplates": FetchRcsTemplates,
    "FetchWhatsappTemplates": FetchWhatsappTemplates,
    "ListedRecipients": ListedRecipients,
    "MediaByUrl": MediaByUrl,
    "MediaForm": MediaForm,
    "NewRcsTemplate": NewRcsTemplate,
    "NewWhatsappTemplate": NewWhatsappTemplate,
    "OwnMessageFilters": SearchMessages,
    "RcsTemplateData": RcsTemplateData,
    "ResendPin": ResendPin,
    "Send": Send,
    "VerifyPin": VerifyPin,
}
QUERIES: dict[str, type] = {
    "listHistory": ListHistory,
    "listOptIns": ListOptList,
    "listOptOuts": ListOptList,
    "listTemplates": ListTemplates,
}
# Members that go out by other ways: as files, or under names of third parties.
ELSEWHERE = {
    ("MediaForm", "file"),
    ("MediaForm", "url"),
    ("NewRcsTemplate", "multimedia_files"),
    ("Fallback", "others"),
    # The call has one method for each channel.
    ("OwnMessageFilters", "channel"),
}
JSON_TYPES = {str: "string", int: "integer", bool: "boolean", float: "number", datetime: "string"}
# Described as optional for calls without a short link, of which the client has none.
STRICTER = {"urlDetails", "longUrl"}
# Cards of templates have parts, which have cards.
DEEPEST = 8


class Place(NamedTuple):
    """Where the walk is, and whether it looks at an answer."""

    path: str
    answer: bool


def resolved(schema: dict[str, Any]) -> dict[str, Any]:
    """Follow references."""
    while "$ref" in schema:
        schema = SCHEMAS[schema["$ref"].rpartition("/")[2]]
    return schema


def variants(schema: dict[str, Any], name: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each alternative of a schema and its name, but for null."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        schema = resolved(schema)
    alternatives = [*schema.get("oneOf", []), *schema.get("anyOf", [])]
    alternatives = [each for each in alternatives if "format" not in each]
    if not alternatives:
        if schema.get("type") != "null":
            yield name, schema
        return
    for each in alternatives:
        yield from variants(each, name)


def nullable(schema: dict[str, Any]) -> bool:
    """Return whether a member may be null."""
    schema = resolved(schema)
    kinds = schema.get("type", [])
    if "null" in (kinds if isinstance(kinds, list) else [kinds]):
        return True
    return any(nullable(each) for each in [*schema.get("anyOf", []), *schema.get("oneOf", [])])


def alternatives(annotated: Any) -> list[Any]:
    """Return the types of a union, but for None."""
    if get_origin(annotated) in (Union, UnionType):
        return [each for each in get_args(annotated) if each is not type(None)]
    return [annotated]


def compare(annotated: Any, schema: dict[str, Any], place: Place) -> Iterator[str]:
    """Yield how a type differs from what is described."""
    kinds = alternatives(annotated)
    structs = [
        each for each in kinds if isinstance(each, type) and issubclass(each, msgspec.Struct)
    ]
    described = list(variants(schema))
    if structs:
        yield from _structs(structs, described, place)
        return
    for kind in kinds:
        yield from _plain(kind, described, place)


def _structs(
    structs: list[type[msgspec.Struct]], described: list[tuple[str, dict[str, Any]]], place: Place
) -> Iterator[str]:
    if len(structs) == 1:
        yield from _members(structs[0], [each for _, each in described], place)
        return
    for struct in structs:
        tag = struct.__struct_config__.tag
        found = [(n, each) for n, each in described if n == struct.__name__ or _says(each, tag)]
        if not found:
            yield f"{place.path}: {struct.__name__} is not described"
        yield from _members(struct, [each for _, each in found], place)
    tags = [struct.__struct_config__.tag for struct in structs]
    names = [struct.__name__ for struct in structs]
    for name, each in described:
        if name not in names and not any(_says(each, tag) for tag in tags):
            yield f"{place.path}: {name} is missing"


def _says(schema: dict[str, Any], tag: object) -> bool:
    told = resolved(schema.get("properties", {}).get("type", {}))
    return tag is not None and (told.get("const") == tag or tag in told.get("enum", []))


def _members(
    struct: type[msgspec.Struct], described: list[dict[str, Any]], place: Place
) -> Iterator[str]:
    name = place.path.partition(".")[0]
    if place.path.count(".") > DEEPEST:
        return
    own = {each.encode_name: each for each in fields(struct)}
    hints = get_type_hints(struct)
    properties = {key: each for one in described for key, each in one["properties"].items()}
    # An alternative that a message of this channel does not have is null there.
    required = set.intersection(*({*one.get("required", [])} for one in described))
    tag = struct.__struct_config__.tag_field
    elsewhere = {member for where, member in ELSEWHERE if where == name}
    for missing in properties.keys() - own.keys() - {tag} - elsewhere:
        yield f"{place.path}.{missing} is missing"
    for surplus in own.keys() - properties.keys() - elsewhere:
        yield f"{place.path}.{surplus} is not described"
    for member in own.keys() & properties.keys():
        at = Place(f"{place.path}.{member}", place.answer)
        held = own[member]
        options = [one["properties"][member] for one in described if member in one["properties"]]
        yield from _presence(held, member in required, hints[held.name], options, at)
        if not any(each == {} for each in options):
            best = next((e for e in options if resolved(e).get("type") != "null"), options[0])
            yield from compare(hints[held.name], best, at)


def _presence(
    held: FieldInfo, required: bool, hint: Any, options: list[dict[str, Any]], at: Place
) -> Iterator[str]:
    default = held.default is not NODEFAULT or held.default_factory is not NODEFAULT
    if at.answer and required == default:
        yield f"{at.path} is {'not ' if default else ''}required here"
    stricter = held.encode_name in STRICTER
    if not (at.answer or required or default or stricter):
        yield f"{at.path} is required here"
    if not at.answer and required and default and held.default is None:
        yield f"{at.path} is not required here"
    if at.answer and any(map(nullable, options)) and type(None) not in get_args(hint):
        yield f"{at.path} may be null"


def _plain(kind: Any, described: list[tuple[str, dict[str, Any]]], place: Place) -> Iterator[str]:
    told = [each for _, each in described]
    types = {
        name
        for each in told
        for name in ([each["type"]] if isinstance(each.get("type"), str) else each.get("type", []))
    }
    types |= {JSON_TYPES[type(each["const"])] for each in told if "const" in each}
    origin = get_origin(kind)
    if origin is Literal:
        listed = {value for each in told for value in each.get("enum", [])} - {"wa"}
        closed = {*get_args(kind)}
        if listed and listed != closed:
            yield f"{place.path} is one of {sorted(listed)}"
    elif origin in (tuple, list, AnySequence):
        items = [each["items"] for each in told if "items" in each]
        if not items:
            yield f"{place.path} is no list"
            return
        yield from compare(get_args(kind)[0], items[0], place)
    elif origin in (dict, Mapping):
        if "object" not in types:
            yield f"{place.path} is no object"
    elif JSON_TYPES[kind] not in types and not (kind is bool and "integer" in types):
        yield f"{place.path} is {types}, no {kind.__name__}"
    elif place.answer and (kind is datetime) != any(e.get("format") == "date-time" for e in told):
        yield f"{place.path}: a time is {types}"


CALLS = [each for each in vars(calls).values() if isinstance(each, Call)]


def _answer_of(call: Call[Any]) -> dict[str, Any]:
    operation = DOCUMENT["paths"][call.path.replace("pin_id", "pinId")][call.method.lower()]
    (good,) = (each for status, each in operation["responses"].items() if status[0] == "2")
    schema: dict[str, Any] = good["content"]["application/json"]["schema"]
    # The media endpoints answer 200 to a refused key too.
    found = [each for each in variants(schema) if each[0] != "MediaKeyRefused"]
    return found[0][1]


@pytest.mark.parametrize("call", CALLS, ids=lambda each: f"{each.name}-{each.answer.__name__}")
def test_an_answer_has_the_described_members(call: Call[Any]) -> None:
    """Every member is there under its name, of its kind, and optional where it may be missing."""
    if call.answer is MessageStatuses:
        found = [
            *compare(Message, SCHEMAS["Message"], Place("Message", answer=True)),
            *compare(
                UnknownMessage, SCHEMAS["UnknownMessage"], Place("UnknownMessage", answer=True)
            ),
        ]
    elif call.name == "fetchTemplates":
        # Each channel has a page of its own.
        entry = call.answer.__name__.removesuffix("Page")
        kind = get_args(get_type_hints(call.answer)["templates"])[0]
        found = [*compare(kind, SCHEMAS[entry], Place(entry, answer=True))]
    else:
        found = [*compare(call.answer, _answer_of(call), Place(call.name, answer=True))]

    assert [] == found


@pytest.mark.parametrize("name", REQUESTS)
def test_a_request_has_the_described_members(name: str) -> None:
    """Every member is there under its name, of its kind, and required where it is."""
    assert [] == [*compare(REQUESTS[name], SCHEMAS[name], Place(name, answer=False))]


@pytest.mark.parametrize("name", QUERIES)
def test_a_query_has_the_described_parameters(name: str) -> None:
    """Every parameter is there under its name."""
    (parameters,) = (
        operation["parameters"]
        for item in DOCUMENT["paths"].values()
        for operation in item.values()
        if operation["operationId"] == name
    )
    schema = {"properties": {each["name"]: each["schema"] for each in parameters if "name" in each}}

    assert [] == [*compare(QUERIES[name], schema, Place(name, answer=False))]
