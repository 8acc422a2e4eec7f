"""WhatsApp templates on the wire: all mistakes are named at once, each by its path (C-26)."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.entrypoints.message_templates.changed_templates import GONE, changed, places
from tests.entrypoints.message_templates.creating_whatsapp import (
    CODE,
    FULL,
    ONE_TAP,
    TEMPLATES,
    TEXT,
)
from tests.whatsapp_templates import templates
from watchword.domain.whatsapp_template import violations
from watchword.entrypoints.message_templates.whatsapp_reading import (
    read_template,
    read_template_text,
    template_definition,
)
from watchword.entrypoints.message_templates.whatsapp_writing import template_data

REQUIRED = {
    "new_teas": [
        *("name", "language", "category", "components"),
        *("components[0].type", "components[0].format", "components[0].text"),
        *("components[1].text", "components[2].text", "components[3].buttons"),
        *("components[3].buttons[0].type", "components[3].buttons[0].text"),
        *("components[3].buttons[1].text", "components[3].buttons[1].url"),
        *("components[3].buttons[2].text", "components[3].buttons[2].phone_number"),
    ],
    "one_tap": [
        *("components[1].buttons", "components[1].buttons[0].type"),
        *("components[1].buttons[0].otp_type", "components[1].buttons[0].supported_apps"),
        "components[1].buttons[0].supported_apps[0].package_name",
        "components[1].buttons[0].supported_apps[0].signature_hash",
    ],
}
WRONG_TYPES = [
    ("new_teas", "components", {}, "must be a list"),
    ("new_teas", "components[1]", "tea", "must be an object"),
    ("new_teas", "components[1].text", ["tea"], "must be a text"),
    ("new_teas", "components[0].example", ["Mei"], "must be an object"),
    ("new_teas", "components[0].example.header_text", "Mei", "must be a list of texts"),
    ("new_teas", "components[0].example.header_text[0]", 7, "must be a text"),
    ("new_teas", "components[1].example.body_text[0][1]", None, "must be a text"),
    ("new_teas", "components[3].buttons[1].example", "tea", "must be a list of texts"),
    ("new_teas", "components[3].buttons[3].example", ["tea"], "must be a text"),
    ("code", "components[0].add_security_recommendation", 1, "must be true or false"),
    ("code", "components[0].add_security_recommendation", "true", "must be true or false"),
    ("code", "components[1].code_expiration_minutes", "10", "must be a whole number"),
    ("code", "components[1].code_expiration_minutes", True, "must be a whole number"),
    ("code", "components[1].code_expiration_minutes", 1.5, "must be a whole number"),
    ("code", "components[2].buttons[0].otp_type", "ZERO_TAP", "must be one of COPY_CODE, ONE_TAP"),
    ("code", "components[2].buttons[0].type", "URL", "must be one of OTP"),
    ("code", "components[1].type", "HEADER", "must be one of BODY, FOOTER, BUTTONS"),
    ("new_teas", "components[0].format", "GIF", "must be one of TEXT, IMAGE, VIDEO"),
    ("new_teas", "components[3].buttons[0].type", "OTP", "must be one of QUICK_REPLY, URL"),
    ("new_teas", "category", "OTP", "must be one of AUTHENTICATION, UTILITY, MARKETING"),
]


def wrong(body: Any) -> dict[str, str]:
    """Return what is said of each path."""
    return {problem.path: problem.message for problem in read_template(body).problems}


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_of_each_kind(name: str) -> None:
    """It is read, and reads the same when it is written."""
    assert TEMPLATES[name] == template_data(template_definition(TEMPLATES[name]))


@pytest.mark.parametrize(
    ("name", "path"), [(name, path) for name, paths in REQUIRED.items() for path in paths]
)
def test_what_is_required(name: str, path: str) -> None:
    """Missing and null members are named, and nothing else."""
    missing, null = (wrong(changed(TEMPLATES[name], path, value)) for value in (GONE, None))

    assert missing == null
    assert [path] == list(missing)
    assert missing[path].startswith("is required")


@pytest.mark.parametrize(("name", "path", "value", "said"), WRONG_TYPES)
def test_what_is_of_another_type(name: str, path: str, value: Any, said: str) -> None:
    """It is named alone: an unreadable member is not judged too."""
    told = wrong(changed(TEMPLATES[name], path, value))

    assert [path] == list(told)
    assert told[path].startswith(said)


@pytest.mark.parametrize("examples", [[], [["a"], ["b"]], ["oolong", "Mei"]])
def test_the_example_of_a_body_is_a_list_in_a_list(examples: list[Any]) -> None:
    """One list of values, as Meta has it."""
    path = "components[1].example.body_text"

    assert {path: "must be a list of texts in a list"} == wrong(changed(FULL, path, examples))


def test_words_are_taken_in_any_capitals() -> None:
    """Meta's examples have both; they are kept in its own spelling."""
    lower = changed(changed(ONE_TAP, "category", "authentication"), "components[0].type", "body")
    lower = changed(lower, "components[1].buttons[0].otp_type", "one_tap")

    assert ONE_TAP == template_data(template_definition(lower))


