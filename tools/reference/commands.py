"""The commands of `watchword`, as the reference of the command line and of the settings reads them."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import click

from tools.reference.markdown import code
from watchword.entrypoints.cli.__main__ import main


def commands() -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Yield every command that does something, by the words that call it, in the order of the lists."""
    for name in sorted(main.commands):
        found = main.resolve_command(click.Context(main), [name])[1]
        if found is not None:
            yield from _below((name,), found)


def _below(
    path: tuple[str, ...], command: click.Command
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    if isinstance(command, click.Group):
        for name in sorted(command.commands):
            yield from _below((*path, name), command.commands[name])
    else:
        yield path, command


def options(command: click.Command) -> list[click.Option]:
    """Return the options of a command that have a flag, a variable or both for people."""
    return [
        each
        for each in command.params
        if isinstance(each, click.Option) and (not each.hidden or each.envvar)
    ]


def variable(option: click.Option) -> str:
    """Return the environment variable of an option, if it has one."""
    return str(option.envvar) if option.envvar else ""


def value(option: click.Option) -> str:
    """Return what may stand behind an option: a range, a choice, a kind; nothing for a switch."""
    kind = option.type
    if option.is_flag or option.count:
        return ""
    if isinstance(kind, click.Choice):
        return " or ".join(code(each) for each in kind.choices)
    if isinstance(kind, click.IntRange | click.FloatRange):
        words = "integer" if isinstance(kind, click.IntRange) else "number"
        return f"{words}{_bounds(kind.min, kind.max)}"
    if option.metavar:
        return option.metavar
    if isinstance(kind, click.Path):
        return "folder" if not kind.file_okay else "file"
    names = {"text": "text", "integer": "integer", "float": "number"}
    return names.get(kind.name, kind.name)


def _bounds(least: float | None, most: float | None) -> str:
    if least is not None and most is not None:
        return f", {least:g} to {most:g}" if most < 1e5 else f", {least:g} to {int(most):,}"
    return "" if least is None else f", at least {least:g}"


def default(option: click.Option) -> str:
    """Return the default of an option as its help shows it."""
    if option.required:
        return "required"
    if not option.show_default or option.default is None:
        return ""
    return code(f"{option.default:g}" if isinstance(option.default, float) else option.default)


def meaning(option: click.Option) -> str:
    """Return the help of an option."""
    return inspect.cleandoc(option.help or "")


def flag(option: click.Option) -> str:
    """Return the names of an option on a command line; nothing if it has a variable alone."""
    if option.hidden:
        return ""
    names = " ".join(code(each) for each in sorted(option.opts, key=len))
    return names + "".join(f" / {code(each)}" for each in option.secondary_opts)
