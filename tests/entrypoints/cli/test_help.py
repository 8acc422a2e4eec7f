"""What the command line says about itself."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest

from tests.entrypoints.cli.conftest import Run
from watchword.entrypoints.cli.__main__ import main


def commands(group: click.Group, *path: str) -> Iterator[tuple[str, ...]]:
    """Give the path of every command that does something."""
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, *path, name)
        else:
            yield (*path, name)


@pytest.mark.parametrize("path", list(commands(main)), ids=" ".join)
def test_every_command_shows_how_it_is_used(path: tuple[str, ...], alone: Run) -> None:
    """Help says in a sentence what a command does, and has examples that name it."""
    shown = alone(*path, "--help")

    assert 0 == shown.exit_code
    _, examples = shown.stdout.split("Examples:\n")
    assert f"watchword {' '.join(path)}" in examples


def test_no_secret_is_asked_for_by_default(alone: Run) -> None:
    """The key that protects codes has no flag in any help: a command line is seen by others."""
    shown = "".join(alone(*path, "--help").stdout for path in commands(main))

    assert "--code-key " not in shown
