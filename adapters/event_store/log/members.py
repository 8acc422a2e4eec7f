"""
The marked members of events: which are personal, which are secret, and whose they are (C-73).

A member has a path: `destination`, or `steps.0.recipient` in the first of some values inside the event.
All functions work on plain data, so a path leads to the same member when it is read again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

import attrs
from attrs import frozen

from ....domain.event import (
    ERASED,
    Event,
    is_erased,
    personal_fields,
    placeholder,
    secret_fields,
)

# The field by which a value inside an event names a person of its own.
_PERSON = "person_id"
# The field that tells the classes of a union apart.
_KIND = "kind"

Plain = dict[str, Any]


@frozen
class Members:
    """
    The marked members of a class, and those of the values inside it.

    `types` are the types of the personal members. `inside` holds, by the name of a field, a function
    that returns the members of a value in this field. `has_person` says that a value names a person.
    """

    personal: tuple[str, ...]
    types: Mapping[str, Any]
    secret: tuple[str, ...]
    inside: tuple[tuple[str, Callable[[Plain], Members | None]], ...]
    has_person: bool

    def split(
        self, plain: Plain, owner: str, erased: Collection[str] = ()
    ) -> tuple[dict[str, Plain], Plain]:
        """
        Take the marked members out of plain data: the personal ones by owner, and the secret ones.

        Members without a value stay, so a member that is not there was taken out. Those of `erased`
        owners get placeholders, which stay as well (D-357).
        """
        sealed: dict[str, Plain] = {}
        secret: Plain = {}
        self._take(plain, owner, "", sealed, secret, erased)
        return sealed, secret

    def hide(self, plain: Plain, owner: str, hidden: Callable[[str], str | None]) -> None:
        """
        Put placeholders in the place of the members that are sealed.

        `hidden` returns the text that stands for what an owner has; None for what was opened.
        """
        text = hidden(owner)
        if text is not None:
            for name in self.personal:
                if name not in plain:
                    plain[name] = placeholder(self.types[name], text)
        for _, each, members in self._inside(plain):
            members.hide(each, members.owner_in(each, owner), hidden)

    def owner_in(self, value: Mapping[str, Any], owner: str) -> str:
        """Return the person whom a value names; without one, the owner of what surrounds it."""
        return (self.has_person and value.get(_PERSON)) or owner

    def _take(
        self,
        plain: Plain,
        owner: str,
        path: str,
        sealed: dict[str, Plain],
        secret: Plain,
        erased: Collection[str],
    ) -> None:
        for name in self.personal:
            member = plain[name]
            if not member or is_erased(member):
                continue
            if owner in erased:
                plain[name] = placeholder(self.types[name], ERASED)
                continue
            if owner not in sealed:
                sealed[owner] = {}
            sealed[owner][path + name] = plain.pop(name)
        for name in self.secret:
            if plain[name]:
                secret[path + name] = plain.pop(name)
        for place, each, members in self._inside(plain):
            of_each = members.owner_in(each, owner)
            members._take(each, of_each, f"{path}{place}.", sealed, secret, erased)

    def _inside(self, plain: Plain) -> Iterator[tuple[str, Plain, Members]]:
        """Yield the values with marked members, with the path that leads to them."""
        for name, chosen in self.inside:
            for place, each in _plain_values(plain.get(name), name):
                members = chosen(each)
                if members is not None:
                    yield place, each, members


def members_of(kind: type) -> Members | None:
    """Return the marked members of a class; None if it has none."""
    return _members_of(kind)


@cache
def _members_of(kind: type) -> Members | None:
    if not attrs.has(kind):
        return None
    types = get_type_hints(kind)
    personal = tuple(personal_fields(kind))
    for name in personal:
        # A class with a personal field of another type cannot be loaded.
        placeholder(types[name], "")
    inside = []
    for each in attrs.fields(kind):
        chosen = None if each.name in personal else _chosen(set(_classes_in(types[each.name])))
        if chosen is not None:
            inside.append((each.name, chosen))
    members = Members(
        personal=personal,
        types={name: types[name] for name in personal},
        secret=tuple(secret_fields(kind)),
        inside=tuple(inside),
        # The store names an event's own person in the envelope.
        has_person=_PERSON in types and not issubclass(kind, Event),
    )
    return members if members.personal or members.secret or members.inside else None


def put(plain: Plain, members: Plain) -> None:
    """Put members back to their paths; raises `ValueError` for one that is there already."""
    for path, value in members.items():
        *places, name = path.split(".")
        inner: Any = plain
        for place in places:
            inner = inner[int(place) if isinstance(inner, list) else place]
        if name in inner:
            raise ValueError("a member is there twice")
        inner[name] = value


def _chosen(classes: Collection[type]) -> Callable[[Plain], Members | None] | None:
    """Return the function that finds the members of a value of one of these classes, if any has some."""
    known = {each: members_of(each) for each in classes}
    if not any(known.values()):
        return None
    if len(known) == 1:
        (only,) = known.values()
        return lambda _: only
    by_kind: dict[str, Members | None] = {}
    for each, members in known.items():
        by_kind |= dict.fromkeys(get_args(_kind_of(each)), members)
    return lambda plain: by_kind.get(plain[_KIND])


def _kind_of(kind: type) -> Any:
    annotation = get_type_hints(kind).get(_KIND)
    if get_origin(annotation) is not Literal:
        raise TypeError(
            f"{kind.__name__} needs a field `{_KIND}`, which tells it from other classes."
        )
    return annotation


def _classes_in(annotation: Any) -> Iterator[type]:
    """Yield the classes of the values in a field, alone or in tuples."""
    if attrs.has(annotation):
        yield annotation
    found = [each for part in get_args(annotation) for each in _classes_in(part)]
    origin = get_origin(annotation)
    if isinstance(origin, type) and issubclass(origin, Mapping) and any(map(members_of, found)):
        raise TypeError("A mapping in an event cannot hold values with marked members.")
    yield from found


def _plain_values(plain: Any, path: str) -> Iterator[tuple[str, Plain]]:
    if isinstance(plain, dict):
        yield path, plain
    elif isinstance(plain, list):
        for number, each in enumerate(plain):
            yield from _plain_values(each, f"{path}.{number}")
