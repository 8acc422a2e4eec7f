"""A service in a process of its own, and a plain client of its API."""

from __future__ import annotations

import json
import os
import re
import secrets
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from attrs import field, frozen

SANDBOX_KEY = "sandbox-key"
_ADDRESS = re.compile(r"http://[\w.:\[\]-]+")


class RefusedError(Exception):
    """The API answered with something else than success."""

    def __init__(self, call: str, status: int, answer: object) -> None:
        self.status = status
        super().__init__(f"{call}: {status} {answer}")


@frozen
class Api:
    """Calls a service as a program does: with one header that says who calls."""

    address: str
    headers: Mapping[str, str]

    def call(self, method: str, path: str, body: object = None, **query: object) -> Any:
        """Call a route; return its answer. Raises `RefusedError` for a refusal."""
        target = f"{path}?{urlencode(query, doseq=True)}" if query else path
        sent = None if body is None else json.dumps(body).encode()
        kind = {} if body is None else {"Content-Type": "application/json"}
        with closing(HTTPConnection(urlsplit(self.address).netloc, timeout=60)) as line:
            line.request(method, target, sent, {**self.headers, **kind})
            response = line.getresponse()
            text = response.read()
        answer = json.loads(text) if text else None
        if response.status >= 400:
            raise RefusedError(f"{method} {target}", response.status, answer)
        return answer

    def get(self, path: str, **query: object) -> Any:
        """Read."""
        return self.call("GET", path, **query)

    def post(self, path: str, body: object = None, **query: object) -> Any:
        """Create, or act."""
        return self.call("POST", path, {} if body is None else body, **query)


@frozen
class Served:
    """A service that listens on loopback, and the environment's token for it."""

    address: str
    token: str = field(repr=False)

    @property
    def admin(self) -> Api:
        """The management API."""
        return self.operator(self.token)

    @property
    def pins(self) -> Api:
        """The API of PINs, with the key of the demo account."""
        return Api(self.address, {"Authorization": f"Bearer {SANDBOX_KEY}"})

    @property
    def messages(self) -> Api:
        """The API of messages, with the key of the demo account."""
        return Api(self.address, {"apikey": SANDBOX_KEY})

    def operator(self, token: str) -> Api:
        """Return the management API as a token opens it."""
        return Api(self.address, {"Authorization": f"Bearer {token}"})


@contextmanager
def served(folder: Path, *arguments: str, sandbox: bool = True) -> Iterator[Served]:
    """Serve a store in a folder for a block; the log goes to `serve.log` beside it."""
    command = [sys.executable, "-m", "watchword", "serve", "--port", "0"]
    command += ["--data-dir", str(folder / "data"), *(["--sandbox"] if sandbox else []), *arguments]
    token = secrets.token_urlsafe(32)
    environment = {**os.environ, "WATCHWORD_ADMIN_TOKEN": token}
    with (
        (folder / "serve.log").open("a") as log,
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment
        ) as process,
    ):
        try:
            yield Served(_address_of(process), token)
        finally:
            process.terminate()
            process.wait(30)


def _address_of(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    for line in process.stdout:
        if found := _ADDRESS.search(line):
            return found[0]
    raise AssertionError("The service did not say where it listens.")
