"""RCS templates on the wire: all mistakes are named at once, each by its path (C-24)."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.entrypoints.message_templates.changed_templates import GONE, changed, places
from tests.rcs_templates import Submission, submissions
from watchword.domain.errors import ValidationFailedError
from watchword.domain.rcs_template import UploadedFile, violations
from watchword.entrypoints.message_templates.rcs_reading import read_form, read_template
from watchword.entrypoints.message_templates.rcs_writing import template_data

CARD = {
    "mediaUrl": "https://cdn.example/tea.mp4",
    "fileName": "tea.mp4",
    "cardTitle": "Oolong",
    "cardDescription": "Rolled by hand, [name].",
    "thumbnailUrl": "https://cdn.example/tea.png",
    "suggestions": [{"suggestionType": "reply", "displayText": "Yes", "postback": "yes"}],
}
EVENT = {
    "suggestionType": "calendar_event",
    "displayText": "Save the date",
    "postback": "saved",
    "title": "Tasting",
    "description": "Six oolongs",
    "startTime": "2031-05-04 12:00:00",
    "endTime": "2031-05-04 13:00:00",
    "timeZone": "Asia/Kolkata",
}
CAROUSEL = {
    "name": "teas",
    "type": "carousel",
    "height": "TALL_HEIGHT",
    "width": "MEDIUM_WIDTH",
    "carouselList": [CARD, CARD],
    "suggestions": [EVENT],
    "templateState": "Create",
}
TEXT = {"name": "teas", "type": "text_message", "textMessageContent": "The new teas are here."}
MEDIA = {
    **TEXT,
    "type": "text_message_with_media",
    "documentUrl": "https://cdn.example/teas.pdf",
    "messageOrder": "media_at_top",
}
VERTICAL = {
    "name": "teas",
    "type": "rich_card",
    "orientation": "VERTICAL",
    "height": "SHORT_HEIGHT",
    "standAlone": CARD,
}
HORIZONTAL = {
    "name": "teas",
    "type": "rich_card",
    "orientation": "HORIZONTAL",
    "alignment": "LEFT",
    "standAlone": CARD,
}
TEMPLATES: dict[str, dict[str, Any]] = {
    "text": TEXT,
    "media": MEDIA,
    "vertical": VERTICAL,
    "horizontal": HORIZONTAL,
    "carousel": CAROUSEL,
}
REQUIRED = {
    "text": ["name", "type", "textMessageContent"],
    "media": ["name", "type", "textMessageContent", "documentUrl", "messageOrder"],
    "vertical": ["name", "type", "orientation", "height", "standAlone", "standAlone.cardTitle"],
    "horizontal": ["name", "type", "orientation", "alignment", "standAlone.cardDescription"],
    "carousel": [
        *("name", "type", "height", "width", "carouselList"),
        *("carouselList[1].cardTitle", "carouselList[0].cardDescription"),
        *("carouselList[0].suggestions[0].postback", "suggestions[0].suggestionType"),
        *(f"suggestions[0].{name}" for name in EVENT if name != "suggestionType"),
    ],
}


def wrong(data: Any, *files: UploadedFile) -> dict[str, str]:
    """Return what is said of each path, without the `data` that all of them begin with."""
    problems = read_template(json.dumps(data), files).problems
    return {problem.path.removeprefix("data."): problem.message for problem in problems}


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_of_each_type(name: str) -> None:
    """It is read, and reads the same when it is written."""
    definition = read_template(json.dumps(TEMPLATES[name])).definition

    assert definition is not None
    assert TEMPLATES[name] == template_data(definition)


@pytest.mark.parametrize(
    ("name", "path"), [(name, path) for name, paths in REQUIRED.items() for path in paths]
)
def test_what_is_required(name: str, path: str) -> None:
    """Missing, null and empty members are named, and nothing else (SPEC 2.2, 2.3)."""
    missing, null, empty = (
        wrong(changed(TEMPLATES[name], path, value)) for value in (GONE, None, "")
    )

    assert missing == null
    assert [path] == list(missing) == list(empty)
    assert missing[path].startswith(("is required", "must have 1 to 20"))


@pytest.mark.parametrize(
    ("name", "path", "words"),
    [
        ("text", "type", "text_message, text_message_with_media, rich_card, carousel"),
        ("media", "messageOrder", "media_at_top, text_message_at_top"),
        ("vertical", "orientation", "VERTICAL, HORIZONTAL"),
        ("vertical", "height", "SHORT_HEIGHT, MEDIUM_HEIGHT, TALL_HEIGHT"),
        ("horizontal", "alignment", "LEFT, RIGHT"),
        ("carousel", "height", "SHORT_HEIGHT, MEDIUM_HEIGHT, TALL_HEIGHT"),
        ("carousel", "width", "MEDIUM_WIDTH, SMALL_WIDTH, SHORT_WIDTH"),
        ("carousel", "templateState", "Create, Submit"),
        (
            "carousel",
            "suggestions[0].suggestionType",
            "reply, dialer_action, url_action, view_location_latlong, view_location_query,"
            " share_location, calendar_event",
        ),
    ],
)
@pytest.mark.parametrize("value", ["other", "left", "MEDIA_AT_TOP", 7, True, ["LEFT"], {}])
def test_what_is_one_of_a_few_words(name: str, path: str, words: str, value: Any) -> None:
    """Spelt as documented; anything else is named with the words that would do."""
    assert {path: f"must be one of {words}"} == wrong(changed(TEMPLATES[name], path, value))


@pytest.mark.parametrize(
    ("name", "excluded", "value"),
    [("vertical", "alignment", "LEFT"), ("horizontal", "height", "TALL_HEIGHT")],
)
def test_height_and_alignment_exclude_each_other(name: str, excluded: str, value: str) -> None:
    """The orientation chooses (SPEC 2.2); an empty one is none."""
    template = TEMPLATES[name]
    orientation = template["orientation"]

    assert {excluded: f"must be left out where orientation is {orientation}"} == wrong(
        {**template, excluded: value}
    )
    assert {} == wrong({**template, excluded: ""})


def test_everything_is_told_at_once_and_in_order() -> None:
    """Types, missing members, rules and files, by the tables of the specification and by index."""
    card = {**CARD, "cardTitle": 7, "mediaUrl": "http://localhost/", "suggestions": [{}, 1]}
    template = {
        "suggestions": [{**EVENT, "timeZone": "IST", "endTime": "noon"}] * 12,
        "carouselList": [card, None, {**CARD, "cardTitle": "a" * 201}, *[CARD] * 8],
        "width": "WIDE",
        "type": "carousel",
        "name": "new teas",
        "templateState": 1,
    }
    of_events = [f"suggestions[{n}].{name}" for n in range(12) for name in ("endTime", "timeZone")]

    assert [
        *("name", "height", "width", "carouselList"),
        *("carouselList[0].mediaUrl", "carouselList[0].cardTitle"),
        *("carouselList[0].suggestions[0].suggestionType",),
        *("carouselList[0].suggestions[0].displayText", "carouselList[0].suggestions[0].postback"),
        *("carouselList[0].suggestions[1]", "carouselList[1]", "carouselList[2].cardTitle"),
        *("suggestions", *of_events, "templateState"),
    ] == list(wrong(template))


def test_the_order_is_not_the_clients() -> None:
    """Any order of the members has the same list."""
    backwards = dict(reversed(changed(CAROUSEL, "name", "a b").items()))

    assert list(wrong(changed(backwards, "height", "x"))) == ["name", "height"]


def test_files_are_judged_beside_what_is_wrong_elsewhere() -> None:
    """An unnamed file is reported together with a missing title."""
    template = changed(VERTICAL, "standAlone.cardTitle")

    assert ["standAlone.cardTitle", "multimedia_files"] == list(
        wrong(template, UploadedFile(name="cup.png"))
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is not valid JSON (line 1)"),
        ("{", "is not valid JSON (line 1)"),
        ("[]", "must be an object"),
        ("null", "must be an object"),
        ('{"name": "a", "name": "b"}', "has the member 'name' twice"),
        ('{"name": "\\u0000"}', "has a text with \\u0000 or half a surrogate pair"),
        ("[" * 200 + "]" * 200, "is nested more than 100 levels deep"),
    ],
)
def test_what_is_no_template_at_all(text: str, said: str) -> None:
    """JSON is read as strictly as everywhere (C-9, C-65), and named as the form's field."""
    (problem,) = read_template(text).problems

    assert ("data", said) == (problem.path, problem.message)


