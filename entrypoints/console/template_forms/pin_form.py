"""A PIN template in a form: filled from the API's record, and read back as the API's body (D-507)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from ....domain.channel import PIN_CHANNELS
from ....domain.errors import FieldProblem, ValidationFailedError
from ...starters.starter_texts import (
    STARTER_CHANNELS,
    starter_channels,
    starter_text,
    starter_texts,
)
from ...wire.searches import whole_number
from ..forms import Form
from .fields import CHANNEL_NAMES, ENTRY_FIELDS, POLICY_FIELDS, FormField, Options

# Names the channel entry that is the default.
DEFAULT = "defaultChannel"
# Says that a further entry is wanted, and on which channel and in which language.
ADD = "add"
_ADD_CHANNEL, _ADD_LANGUAGE = "addChannel", "addLanguage"
# What a further entry takes from the first one of its channel: it differs in its language.
_SHARED = ("channelAccountId", "webOtpOrigin", "appHash", "entityId")
_ENTRY = re.compile(r"channels\[([0-9]{1,3})\]\.channelType")
_POSITION = re.compile(r"\s*([1-9][0-9]{0,2})\s*=\s*")
_INDEX = re.compile(r"\Achannels\[([0-9]{1,3})\]")


@frozen
class Entry:
    """The part of the form for one channel entry; `used` says whether the template has it."""

    number: int
    channel: str
    used: bool
    default: bool
    fields: Sequence[FormField]
    language: str = ""

    @property
    def path(self) -> str:
        """The path of the entry in the API's body, if all parts of the form were used."""
        return f"channels[{self.number}]"

    @property
    def title(self) -> str:
        """The name of the channel, with the language of the entry if it has one."""
        name = CHANNEL_NAMES.get(self.channel, self.channel)
        return f"{name} ({self.language})" if self.language else name


@frozen
class Body:
    """
    The API's body that a form stands for.

    `places` are the parts of the form from which its channel entries come.
    """

    members: dict[str, Any]
    places: Sequence[int]

    def placed(self, refusal: ValidationFailedError) -> ValidationFailedError:
        """Return a refusal of the body whose problems name the form's fields."""
        return ValidationFailedError(self._placed(each) for each in refusal.problems)

    def place(self, path: str) -> str:
        """Return the form's name for a path of the body."""
        found = _INDEX.match(path)
        if found is None or int(found[1]) >= len(self.places):
            return path
        return f"channels[{self.places[int(found[1])]}]{path[found.end() :]}"

    def _placed(self, problem: FieldProblem) -> FieldProblem:
        return FieldProblem(self.place(problem.field), problem.message)


def filled_form(record: Mapping[str, Any]) -> Form:
    """Return the form of a template; channels that it does not have stand below, unused."""
    given = {"name": [str(record["name"])]}
    for each in POLICY_FIELDS:
        value = record[each.spelled]
        given[each.spelled] = ["" if value is None else str(value)]
    entries = list(record["channels"])
    has = {entry["channelType"] for entry in entries}
    entries += [{"channelType": str(each)} for each in PIN_CHANNELS if each not in has]
    for number, entry in enumerate(entries):
        given |= _filled_entry(f"channels[{number}]", entry, used=number < len(record["channels"]))
        if entry.get("isDefault"):
            given[DEFAULT] = [str(number)]
    return Form(given)


def with_added_entry(form: Form) -> Form:
    """
    Return the form with the further entry that its author asks for (D-530).

    It has our text in its language, if there is one, and the account and the line for autofill of the first
    entry of its channel. A part of the form that is not used yet becomes the entry.
    """
    channel, language = form.get(_ADD_CHANNEL), form.get(_ADD_LANGUAGE)
    if channel not in tuple(PIN_CHANNELS):
        return form
    numbers = _numbers(form)
    of_channel = [at for at in numbers if form.get(f"channels[{at}].channelType") == channel]
    unused = [at for at in of_channel if not form.checked(f"channels[{at}].used")]
    number = unused[0] if unused else max(numbers, default=-1) + 1
    entry: dict[str, Any] = {"channelType": channel, "languageCode": language}
    if of_channel:
        first = f"channels[{of_channel[0]}]"
        entry |= {name: form.get(f"{first}.{name}") for name in _SHARED}
    if starter_text(language) is not None and channel in STARTER_CHANNELS:
        entry |= starter_channels(language, channel=channel)[0]
    return form.with_fields(
        {
            name: texts[-1]
            for name, texts in _filled_entry(f"channels[{number}]", entry, used=True).items()
        }
    )


