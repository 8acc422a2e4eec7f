"""The writer process: receives the shapes of rows, then writes batches and returns their verdicts."""

from __future__ import annotations

import gc
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from .commit import commit
from .recorder import BatchRecorder, DurableDatastore, database_uri
from .writer_messages import LENGTH_BYTES, length_of, read_batch, read_shapes, verdicts_message

# Batches create no reference cycles, so frequent collections would find nothing.
_COLLECT_AFTER = 5_000


def main(connection: socket.socket, path: Path) -> None:
    """Write batches until the service closes the connection or ends."""
    # A signal reaches the whole process group. The service handles it, and still waits for results.
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_IGN)
    gc.freeze()
    gc.set_threshold(_COLLECT_AFTER)
    with connection, connection.makefile("rb") as stream, suppress(BrokenPipeError):
        messages = _messages(stream)
        if (first := next(messages, None)) is None:
            return
        recorder = BatchRecorder(DurableDatastore(database_uri(path, "rw")), read_shapes(first))
        for body in messages:
            batch, real_now = read_batch(body)
            connection.sendall(verdicts_message(commit(recorder, batch, real_now)))


def _messages(stream: BinaryIO) -> Iterator[bytes]:
    while len(header := stream.read(LENGTH_BYTES)) == LENGTH_BYTES:
        length = length_of(header)
        if len(body := stream.read(length)) < length:
            return
        yield body


def report_and_exit(error: Exception) -> None:
    """Log a fatal error to stderr without its text, which may hold a client's data (C-31); then exit."""
    from ...log_lines import as_json, logging_to  # noqa: PLC0415  a writer that works starts sooner without
    from ...logs import logger  # noqa: PLC0415  as above

    with logging_to(sys.stderr, "error", as_json):
        logger("watchword.writer").error("writer_failed", exc_info=error)
    sys.exit(1)


if __name__ == "__main__":
    try:
        main(socket.socket(fileno=int(sys.argv[1])), Path(sys.argv[2]))
    except Exception as failure:
        report_and_exit(failure)