def test_unknown_members_are_ignored_and_told() -> None:
    """They change nothing (C-9); the lint reports them in the author's spelling."""
    template = {
        **CAROUSEL,
        **{"textMessageContent": "x", "foo_bar": 1, "alignment": "LEFT"},
        "carouselList": [CARD, {**CARD, "cardTittle": None}],
        "suggestions": [{**EVENT, "url": 5}],
    }
    read = read_template(json.dumps(template))

    assert () == read.problems
    assert {
        "data.textMessageContent",
        "data.foo_bar",
        "data.alignment",
        "data.carouselList[1].cardTittle",
        "data.suggestions[0].url",
    } == set(read.ignored)


def test_a_refusal_carries_the_documented_fields() -> None:
    """A create answers with the list that the lint prints (C-18, C-24)."""
    form = {"sender_profile_name": "Watchword", "update_by": "asha", "message_type": "OTP"}
    with pytest.raises(ValidationFailedError) as refused:
        read_form({**form, "data": json.dumps(changed(CAROUSEL, "carouselList[1].cardTitle"))})

    assert {
        "fields": [{"field": "data.carouselList[1].cardTitle", "message": "is required"}]
    } == refused.value.details


@pytest.mark.parametrize(
    "data",
    [
        {"type": "text_message", "suggestions": [{}] * 40_000},
        {"type": "carousel", "carouselList": [{"suggestions": [{}] * 100}] * 400},
        {"type": "text_message", "textMessageContent": "[a" * 500_000},
        {"type": "text_message", "textMessageContent": "[a]" * 300_000},
        {**MEDIA, "documentUrl": "https://" + "\u00e9." * 400_000},
        {"type": "text_message", **{f"m{number}": 1 for number in range(100_000)}},
    ],
    ids=lambda data: "-".join(list(data)[:3]),
)
def test_a_hostile_template_is_judged_soon(data: dict[str, Any]) -> None:
    """A megabyte of mistakes costs no more than reading it, and is not answered with as many (D-19)."""
    text = json.dumps(data)
    began = time.process_time()
    read = read_template(text)

    assert time.process_time() - began < 5
    assert 0 < len(read.problems) < 2_000
    assert len(read.ignored) <= 20


