"""Check a channel account's config against the settings that its provider declares (C-63)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from ....domain.errors import FieldProblem, ValidationFailedError
from ....domain.limits import NO_CONTROLS, has_controls
from .settings import Setting, SettingKind

_Path = tuple[str, ...]
_LONGEST = 4_096


def checked_config(settings: Sequence[Setting], config: Mapping[str, Any]) -> Mapping[str, Any]:
    """
    Return a config whose members all have their declared kinds.

    Raises `ValidationFailedError` with the path of each wrong, unknown or missing member.
    """
    declared = {tuple(each.name.split(".")): each for each in settings}
    problems = [*_wrong(config, declared, ()), *_missing(config, declared)]
    if problems:
        raise ValidationFailedError(problems)
    return dict(config)


def _wrong(
    members: Mapping[str, Any], declared: Mapping[_Path, Setting], place: _Path
) -> Iterator[FieldProblem]:
    for name, value in members.items():
        path = (*place, name)
        setting, inside = declared.get(path), _below(declared, path)
        field = ".".join(("config", *path))
        if inside and isinstance(value, Mapping):
            yield from _wrong(value, declared, path)
        elif setting is not None:
            problem = _problem(value, setting)
            if problem is not None:
                yield FieldProblem(field, problem)
        elif inside:
            yield FieldProblem(field, "must be an object")
        else:
            known = ", ".join(dict.fromkeys(each[len(place)] for each in _below(declared, place)))
            has = f"it has: {known}" if known else "it has none"
            yield FieldProblem(field, f"is no setting of this provider; {has}")


def _missing(
    config: Mapping[str, Any], declared: Mapping[_Path, Setting]
) -> Iterator[FieldProblem]:
    for path, setting in declared.items():
        if not setting.required:
            continue
        inside: Any = config
        for name in path[:-1]:
            inside = inside.get(name) if isinstance(inside, Mapping) else None
        if isinstance(inside, Mapping) and path[-1] not in inside:
            yield FieldProblem(".".join(("config", *path)), "is required")


def _below(declared: Mapping[_Path, Setting], path: _Path) -> Sequence[_Path]:
    return [each for each in declared if len(each) > len(path) and each[: len(path)] == path]


def _problem(value: object, setting: Setting) -> str | None:
    """Return why a value does not have a setting's kind; None if it has."""
    match setting.kind:
        case SettingKind.TEXT:
            return _text_problem(value)
        case SettingKind.INTEGER:
            is_whole = isinstance(value, int) and not isinstance(value, bool)
            return None if is_whole else "must be an integer"
        case SettingKind.BOOLEAN:
            return None if isinstance(value, bool) else "must be true or false"
        case SettingKind.CHOICE:
            chosen = isinstance(value, str) and value in setting.choices
            return None if chosen else f"must be one of {', '.join(setting.choices)}"
        case SettingKind.URL:
            return None if _is_url(value) else "must be a URL of http or https, with a host"
        case SettingKind.JSON:
            return None
        case SettingKind.LIST:
            return None if isinstance(value, list | tuple) else "must be a list"


def _text_problem(value: object) -> str | None:
    if not isinstance(value, str) or not 1 <= len(value) <= _LONGEST:
        return f"must be a text of 1 to {_LONGEST} characters"
    return NO_CONTROLS if has_controls(value) else None


def _is_url(value: object) -> bool:
    if not isinstance(value, str) or _text_problem(value) is not None:
        return False
    try:
        parts = urlsplit(value)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
