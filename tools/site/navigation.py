"""The navigation of the site: the kinds of pages, and the order of the pages of each kind."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import TypeAlias

from attrs import frozen

from tools.site.pages import Page

Entry: TypeAlias = "dict[str, str | list[Entry]]"


@frozen
class Kind:
    """
    A kind of pages: its folder, its title, what its index says first, and its pages in groups and in order.

    A group without a title has no heading. Pages that are in no group come last.
    """

    folder: str
    title: str
    about: str
    groups: tuple[tuple[str, tuple[str, ...]], ...]


KINDS = (
    Kind(
        "tutorials",
        "Tutorials",
        "Lessons for people who are new. Each starts from nothing and ends with something that works.",
        (("", ("first-code", "login-form", "fallback", "callbacks")),),
    ),
    Kind(
        "how-to",
        "How-to guides",
        "Steps towards one goal, for people who know what they want.",
        (
            ("Run it", ("install", "operating", "postgresql", "nginx", "monitoring", "backups")),
            ("Send", ("channels", "languages", "autofill", "guard")),
            ("See and prove", ("console", "auditing", "privacy")),
            ("Call it", ("python-client", "typescript-client", "kratos", "supabase", "zitadel")),
            (
                "Embed it",
                (
                    *("embedding", "aiohttp", "fastapi", "django", "read-models", "own-provider"),
                    *("embedded-audits", "adapters", "testing"),
                ),
            ),
        ),
    ),
    Kind(
        "reference",
        "Reference",
        "Everything that can be called, set, read or watched. Generated pages say what generates them.",
        (
            ("", ("http", "errors", "python", "cli", "settings", "metrics", "log", "events")),
            ("", ("receipts", "anchors", "shards")),
        ),
    ),
    Kind(
        "explanation",
        "Explanation",
        "Why things are as they are, for people who want to understand them.",
        (("", ("exactness", "idempotency", "fallback", "threat-model")),),
    ),
    Kind(
        "decisions",
        "Decisions",
        "What was decided, why, and which test fails when a decision is broken.",
        (("", ("architecture",)),),
    ),
    Kind("files", "Files", "Files of the repository that pages link to.", ()),
)


def navigation(pages: Iterable[Page]) -> list[Entry]:
    """
    Return the navigation of all pages: the door, then the kinds.

    A page that its kind does not name follows those that it names. Raise `ValueError` for a page of no kind,
    and for a folder in a kind that has no README.md.
    """
    by_place = {each.place: each for each in pages}
    entries: list[Entry] = [{"Home": "index.md"}]
    placed = {"index.md"}
    for kind in KINDS:
        own = _below(kind.folder, by_place)
        if own:
            door = _door_within(kind.folder, own)
            entries.append({kind.title: [{door.title: door.place}, *_entries(kind, own)]})
            placed |= own.keys()
    if astray := by_place.keys() - placed:
        raise ValueError(f"no kind of page: {', '.join(sorted(astray))}")
    return entries


def indexes(pages: Iterable[Page]) -> dict[str, str]:
    """Return the index of each kind that has pages and no index of its own, by its place in the site."""
    by_place = {each.place: each for each in pages}
    below = {kind: _below(kind.folder, by_place) for kind in KINDS}
    return {
        f"{kind.folder}/index.md": _index(kind, own)
        for kind, own in below.items()
        if own and _door(kind.folder, own) is None
    }


def as_toml(entries: list[Entry]) -> str:
    """Return the navigation as a value of TOML, in one line."""
    tables = (
        f"{{ {json.dumps(title)} = {json.dumps(to) if isinstance(to, str) else as_toml(to)} }}"
        for entry in entries
        for title, to in entry.items()
    )
    return f"[{', '.join(tables)}]"


def _below(folder: str, pages: Mapping[str, Page]) -> dict[str, Page]:
    """Return the pages in a folder and below it, by place."""
    return {place: page for place, page in pages.items() if place.startswith(f"{folder}/")}


def _door(folder: str, own: Mapping[str, Page]) -> Page | None:
    """Return the index of a folder, if it has one."""
    return own.get(f"{folder}/README.md") or own.get(f"{folder}/index.md")


def _door_within(folder: str, own: Mapping[str, Page]) -> Page:
    """Return the index of a folder; raise `ValueError` if it has none."""
    door = _door(folder, own)
    if door is None:
        raise ValueError(f"{folder} has pages and no README.md")
    return door


def _groups(kind: Kind, own: Mapping[str, Page]) -> list[tuple[str, list[str]]]:
    """Return the pages and folders of a kind in their groups, without the index; those of no group last."""
    door = _door(kind.folder, own)
    others = own.keys() - {door.place if door else ""}
    there = {PurePosixPath(place).relative_to(kind.folder).parts[0] for place in others}
    files = {name.removesuffix(".md"): name for name in there}
    groups = [
        (title, [files.pop(each) for each in names if each in files])
        for title, names in kind.groups
    ]
    rest = "More" if any(title for title, _ in groups) else ""
    return [each for each in (*groups, (rest, sorted(files.values()))) if each[1]]


def _entries(kind: Kind, own: Mapping[str, Page]) -> list[Entry]:
    """Return the entries of the pages and folders of a kind, in their groups."""
    entries: list[Entry] = []
    for title, names in _groups(kind, own):
        inside = [_entry(f"{kind.folder}/{name}", own) for name in names]
        entries += [{title: inside}] if title else inside
    return entries


def _entry(place: str, own: Mapping[str, Page]) -> Entry:
    """Return the entry of a page, or of a folder with all pages below it."""
    if place in own:
        return {own[place].title: place}
    inner = _below(place, own)
    door = _door_within(place, inner)
    rest: list[Entry] = [{each.title: each.place} for each in inner.values() if each is not door]
    return {door.title: [{door.title: door.place}, *rest]}


def _index(kind: Kind, own: Mapping[str, Page]) -> str:
    """List the pages of a kind in the order of the navigation, each with its first sentence."""
    parts = [f"# {kind.title}\n\n{kind.about}\n"]
    for title, names in _groups(kind, own):
        lines = [f"## {title}\n"] if title else []
        for name in names:
            place = f"{kind.folder}/{name}"
            page = own.get(place) or _door_within(place, own)
            path = PurePosixPath(page.place).relative_to(kind.folder)
            lines.append(f"- [{page.title}]({path}): {page.summary}")
        parts.append("\n".join((*lines, "")))
    return "\n".join(parts)
