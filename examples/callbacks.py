"""
A receiver of signed callbacks that uses only the standard library.

Start a sandbox with `watchword serve --sandbox --allow-private-urls`, then run this with its
address and keys, if they are not the usual ones:
`python examples/callbacks.py http://127.0.0.1:8080 sandbox-key sandbox-admin`.

It creates an endpoint for events of PINs, and then a PIN.
"""

import base64
import hashlib
import hmac
import json
import queue
import sys
import threading
import time
import urllib.request
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

USUAL = ("http://127.0.0.1:8080", "sandbox-key", "sandbox-admin")
# An older callback may be a replay.
TOLERATED_SECONDS = 5 * 60


def verified(secret: str, headers: Mapping[str, str], body: bytes) -> dict[str, Any]:
    """Return the content of a callback; raises `PermissionError` unless the secret signed it."""
    sent_at, webhook_id = headers["webhook-timestamp"], headers["webhook-id"]
    if abs(time.time() - int(sent_at)) > TOLERATED_SECONDS:
        raise PermissionError("too old")
    # The received bytes are signed; JSON that is encoded again may differ from them.
    signed = f"{webhook_id}.{sent_at}.".encode() + body
    key = base64.b64decode(secret.removeprefix("whsec_"))
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    # There can be several signatures while a secret is replaced.
    given = headers["webhook-signature"].split(" ")
    if not any(hmac.compare_digest(expected, each) for each in given):
        raise PermissionError("not signed with our secret")
    said: dict[str, Any] = json.loads(body)
    return said


class Receiver(ThreadingHTTPServer):
    """Accepts each callback once, and puts it into `received`."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.secret = ""
        self.received: queue.Queue[dict[str, Any]] = queue.Queue()
        self.seen: set[str] = set()

    @property
    def url(self) -> str:
        """Return the address of the receiver."""
        return f"http://127.0.0.1:{self.server_port}/callbacks"


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        receiver = self.server
        assert isinstance(receiver, Receiver)
        headers = {name.lower(): value for name, value in self.headers.items()}
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            said = verified(receiver.secret, headers, body)
        except (PermissionError, KeyError, TypeError, ValueError):
            self.send_error(401)
            return
        # The service repeats a callback under the same id if the answer is late.
        if headers["webhook-id"] not in receiver.seen:
            receiver.seen.add(headers["webhook-id"])
            receiver.received.put(said)
        self.send_response(204)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  named so in its base
        """Print nothing."""


def main(url: str, api_key: str, admin_token: str) -> None:
    """Create a PIN, and receive the events of its issue and its dispatch."""
    receiver = Receiver()
    threading.Thread(target=receiver.serve_forever, daemon=True).start()
    endpoint = post(
        f"{url}/admin/v1/callbacks",
        admin_token,
        {"account": "demo", "url": receiver.url, "events": ["pin.*"]},
    )
    receiver.secret = endpoint["secret"]
    pin = post(
        f"{url}/v1/pins", api_key, {"destination": "+919812345610", "templateId": "tpl_demo"}
    )
    # The two callbacks can arrive in either order.
    callbacks = [receiver.received.get(timeout=30) for _ in range(2)]
    data = {callback["type"]: callback["data"] for callback in callbacks}
    for callback_type in ("pin.issued", "pin.dispatched"):
        print(f"{callback_type} of our PIN: {data[callback_type]['pinId'] == pin['pinId']}")
    receiver.shutdown()


def post(url: str, key: str, body: Any) -> Any:
    """Post JSON and return the answer."""
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)  # noqa: S310  the service's own
    with urllib.request.urlopen(request) as answer:  # noqa: S310  the same
        return json.load(answer)


if __name__ == "__main__":
    main(*sys.argv[1:], *USUAL[len(sys.argv) - 1 :])
