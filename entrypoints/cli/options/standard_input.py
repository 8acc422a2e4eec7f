"""Reads a value from the standard input, so that it is in no history of a shell (D-368)."""

from __future__ import annotations

import sys

import click

# Longer than any destination or code.
_MOST_READ = 1_000


def one_line(prompt: str, *, nothing: str, several: str, hidden: bool = False) -> str:
    """
    Return the only line of the standard input; a person is asked for it, and sees none of it if `hidden`.

    Raises `click.UsageError` with `nothing` or `several` for another number of lines.
    """
    if sys.stdin.isatty():
        typed: str = click.prompt(prompt, err=True, hide_input=hidden)
        return typed
    lines = [line.strip() for line in sys.stdin.read(_MOST_READ).splitlines() if line.strip()]
    if not lines:
        raise click.UsageError(nothing)
    if len(lines) > 1:
        raise click.UsageError(several)
    return lines[0]
