"""Writes files that are complete, or unchanged after a failure."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO

import click

STANDARD_OUTPUT = Path("-")

output_option = click.option(
    "--output",
    type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
    default=STANDARD_OUTPUT,
    metavar="FILE",
    help="File to write, readable by its owner alone (default: -, the standard output).",
)


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """
    Yield a file to write; at the end of the block it gets its name, and is on the disk.

    If the block fails, nothing is left of the file. Only its owner can read it. Raises
    `click.BadParameter` if the path exists and is no plain file, and `OSError` if the folder cannot
    be written.
    """
    # If the name is a link, the file that it points to is replaced.
    path = path.resolve()
    if path.exists() and not path.is_file():
        raise click.BadParameter(f"{path} is no plain file. Use - for the standard output.")
    folder = os.open(path.parent, os.O_RDONLY | os.O_CLOEXEC)
    try:
        with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as part:
            try:
                yield part
                part.flush()
                os.fsync(part.fileno())
                Path(part.name).replace(path)
            except BaseException:
                Path(part.name).unlink()
                raise
        os.fsync(folder)
    finally:
        os.close(folder)


@contextmanager
def opened(output: Path) -> Iterator[IO[bytes]]:
    """Yield the output of a command: a file as `whole_file` does, or the standard output."""
    if output != STANDARD_OUTPUT:
        with whole_file(output) as part:
            yield part
        return
    yield sys.stdout.buffer
    sys.stdout.flush()
