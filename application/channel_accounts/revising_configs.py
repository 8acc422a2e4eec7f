"""Merge an operator's change into a channel account's config, secrets included (C-66)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import parse_qsl

from ...domain.errors import FieldProblem
from ...domain.event import MASK
from ..ports.channels import Setting, SettingKind
from .secret_settings import DividedConfig, Members

_Path = tuple[str, ...]
_MISSING = object()
# Begins a placeholder that a provider fills with a member of the config (C-63).
_MEMBER = "{{config."


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


def told_again(
    before: DividedConfig, change: Members, after: DividedConfig, query: str
) -> Sequence[FieldProblem]:
    """
    Return a problem for each kept secret that a new secret query would show (D-242).

    The operator who makes a change is told the address of posts, and a kept secret is told to nobody.
    """
    told = [value for _, value in parse_qsl(query)]
    return [
        FieldProblem(
            ".".join(("config", *path)), "must be given anew, because the callback's address has it"
        )
        for path in _secret_paths(after.shown, after.secrets)
        if not _is_given(change, path)
        and (secret := _at(after.secrets, path)) == _at(before.secrets, path)
        and secret in told
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
        # A provider may quote what it is sent: a secret in another place is sent by its giver alone.
        if _is_peer(declared, path) or _names_members(new):
            return True
    return False


def _names_members(value: object) -> bool:
    """Return whether a value has a placeholder for a member of the config, which may be a secret."""
    if isinstance(value, Mapping):
        return any(map(_names_members, value.values()))
    if isinstance(value, list | tuple):
        return any(map(_names_members, value))
    return isinstance(value, str) and _MEMBER in value


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


def _at(members: object, path: _Path) -> object:
    for name in path:
        members = members.get(name) if isinstance(members, Mapping) else None
    return members


def _is_given(change: Members, path: _Path) -> bool:
    given = _at(change, path)
    return given is not None and given != MASK
