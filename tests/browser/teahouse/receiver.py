"""Receives callbacks on loopback, and stands in for a provider that refuses with the words of a message."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import unquote, urlsplit


class _Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """Take callbacks at /orders; refuse at /echo with the text that came, elsewhere with the query."""
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        answer = unquote(urlsplit(self.path).query).encode()
        if self.path == "/echo":
            said = json.loads(body)["text"]
            answer = json.dumps({"code": said, "text": said}).encode()
        self.send_response({"/orders": 204, "/echo": 400}.get(self.path, 503))
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def receiver() -> Iterator[str]:
    """Yield the address of a receiver."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Receiver) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
