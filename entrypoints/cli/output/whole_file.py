"""Files that are there whole, or as they were before."""

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
    Give a file to write, which takes its name, and has reached the disk, at the end of the block.

    When the block fails, nothing is left of it. The file is its owner's alone. Raises
    `click.BadParameter` for a name that stands for something else than a file, `OSError` where the
    folder takes none.
    """
    # The name may be a link, of which only what it points to is to be replaced.
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
    """Give what the command's `--output` names: a file as `whole_file` does, or the standard output."""
    if output != STANDARD_OUTPUT:
        with whole_file(output) as part:
            yield part
        return
    yield sys.stdout.buffer
    sys.stdout.flush()