@settings(max_examples=40)
@given(submissions)
def test_a_valid_template_reads_the_same_when_it_is_written(submission: Submission) -> None:
    """JSON to union to JSON, of all types, nothing changes; and no rule is broken on the way."""
    read = read_template(json.dumps(submission.data), submission.files)

    assert ((), ()) == (read.problems, read.ignored)
    assert read.definition is not None
    assert submission.data == template_data(read.definition)
    assert () == violations(read.definition, submission.files)


@settings(max_examples=40)
@given(submissions, st.data())
def test_one_wrong_type_is_told_at_its_path_alone(
    submission: Submission, data: st.DataObject
) -> None:
    """With a number or a boolean in place of any value."""
    path = data.draw(st.sampled_from([path for path, _, _ in places(submission.data)]))
    spoilt = changed(submission.data, path, data.draw(st.sampled_from([7, 1.5, True])))

    assert [path] == list(wrong(spoilt, *submission.files))


LONG = {
    **{"textMessageContent": 2_500, "cardTitle": 200, "cardDescription": 2_000},
    **{"displayText": 25, "postback": 120, "name": 20},
}


@settings(max_examples=40)
@given(submissions, st.data())
def test_one_text_too_long_is_told_at_its_path_alone(
    submission: Submission, data: st.DataObject
) -> None:
    """One past the limit, in any place that has one."""
    long = [(path, LONG[key]) for path, _, key in places(submission.data) if key in LONG]
    path, most = data.draw(st.sampled_from(long))

    assert [path] == list(
        wrong(changed(submission.data, path, "a" * (most + 1)), *submission.files)
    )


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
    read = read_template(json.dumps(template))

    assert (read.definition is None) == bool(read.problems)
    assert read.definition is None or () == violations(read.definition)