def test_everything_is_told_at_once_and_in_order() -> None:
    """Types, missing members and rules, as Meta documents them and by index."""
    buttons = [
        {"type": "URL", "text": "x" * 26, "url": "http://localhost/"},
        {"type": "PHONE_NUMBER", "phone_number": 7},
        "tea",
    ]
    template = {
        "components": [
            {"type": "BUTTONS", "buttons": buttons},
            {"type": "HEADER", "format": "TEXT", "text": "{{1}} {{2}}"},
            {"type": "LIMITED_TIME_OFFER"},
            {"type": "HEADER", "format": "IMAGE"},
            7,
        ],
        "category": "utility",
        "name": "New teas",
    }

    assert [
        *("name", "language"),
        *("components[0].buttons[0].text", "components[0].buttons[0].url"),
        *("components[0].buttons[1].text", "components[0].buttons[1].phone_number"),
        *("components[0].buttons[2]", "components[1].text"),
        *("components[2].type", "components[3].type", "components[4]"),
    ] == list(wrong(template))


def test_without_a_category_the_likelier_kind_is_judged() -> None:
    """So no member that is right in either kind is called wrong."""
    for template in (FULL, CODE):
        assert ["category"] == list(wrong(changed(template, "category")))
        assert ["category"] == list(wrong(changed(template, "category", "TEA")))
    assert ["name", "category"] == list(wrong(changed(changed(CODE, "name", ""), "category", 7)))


@pytest.mark.parametrize("body", [None, [], "tea", 7])
def test_what_is_no_template_at_all(body: Any) -> None:
    """It is named whole."""
    assert {"body": "must be an object"} == wrong(body)


def test_a_text_is_read_as_strictly_as_a_body() -> None:
    """JSON with a member twice is none (C-9)."""
    (problem,) = read_template_text('{"name": "a", "name": "b"}').problems

    assert ("body", "has the member 'name' twice") == (problem.path, problem.message)
    assert read_template(TEXT) == read_template_text(json.dumps(TEXT))


def test_unknown_members_are_ignored_and_told() -> None:
    """They change nothing (C-9); the lint reports them in the author's spelling."""
    template = {**FULL, "allow_category_change": True}
    template = changed(template, "components[1]", {**FULL["components"][1], "textt": "x"})
    template = changed(
        template, "components[3].buttons[0]", {**TEXT, "type": "QUICK_REPLY", "text": "x"}
    )
    read = read_template(template)

    assert () == read.problems
    assert {
        "allow_category_change",
        "components[1].textt",
        *(f"components[3].buttons[0].{name}" for name in TEXT),
    } == set(read.ignored)


@pytest.mark.parametrize(
    "body",
    [
        {**TEXT, "components": [{"type": "BODY", "text": "x"}] * 30_000},
        {**TEXT, "components": [{"type": "BUTTONS", "buttons": [{}] * 30_000}]},
        {**TEXT, "components": [{"type": "BODY", "text": "{{1" * 300_000}]},
        {**TEXT, "components": [{"type": "BODY", "text": "{{1}}{{2}}" * 100_000}]},
        {
            **TEXT,
            "components": [
                {"type": "BODY", "text": "x", "example": {"body_text": [[7] * 300_000]}}
            ],
        },
        {
            **TEXT,
            "components": [
                {"type": "BODY", "text": "x", "example": {"body_text": [[""] * 300_000]}}
            ],
        },
        {**TEXT, "language": "x" * 1_000_000, "category": "A" * 1_000_000},
        {f"m{number}": 1 for number in range(60_000)},
    ],
    ids=range(8),
)
def test_a_hostile_template_is_judged_soon(body: dict[str, Any]) -> None:
    """A megabyte of mistakes costs no more than reading it, and is not answered with as many (D-19)."""
    began = time.process_time()
    read = read_template(body)

    assert time.process_time() - began < 5
    assert 0 < len(read.problems) < 100
    assert sum(len(problem.message) for problem in read.problems) < 10_000
    assert len(read.ignored) <= 20


@settings(max_examples=60)
@given(templates)
def test_a_valid_template_reads_the_same_when_it_is_written(template: dict[str, Any]) -> None:
    """JSON to union to JSON, of all categories, nothing changes; and no rule is broken on the way."""
    read = read_template(template)

    assert ((), ()) == (read.problems, read.ignored)
    assert read.definition is not None
    assert template == template_data(read.definition)
    assert () == violations(read.definition)


@settings(max_examples=60)
@given(templates, st.data())
def test_one_wrong_type_is_told_at_its_path_alone(
    template: dict[str, Any], data: st.DataObject
) -> None:
    """With a fraction in place of any value."""
    path = data.draw(st.sampled_from([path for path, _, _ in places(template)]))
    told = list(wrong(changed(template, path, 1.5)))

    # The one list in the list of a body's example is no place of its own.
    assert [path.removesuffix("[0]") if path.endswith("body_text[0]") else path] == told


anything: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5).filter(str.isprintable),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.just("type"), inside),
    max_leaves=4,
)


@given(st.sampled_from(list(TEMPLATES.values())), st.data())
def test_anything_anywhere_is_read_or_named(template: dict[str, Any], data: st.DataObject) -> None:
    """There is no third way out, and the reader's list is the domain's."""
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from([path for path, _, _ in places(template)] or [""]))
        template = changed(template, path, data.draw(anything)) if path else template
    read = read_template(template)

    assert (read.definition is None) == bool(read.problems)
    assert read.definition is None or () == violations(read.definition)
