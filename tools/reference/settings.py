"""docs/reference/settings.md: every setting of a process, by its variable, its option and its argument."""

from __future__ import annotations

import inspect

import click
from attrs import fields

import watchword
from tools.reference.commands import commands, default, flag, meaning, options, value, variable
from tools.reference.markdown import code, codes, page, prose, table
from watchword.entrypoints.settings import Settings

_HEAD = """\
A process reads its settings at the start. An option of the command line goes before its variable; an empty
variable counts as none. Programs that embed the service pass the same settings to `watchword.open`. Times
are in seconds.

What belongs to an account, a template or a channel account is no setting of a process: callers with an
operator's token change it while the service runs ([management](http/management.md)).
"""
_COLUMNS = ("variable", "option", "value", "default", "meaning", "read by", "`watchword.open`")
# The commands that are processes of a service.
_PROCESSES = ("serve", "worker")


def settings() -> str:
    """Return the page."""
    found: dict[str, dict[str, click.Option]] = {}
    for path, command in commands():
        for each in options(command):
            if variable(each):
                found.setdefault(variable(each), {})[" ".join(path)] = each
    arguments = set(inspect.signature(watchword.open).parameters)
    of_service = {name: users for name, users in found.items() if users.keys() & {*_PROCESSES}}
    of_commands = {name: users for name, users in found.items() if name not in of_service}
    alone = sorted(arguments - {_argument(users) for users in of_service.values()})
    return page(
        "Settings",
        "the options of `entrypoints/cli` and the arguments of `watchword.open`",
        _HEAD,
        "## Of a service",
        table(_COLUMNS, (_row(name, users, arguments) for name, users in of_service.items())),
        "## Of commands alone",
        table(
            _COLUMNS[:-1],
            (_row(name, users, arguments)[:-1] for name, users in of_commands.items()),
        ),
        "## Of embedders alone",
        f"`watchword.open` also takes {codes(alone)} ([embedding](../how-to/embedding.md)).",
    )


def _row(name: str, users: dict[str, click.Option], arguments: set[str]) -> tuple[str, ...]:
    option = next(users[each] for each in (*_PROCESSES, *users) if each in users)
    argument = _argument(users)
    return (
        code(name),
        flag(option),
        (value(option) or code(1)) + (", separated by blanks" if option.multiple else ""),
        default(option),
        prose(meaning(option)),
        _readers(users),
        code(argument) if argument in arguments else "",
    )


def _readers(users: dict[str, click.Option]) -> str:
    """Say which commands read a variable."""
    named = [each for each in _PROCESSES if each in users]
    others = len(users) - len(named)
    if others > 3:
        named.append("commands")
    elif others:
        named += [each for each in users if each not in _PROCESSES]
    return ", ".join(named)


def _argument(users: dict[str, click.Option]) -> str:
    """Return the name of the setting that an option sets."""
    name = next(iter(users.values())).name or ""
    return name if name in {each.name for each in fields(Settings)} else ""
