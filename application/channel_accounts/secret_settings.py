"""Divide a channel account's config into what is shown and what is secret, and join both again (C-63)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import field, frozen

from ...domain.errors import FieldProblem
from ...domain.event import MASK
from ..ports.channels import Setting

Members = Mapping[str, Any]
# Whether a declared setting is secret, by the names on its path.
_Declared = Mapping[tuple[str, ...], bool]


class SecretsMismatchError(Exception):
    """A config has no place for a secret; the error quotes neither."""


@frozen
class DividedConfig:
    """A config whose secrets are `***` in `shown`; `secrets` has them, at the same places."""

    shown: Members = field(factory=dict, repr=False)
    secrets: Members = field(factory=dict, repr=False)

    def masked(self) -> Sequence[FieldProblem]:
        """Return a problem for each secret that was copied from an answer, which shows none."""
        return [
            FieldProblem(path, f"is shown as {MASK}; give the secret itself")
            for path in _masked("config", self.secrets)
        ]


def divided(config: Members, settings: Sequence[Setting]) -> DividedConfig:
    """Divide a config; what no setting declares as public is secret (D-197)."""
    declared = {tuple(each.name.split(".")): each.secret for each in settings}
    return _divided(config, declared, (), secret=True)


def joined(shown: Members, secrets: Members) -> Members:
    """Return the whole config; raises `SecretsMismatchError` for the secrets of another config."""
    whole = dict(shown)
    for name, value in secrets.items():
        below = whole.get(name)
        # A secret value may be a mapping as well; in its place stands a mask.
        if isinstance(below, Mapping) and isinstance(value, Mapping):
            whole[name] = joined(below, value)
        elif below == MASK:
            whole[name] = value
        else:
            raise SecretsMismatchError
    return whole


def _divided(
    members: Members, declared: _Declared, place: tuple[str, ...], *, secret: bool
) -> DividedConfig:
    shown: dict[str, Any] = {}
    secrets: dict[str, Any] = {}
    for name, value in members.items():
        path = (*place, name)
        hidden = declared.get(path, secret)
        if isinstance(value, Mapping) and _has_below(declared, path):
            below = _divided(value, declared, path, secret=hidden)
            shown[name] = below.shown
            if below.secrets:
                secrets[name] = below.secrets
        elif hidden:
            shown[name], secrets[name] = MASK, value
        else:
            shown[name] = value
    return DividedConfig(shown, secrets)


def _has_below(declared: _Declared, path: tuple[str, ...]) -> bool:
    return any(len(each) > len(path) and each[: len(path)] == path for each in declared)


def _masked(path: str, value: object) -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, each in value.items():
            yield from _masked(f"{path}.{name}", each)
    elif value == MASK:
        yield path
