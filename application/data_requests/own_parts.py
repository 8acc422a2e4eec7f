"""What an event says of one person, without what it says of others (C-74)."""

from __future__ import annotations

from functools import cache
from typing import Any, get_type_hints

import attrs

from ...domain.event import ERASED, MASK, personal_fields, placeholder
from ..ports.event_store import Recorded


def own_parts(recorded: Recorded, person_id: str) -> Recorded:
    """
    Return an event for a person's eyes: what is personal to somebody else in it is `***`.

    An event is its person's, and a value inside it, such as the step of a fallback to another number, is
    the person's whom it names. What belongs to the account alone stays. `(erased)` stays, too (D-355).
    """
    shown = _shown(recorded.event, recorded.person, person_id)
    return recorded if shown is recorded.event else attrs.evolve(recorded, event=shown)


def _shown(value: Any, owner: str | None, person_id: str) -> Any:
    """Return a value of an owner with everything masked that is neither the person's nor the account's."""
    types = _personal_types(type(value))  # type: ignore[arg-type]  # a class is hashable
    masked = {}
    for each in attrs.fields(type(value)):
        before = getattr(value, each.name)
        if each.name not in types:
            after = _inside(before, owner, person_id)
        elif owner in (None, person_id) or not before:
            continue
        else:
            after = _masked(types[each.name], before)
        if after is not before:
            masked[each.name] = after
    return attrs.evolve(value, **masked) if masked else value


def _inside(value: Any, owner: str | None, person_id: str) -> Any:
    if isinstance(value, tuple):
        entries = tuple(_inside(each, owner, person_id) for each in value)
        same = all(after is before for after, before in zip(entries, value, strict=True))
        return value if same else entries
    if not attrs.has(type(value)):
        return value
    return _shown(value, getattr(value, "person_id", None) or owner, person_id)


def _masked(annotation: Any, value: Any) -> Any:
    """Return the mask of a member; a member that is erased stays so."""
    erased, mask = (_typed(placeholder(annotation, text)) for text in (ERASED, MASK))
    return value if value == erased else mask


def _typed(plain: Any) -> Any:
    return tuple(plain) if isinstance(plain, list) else plain


@cache
def _personal_types(kind: type[Any]) -> dict[str, Any]:
    """Return the types of the personal fields of a class, by name."""
    types = get_type_hints(kind)
    return {name: types[name] for name in personal_fields(kind)}
