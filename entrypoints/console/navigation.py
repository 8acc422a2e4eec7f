"""The areas of the console, in the order of its menu."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import frozen

from ...domain.accounts.token_role import TokenRole
from ..http.route import About


@frozen
class Section:
    """An area, whose pages begin with its path."""

    title: str
    path: str
    about: About = About.ACCOUNT


_SECTIONS = (
    Section("Overview", ""),
    Section("Verifications", "/verifications"),
    Section("Messages", "/messages"),
    Section("Templates", "/templates"),
    Section("Channels", "/channels"),
    Section("Callbacks", "/callbacks"),
    Section("Guard", "/guard"),
    Section("Access", "/access"),
    Section("Evidence", "/evidence", About.STORE),
)
_PHONES = Section("Phones", "/phones", About.STORE)


def sections(may: Callable[[TokenRole, About], bool], *, sandbox: bool) -> Sequence[Section]:
    """Return the areas that a token opens; only a sandbox has phones."""
    there_are = (*_SECTIONS, _PHONES) if sandbox else _SECTIONS
    return [each for each in there_are if may(TokenRole.AUDITOR, each.about)]
