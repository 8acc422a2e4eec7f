"""docs/reference/cli.md: every command, with its options, variables and examples."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from collections.abc import Collection

import click

from tools.reference.commands import commands, default, flag, meaning, options, value, variable
from tools.reference.markdown import code, codes, page, prose, table
from watchword.entrypoints.cli.building.groups import SUMMARIES

# An option that so many commands have is described once.
_SHARED_BY = 20
_COLUMNS = ("option", "value", "variable", "default", "meaning")
_HEAD = """\
Every option can be put before or after the arguments. One that has a variable can be left out where the
variable is set. `watchword COMMAND --help` shows the same as this page.

Without `--url`, a command opens the store itself, beside a running service if it only reads
([operating](../how-to/operating.md)).
"""


def cli() -> str:
    """Return the page."""
    found = list(commands())
    counted = Counter(_key(each) for _, command in found for each in options(command))
    shared = {key for key, number in counted.items() if number >= _SHARED_BY}
    described = {_key(each): each for _, command in found for each in options(command)}
    parts = [
        _HEAD,
        "## Options of most commands",
        "Secrets have a variable and no option: others can see a command line.",
        table(_COLUMNS, (_row(each) for key, each in described.items() if key in shared)),
    ]
    group = ""
    for path, command in found:
        if path[0] != group:
            group = path[0]
            parts += [f"## {group}", SUMMARIES[group]]
        parts += _command(path, command, shared)
    return page("Command line", "the commands of `entrypoints/cli/commands`", *parts)


def _key(option: click.Option) -> tuple[str, str]:
    return option.opts[0], meaning(option)


def _row(option: click.Option) -> tuple[str, ...]:
    name = variable(option)
    return (
        flag(option),
        value(option) + (", repeated" if option.multiple else ""),
        code(name) if name else "",
        default(option),
        prose(meaning(option)),
    )


def _command(
    path: tuple[str, ...], command: click.Command, shared: Collection[tuple[str, str]]
) -> list[str]:
    """Return the part of a command: how it is called, its help, its own options, its examples."""
    own = [each for each in options(command) if _key(each) not in shared]
    others = [each for each in options(command) if _key(each) in shared and not each.hidden]
    parts = [] if len(path) == 1 else [f"### {' '.join(path)}"]
    parts += [_help(command), f"```text\n{_usage(path, command)}\n```"]
    parts += [table(_COLUMNS, map(_row, own))]
    if others:
        words = codes(each.opts[0] for each in others)
        parts.append(
            f"It also has these [options of most commands](#options-of-most-commands): {words}."
        )
    parts.append(f"```sh\n{_examples(command)}\n```")
    return parts


def _usage(path: tuple[str, ...], command: click.Command) -> str:
    context = click.Context(command, info_name=" ".join(("watchword", *path)))
    return " ".join(("watchword", *path, *command.collect_usage_pieces(context)))


def _help(command: click.Command) -> str:
    """Return the help of a command in paragraphs; what it lays out by hand stays laid out."""
    blocks = inspect.cleandoc(command.help or "").split("\n\n")
    return "\n\n".join(
        f"```text\n{each.removeprefix(chr(8)).strip()}\n```"
        if each.startswith("\b")
        else prose(each)
        for each in blocks
    )


def _examples(command: click.Command) -> str:
    lines = (command.epilog or "").partition("Examples:\n")[2]
    return re.sub(r"^  ", "", lines, flags=re.MULTILINE).rstrip()
