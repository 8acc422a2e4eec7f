"""The config of a channel account as fields, and the change that filled fields ask for (C-66, D-514)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from attrs import frozen

from ....application.channel_accounts.views import SettingView
from ....application.ports.channels import SettingKind
from ....domain.errors import FieldProblem, camel
from ....domain.event import MASK
from ..forms import Form
from .setting_texts import is_kept, json_of, line_of, text_of, value_of

Members = Mapping[str, Any]
# The field with the members that no setting declares.
OTHERS = "config"
# The prefix of the box that takes a secret away.
REMOVED = "remove."
_MISSING = object()
_KINDS = {
    SettingKind.INTEGER: "text",
    SettingKind.BOOLEAN: "select",
    SettingKind.CHOICE: "select",
    SettingKind.JSON: "textarea",
    SettingKind.LIST: "textarea",
}
_HINTS = {SettingKind.JSON: "JSON.", SettingKind.LIST: "A list in JSON."}


@frozen(kw_only=True)
class SettingField:
    """One field of the form: what it is called, how it is drawn, and what stands in it."""

    name: str
    label: str
    kind: str
    help: str
    required: bool
    options: tuple[tuple[str, str], ...] = ()
    kept: bool = False
    removed: str = ""


@frozen(kw_only=True)
class SettingGroup:
    """Fields of one object of the config; the first group, of the config itself, has no title."""

    title: str
    fields: tuple[SettingField, ...]
    used: bool


def groups(settings: Sequence[SettingView], config: Members) -> Sequence[SettingGroup]:
    """Return the fields of a provider's settings, by the object that they stand in."""
    ordered = sorted(settings, key=lambda each: _title(each) != "")
    return [
        SettingGroup(
            title=title,
            fields=tuple(_field(each, config) for each in members),
            used=bool(title) and title in config,
        )
        for title, members in ((title, [*found]) for title, found in groupby(ordered, _title))
    ]


def filled(settings: Sequence[SettingView], config: Members) -> Mapping[str, str]:
    """Return the texts of the fields for a config as it is shown."""
    found = ((each, _at(config, each.name)) for each in settings)
    texts = {_name(each.name): text_of(had) for each, had in found if had is not _MISSING}
    others = _others(settings, config)
    return {**texts, OTHERS: text_of(others) if others else ""}


def read(
    form: Form, settings: Sequence[SettingView], before: Members, problems: list[FieldProblem]
) -> Members:
    """
    Return the change of a config that the filled fields ask for.

    An empty field leaves its setting out, and removes one that is `before`. An empty field of a secret
    keeps the secret. A new config is a change of an empty one.
    """
    change: dict[str, Any] = {}
    for each in settings:
        value = _asked(form, each, _at(before, each.name), problems)
        if value is not _MISSING:
            _put(change, each.name, value)
    for name in [*change]:
        _remove_what_is_empty(change, name, before)
    text = form.get(OTHERS)
    others = json_of(text, OTHERS, problems) if text else {}
    if isinstance(others, dict):
        gone = {name: None for name in _others(settings, before) if name not in others}
        return {**gone, **others, **change}
    if others is not None:
        problems.append(FieldProblem(OTHERS, "must be an object"))
    return change


def lines(config: Members, place: str = "") -> Sequence[tuple[str, str]]:
    """Return the settings of a config as it is shown, each by its path."""
    found: list[tuple[str, str]] = []
    for name, value in config.items():
        path = f"{place}{name}"
        if isinstance(value, Mapping) and value:
            found += lines(value, f"{path}.")
        else:
            found.append((path, MASK if is_kept(value) else line_of(value)))
    return found


def _asked(form: Form, setting: SettingView, had: Any, problems: list[FieldProblem]) -> Any:
    """Return the value that a setting is to have, None to remove it; `_MISSING` leaves it as it is."""
    name = _name(setting.name)
    text = form.get(name)
    if had is not _MISSING and not is_kept(had) and text == text_of(had).strip():
        # A value has more kinds than texts have, so one that nobody touched stays what it was.
        return _MISSING
    if text:
        return value_of(setting.kind, text, f"config.{setting.name}", problems)
    if had is _MISSING:
        return _MISSING
    if is_kept(had) and not form.checked(REMOVED + name):
        return _MISSING
    return None


def _field(setting: SettingView, config: Members) -> SettingField:
    name, kept = _name(setting.name), is_kept(_at(config, setting.name))
    hint = _HINTS.get(setting.kind, "")
    kind = _KINDS.get(setting.kind, "text")
    if setting.secret and kind == "text":
        kind = "password"
    return SettingField(
        name=name,
        label=setting.name,
        kind=kind,
        help=" ".join(each for each in (setting.help, hint) if each),
        # What is kept need not be entered again.
        required=setting.required and "." not in setting.name and not kept,
        options=_options(setting),
        kept=kept,
        removed=REMOVED + name if kept and not setting.required else "",
    )


def _options(setting: SettingView) -> tuple[tuple[str, str], ...]:
    if setting.kind is SettingKind.BOOLEAN:
        return (("", "by default"), ("true", "yes"), ("false", "no"))
    if setting.kind is SettingKind.CHOICE:
        return (("", "by default"), *((str(each), str(each)) for each in setting.choices))
    return ()


def _name(setting: str) -> str:
    """Return the name of a setting's field, which is the path of its problems."""
    return camel(f"config.{setting}")


def _title(setting: SettingView) -> str:
    return setting.name.partition(".")[0] if "." in setting.name else ""


def _at(config: Members, name: str) -> Any:
    found: Any = config
    for each in name.split("."):
        found = found.get(each, _MISSING) if isinstance(found, Mapping) else _MISSING
    return found


def _put(change: dict[str, Any], name: str, value: Any) -> None:
    *above, last = name.split(".")
    for each in above:
        change = change.setdefault(each, {})
    change[last] = value


def _others(settings: Sequence[SettingView], config: Members) -> dict[str, Any]:
    declared = {each.name.partition(".")[0] for each in settings}
    return {name: value for name, value in config.items() if name not in declared}


def _remove_what_is_empty(change: dict[str, Any], name: str, before: Members) -> None:
    """Remove an object of the config whose last member is removed."""
    value, had = change[name], before.get(name)
    if not isinstance(value, dict) or not isinstance(had, Mapping):
        return
    for each in [*value]:
        _remove_what_is_empty(value, each, had)
    left = {**had, **value}
    if left and all(each is None for each in left.values()):
        change[name] = None
