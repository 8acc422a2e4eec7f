"""The help of the command line."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import click
import pytest

from tests.entrypoints.cli.conftest import Run
from watchword.entrypoints.cli.__main__ import main


def command_of(*path: str) -> click.Command:
    """Return the command that is called by these words."""
    found: click.Command = main
    for word in path:
        assert isinstance(found, click.Group)
        _, called, _ = found.resolve_command(click.Context(found), [word])
        assert called is not None
        found = called
    return found


def commands(*path: str) -> Iterator[tuple[str, ...]]:
    """Yield the path of every command that does something."""
    command = command_of(*path)
    if isinstance(command, click.Group):
        for name in command.commands:
            yield from commands(*path, name)
    else:
        yield path


@pytest.mark.parametrize("path", list(commands()), ids=" ".join)
def test_every_command_shows_how_it_is_used(path: tuple[str, ...], alone: Run) -> None:
    """Help has a sentence about the command, and examples that name it."""
    shown = alone(*path, "--help")

    assert 0 == shown.exit_code
    _, examples = shown.stdout.split("Examples:\n")
    assert f"watchword {' '.join(path)}" in examples


@pytest.mark.parametrize("group", [(), *sorted({path[:-1] for path in commands() if path[1:]})])
def test_a_list_of_commands_breaks_off_nowhere(group: tuple[str, ...], alone: Run) -> None:
    """Each command has one complete line."""
    listed = alone(*group, "--help").stdout.partition("Commands:\n")[2]

    assert listed
    assert "..." not in listed


def test_no_secret_is_asked_for_by_default(alone: Run) -> None:
    """The key that protects codes has no flag in any help: a command line is seen by others."""
    shown = "".join(alone(*path, "--help").stdout for path in commands())

    assert "--code-key " not in shown


def test_the_list_says_of_a_command_what_its_own_help_says() -> None:
    """The commands are listed without being imported, in the words of each."""
    listed = {name: command.short_help for name, command in main.commands.items()}

    assert {name: command_of(name).get_short_help_str(200) for name in listed} == listed


@pytest.mark.parametrize(
    ("words", "spared"),
    [
        ([[]], {"aiohttp", "asyncio", "attrs", "sqlalchemy"}),
        ([[name] for name in main.commands], {"aiohttp", "eventsourcing", "passlib", "sqlalchemy"}),
    ],
    ids=["list", "commands"],
)
def test_help_is_shown_without_the_server(words: list[list[str]], spared: set[str]) -> None:
    """Help loads no server, no database and no client."""
    program = (
        "import sys\n"
        "from watchword.entrypoints.cli.__main__ import main\n"
        f"for words in {words}:\n"
        "    main([*words, '--help'], standalone_mode=False)\n"
        f"print('loaded', *sorted({spared} & {{*sys.modules}}))\n"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", program], capture_output=True, text=True, check=True
    )

    assert len(words) == done.stdout.count("Usage: ")
    assert done.stdout.endswith("loaded\n")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("acounts", "No such command 'acounts'. Did you mean 'accounts'?"),
        ("bogus", "No such command 'bogus'."),
    ],
)
def test_a_misspelt_command_is_said_with_what_was_meant(typed: str, said: str, alone: Run) -> None:
    """A near match is suggested."""
    refused = alone(typed)

    assert 2 == refused.exit_code
    assert f"Error: {said}\n" in refused.stderr
