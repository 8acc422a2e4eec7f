"""Merge an operator's change into a channel account's config, secrets included (C-66)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...domain.errors import FieldProblem
from ...domain.event import MASK
from ..ports.channels import Setting, SettingKind
from .secret_settings import DividedConfig, Members

_Path = tuple[str, ...]
_MISSING = object()


def merged(before: DividedConfig, change: Members) -> Members:
    """
    Return the whole config after a change, which is merged member by member.

    None removes a member, and `***` keeps a secret. A secret that cannot be opened stays `***`.
    """
    return _merged(before.shown, before.secrets, change)


def misdirected(
    before: DividedConfig,
    change: Members,
    after: DividedConfig,
    whole: tuple[Members, Members],
    settings: Sequence[Setting],
) -> Sequence[FieldProblem]:
    """
    Return a problem for each kept secret if the change decides anew who receives it (D-215).

    `whole` are both configs with their secrets.
    """
    if not _moves(*whole, {tuple(each.name.split(".")): each for each in settings}, ()):
        return ()
    known = {*_secret_paths(before.shown, before.secrets)}
    return [
        FieldProblem(
            ".".join(("config", *path)), "must be given anew, because who receives it changes"
        )
        for path in _secret_paths(after.shown, after.secrets)
        if path in known and not _is_given(change, path)
    ]


def _merged(shown: Members, secrets: Members, change: Members) -> Members:
    after: dict[str, Any] = {}
    for name, value in shown.items():
        if isinstance(value, Mapping):
            below = change.get(name)
            after[name] = _merged(value, secrets.get(name, {}), _members(below))
        else:
            after[name] = secrets.get(name, value)
    for name, value in change.items():
        if value is None:
            after.pop(name, None)
        elif isinstance(value, Mapping) and isinstance(shown.get(name), Mapping):
            # Merged above.
            continue
        elif isinstance(value, Mapping):
            after[name] = _merged({}, {}, value)
        elif value != MASK or shown.get(name) != MASK:
            after[name] = value
    return after


def _moves(
    before: Members, after: Members, declared: Mapping[_Path, Setting], place: _Path
) -> bool:
    """Return whether a setting changed that decides who receives the secrets."""
    for name in {**before, **after}:
        old, new = before.get(name, _MISSING), after.get(name, _MISSING)
        if old == new:
            continue
        path = (*place, name)
        if any(len(each) > len(path) and each[: len(path)] == path for each in declared):
            if _moves(_members(old), _members(new), declared, path):
                return True
            if all(isinstance(each, Mapping) or each is _MISSING for each in (old, new)):
                continue
        if _is_peer(declared, path):
            return True
    return False


def _members(value: object) -> Members:
    return value if isinstance(value, Mapping) else {}


def _is_peer(declared: Mapping[_Path, Setting], path: _Path) -> bool:
    # The longest declaration counts. A setting without one may be an address, so it counts as one.
    covering = (declared.get(path[:length]) for length in range(len(path), 0, -1))
    setting = next((each for each in covering if each is not None), None)
    return setting is None or setting.peer or setting.kind is SettingKind.URL


def _secret_paths(shown: Members, secrets: Members, place: _Path = ()) -> Iterator[_Path]:
    for name, value in secrets.items():
        below = shown[name]
        if isinstance(below, Mapping):
            yield from _secret_paths(below, value, (*place, name))
        else:
            yield (*place, name)


def _is_given(change: object, path: _Path) -> bool:
    for name in path:
        change = change.get(name) if isinstance(change, Mapping) else None
    return change is not None and change != MASK
