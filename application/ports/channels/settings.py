"""The settings that a channel provider declares: what operators are asked, and what is secret (C-63)."""

from __future__ import annotations

from enum import StrEnum

from attrs import frozen


class SettingKind(StrEnum):
    """The kind of a setting's value (C-99)."""

    TEXT = "text"
    INTEGER = "integer"
    BOOLEAN = "boolean"
    CHOICE = "choice"
    URL = "url"
    JSON = "json"
    LIST = "list"


@frozen(kw_only=True)
class Setting:
    """
    One setting of a channel account's config.

    `name` is its path, such as `auth.basic.username`. A setting is secret unless it is declared not to
    be, and so is one that is not declared at all. A declaration also covers the members below it that
    have none of their own. A setting is required only where the member that it stands in is given.

    `peer` says that the setting decides who receives the secrets: a host, a port, TLS, a file of
    certificates. A change of one demands all secrets anew (C-66). A `url` always is one.
    """

    name: str
    kind: SettingKind = SettingKind.TEXT
    required: bool = False
    secret: bool = True
    choices: tuple[str, ...] = ()
    peer: bool = False
    help: str = ""
