"""The settings that a channel provider declares: what operators are asked, and what is secret (C-63)."""

from __future__ import annotations

from enum import StrEnum

from attrs import frozen


class SettingKind(StrEnum):
    """The kind of a setting's value, in the words of JSON."""

    TEXT = "text"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    LIST = "list"
    OBJECT = "object"


@frozen(kw_only=True)
class Setting:
    """
    One setting of a channel account's config.

    `name` is its path, such as `auth.basic.username`. A setting is secret unless it is declared not to
    be, and so is one that is not declared at all. A declaration also covers the members below it that
    have none of their own.
    """

    name: str
    kind: SettingKind = SettingKind.TEXT
    required: bool = False
    secret: bool = True
    choices: tuple[str, ...] = ()
    help: str = ""
