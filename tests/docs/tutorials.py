"""
Walks through a tutorial as its reader does: every block, in order, in a folder of its own (D-539).

`make run` starts a sandbox. Other lines of shell run in one shell. A block of Python is the file that its
first line names, and `.venv/bin/python FILE` runs that until the end. A block of text is what came out: `...`
stands for anything, six digits for any code, and `^C` ends the program. Ports of the page become free ones.
"""

from __future__ import annotations

import importlib.metadata
import re
import shlex
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from queue import Empty, Queue
from typing import IO

from tests.entrypoints.cli.processes import PATIENCE, command, environment, served

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs" / "tutorials"
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_FILE = re.compile(r"# (\w+\.py)\n")
_RUN = re.compile(r"make run(?: ARGS=(\S+))?\n")
_PROGRAM = re.compile(r"\.venv/bin/python (\w+\.py)\n")
_INSTALL = re.compile(r"pip install ([\w -]+)\n")
_DONE = "block done:"
# The service of `make run`.
_SERVICE_PORT = "8080"


class Walk:
    """A reader, in the middle of a page."""

    def __init__(self, page: Path, folder: Path, stack: ExitStack) -> None:
        text = page.read_text()
        self._blocks: list[tuple[str, str]] = _BLOCK.findall(text)
        self._folder = folder
        self._stack = stack
        self._ports = {each: _free_port() for each in re.findall(r"127\.0\.0\.1:(\d+)", text)}
        self._shell = stack.enter_context(_shell(folder))
        self._program: Lines | None = None
        self._shown: list[str] = []

    def url(self, port: str) -> str:
        """Return the address of what listens on a port of the page."""
        return f"http://127.0.0.1:{self._ports[port]}"

    def go(self, *, before: str | None = None) -> None:
        """Read on, until the end or until the block that has these words."""
        while self._blocks and not (before and before in self._blocks[0][1]):
            language, block = self._blocks.pop(0)
            shows = self._blocks[0][1] if self._blocks and self._blocks[0][0] == "text" else None
            self._do(language, block, shows)

    def said(self, lines: int) -> list[str]:
        """Return the next lines of the program that the page runs."""
        assert self._program is not None
        return self._program.next(lines)

    def _do(self, language: str, block: str, shows: str | None) -> None:
        if language == "sh" and (found := _RUN.fullmatch(block)):
            self._serve(*shlex.split(found[1] or ""))
            return
        block = self._with_free_ports(block)
        if language == "python":
            name = _FILE.match(block)
            assert name is not None, "A tutorial's program is a file with a name."
            (self._folder / name[1]).write_text(block)
        elif language == "sh" and (found := _PROGRAM.fullmatch(block)):
            run = [sys.executable, "-u", found[1]]
            self._program = self._stack.enter_context(_running(run, self._folder))
            self._shown = self.said(len(shows.splitlines())) if shows else []
        elif language == "sh" and (found := _INSTALL.fullmatch(block)):
            for package in found[1].split():
                importlib.metadata.version(package)
        elif language == "sh":
            self._shown = self._typed(block)
        else:
            assert language == "text", f"A tutorial has no blocks of {language}."
            if block == "^C\n":
                self._interrupt()
                return
            self._compare(block)

    def _serve(self, *arguments: str) -> None:
        service = self._stack.enter_context(served(self._folder / "var", "--sandbox", *arguments))
        self._ports[_SERVICE_PORT] = service.url.rpartition(":")[2]

    def _typed(self, block: str) -> list[str]:
        """Run lines in the shell, and return what they printed; raises if the last of them failed."""
        file = self._folder / "typed.sh"
        file.write_text(block)
        self._shell.write(f'. ./{file.name} < /dev/null\nstatus=$?; echo; echo "{_DONE} $status"\n')
        printed: list[str] = []
        while not (printed and printed[-1].startswith(_DONE)):
            printed += self._shell.next(1)
        assert printed.pop() == f"{_DONE} 0", (block, printed)
        # The empty line is what ends an answer that has no end of line.
        return printed if printed[-1] else printed[:-1]

    def _interrupt(self) -> None:
        """End the program as Ctrl-C does; it has to end by itself."""
        assert self._program is not None
        self._program.interrupt()
        self._program = None

    def _compare(self, block: str) -> None:
        expected = block.splitlines()
        if not self._shown:
            # Nothing was typed since: the program has printed this, its lines in any order.
            self._shown = sorted(self.said(len(expected)))
            expected = sorted(expected)
        pattern = re.escape("\n".join(expected)).replace(r"\.\.\.", ".*")
        pattern = re.sub(r"\b\d{6}\b", r"\\d{6}", pattern)
        assert re.fullmatch(pattern, "\n".join(self._shown)), (expected, self._shown)
        self._shown = []

    def _with_free_ports(self, block: str) -> str:
        for port, free in self._ports.items():
            block = re.sub(rf"\b{port}\b", free, block)
        return block


class Lines:
    """A process that is talked to by lines."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        self._process = process
        self._lines: Queue[str] = Queue()
        threading.Thread(target=self._read, args=[process.stdout], daemon=True).start()

    def write(self, text: str) -> None:
        """Type something."""
        assert self._process.stdin is not None
        self._process.stdin.write(text)
        self._process.stdin.flush()

    def next(self, lines: int) -> list[str]:
        """Return the next lines; raises `AssertionError` if they do not come."""
        found: list[str] = []
        while len(found) < lines:
            try:
                found.append(self._lines.get(timeout=2 * PATIENCE))
            except Empty:
                raise AssertionError(f"Only these lines came: {found}") from None
        return found

    def interrupt(self) -> None:
        """Press Ctrl-C, and wait for the end."""
        self._process.send_signal(signal.SIGINT)
        self._process.wait(timeout=PATIENCE)

    def _read(self, output: IO[str]) -> None:
        for line in output:
            self._lines.put(line.removesuffix("\n"))


@contextmanager
def walking(page: str, folder: Path) -> Iterator[Walk]:
    """Begin a page in a folder; at the end, stop everything that it started."""
    with ExitStack() as stack:
        yield Walk(PAGES / page, folder, stack)


@contextmanager
def _shell(folder: Path) -> Iterator[Lines]:
    """Start a shell which finds what a reader has: curl, and the environment of `make run`."""
    program = "import sys, shlex; from tests.entrypoints.cli.curl_lines import answer_to"
    program = f"{program}; print(answer_to(shlex.join(['curl', *sys.argv[1:]])), end='')"
    tools = {"bin/curl": [sys.executable, "-c", program], ".venv/bin/watchword": command()}
    for name, words in tools.items():
        tool = folder / name
        tool.parent.mkdir(parents=True)
        line = f'PYTHONPATH={shlex.quote(str(ROOT))} exec {shlex.join(words)} "$@"'
        tool.write_text(f"#!/bin/sh\n{line}\n")
        tool.chmod(0o700)
    path = f"{folder / 'bin'}:{environment()['PATH']}"
    with _running(["/bin/sh"], folder, PATH=path) as shell:
        yield shell


@contextmanager
def _running(words: list[str], folder: Path, **variables: str) -> Iterator[Lines]:
    """Run a program in a folder until the end of the block."""
    process = subprocess.Popen(
        words,
        cwd=folder,
        env=environment(**variables),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        yield Lines(process)
    finally:
        process.send_signal(signal.SIGKILL)
        process.communicate()


def _free_port() -> str:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return str(free.getsockname()[1])