def languages_to_add() -> Options:
    """Return the languages in which we have texts, and the choice of another one."""
    known = [(each.tag, f"{each.name} ({each.tag})") for each in starter_texts()]
    return [("", "another language"), *known]


def entries_of(form: Form) -> list[Entry]:
    """Return the parts of the form for channel entries, each with the fields that it shows."""
    shown = []
    for number in _numbers(form):
        path = f"channels[{number}]"
        channel = form.get(f"{path}.channelType")
        fields = [
            each
            for each in _fields_of(channel)
            # A value that another client gave must not be lost by an edit.
            if channel in each.channels or form.get(f"{path}.{each.spelled}")
        ]
        used = form.checked(f"{path}.used")
        default = form.get(DEFAULT) == str(number)
        language = form.get(f"{path}.languageCode")
        shown.append(Entry(number, channel, used, default, fields, language))
    return shown


def field_names(form: Form) -> list[str]:
    """Return the names of all fields of the form, in its order."""
    names = ["name", *(each.spelled for each in POLICY_FIELDS), "channels"]
    return names + [
        f"{entry.path}.{each.spelled}" for entry in entries_of(form) for each in entry.fields
    ]


def label_of(form: Form, path: str) -> str:
    """Return the words of the form for a field; its path, if the form does not have it."""
    labels = {each.spelled: each.label for each in POLICY_FIELDS} | {"name": "Name"}
    labels |= {
        f"{entry.path}.{each.spelled}": f"{entry.title}: {each.label}"
        for entry in entries_of(form)
        for each in entry.fields
    }
    return labels.get(path, path)


def body_of(form: Form) -> Body:
    """Return the body that a form stands for; empty fields of channel entries are left out."""
    members: dict[str, Any] = {"name": form.get("name")}
    for each in POLICY_FIELDS:
        text = form.get(each.spelled)
        members[each.spelled] = whole_number(text) if each.kind == "number" else text
    members["receipt"] = members["receipt"] or None
    places = [number for number in _numbers(form) if form.checked(f"channels[{number}].used")]
    members["channels"] = [_entry_body(form, number) for number in places]
    return Body(members, places)


def _fields_of(channel: str) -> list[FormField]:
    """Return one field for each member of an entry: its channel's, where channels differ."""
    own = {each.name for each in ENTRY_FIELDS if channel in each.channels}
    others = {each.name: each for each in ENTRY_FIELDS if each.name not in own}
    return [
        each for each in ENTRY_FIELDS if channel in each.channels or others.get(each.name) is each
    ]


def _numbers(form: Form) -> list[int]:
    found = (_ENTRY.fullmatch(name) for name in form.names())
    return sorted(int(each[1]) for each in found if each)


def _filled_entry(path: str, entry: Mapping[str, Any], *, used: bool) -> dict[str, list[str]]:
    given = {f"{path}.channelType": [entry["channelType"]]}
    if used:
        given[f"{path}.used"] = ["true"]
    for each in _fields_of(entry["channelType"]):
        value = entry.get(each.spelled)
        if each.kind == "checkbox":
            if value:
                given[f"{path}.{each.spelled}"] = ["true"]
        elif value not in (None, ""):
            given[f"{path}.{each.spelled}"] = [_written(value)]
    return given


def _written(value: Any) -> str:
    if isinstance(value, Mapping):
        return "\n".join(f"{key}={text}" for key, text in value.items())
    return str(value)


def _entry_body(form: Form, number: int) -> dict[str, Any]:
    path = f"channels[{number}]"
    body: dict[str, Any] = {
        "channelType": form.get(f"{path}.channelType"),
        "isDefault": form.get(DEFAULT) == str(number),
    }
    for each in _fields_of(body["channelType"]):
        name = f"{path}.{each.spelled}"
        if each.kind == "checkbox":
            body[each.spelled] = form.checked(name)
        elif form.get(name):
            body[each.spelled] = _read(each, form, name)
    return body


def _read(field: FormField, form: Form, name: str) -> Any:
    match field.name:
        case "param_defaults":
            return _values(form.get(name))
        case "content_text":
            # Blanks around a text are its author's.
            return form.all(name)[-1]
        case _:
            text = form.get(name)
            return whole_number(text) if field.kind == "number" else text


def _values(text: str) -> dict[str, str]:
    """Return the value of each position; a line that begins with no position belongs to the value above."""
    values: dict[str, str] = {}
    last = None
    for line in text.splitlines():
        found = _POSITION.match(line)
        if found:
            last = found[1]
            values[last] = line[found.end() :].strip()
        elif last is not None:
            values[last] += f"\n{line}"
        elif line.strip():
            # The API says that this is no position.
            values[line.partition("=")[0].strip()] = line.partition("=")[2].strip()
    return values
