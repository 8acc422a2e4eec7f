"""`make audit` with an advisory service on loopback: vulnerabilities, none, and no answer."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tools.audit_locks import NO_ADVISORIES, NOTHING_KNOWN, VULNERABLE, main

Advice = Callable[[str], tuple[int, Any]]

ADVISORY = {
    "id": "PYSEC-2026-1",
    "modified": "2026-01-01T00:00:00Z",
    "published": "2026-01-01T00:00:00Z",
    "summary": "Tea is spilt.",
    "details": "",
    "affected": [
        {
            "package": {"name": "teapot", "ecosystem": "PyPI"},
            "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "2.0"}]}],
        }
    ],
}


@contextmanager
def advisory_service(advice: Advice) -> Iterator[str]:
    """Serve advice as OSV does, by the name of the package; yields its URL."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
            status, told = advice(asked["package"]["name"])
            body = json.dumps(told).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/v1/query"
        server.shutdown()


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    """Write a lock of two packages."""
    path = tmp_path / "requirements.lock"
    path.write_text(
        "".join(f"{name}==1.0 \\\n    --hash=sha256:{'0' * 64}\n" for name in ("teacup", "teapot"))
    )
    return path


def audit(lock: Path, url: str, *options: str) -> int:
    """Audit a lock with the service at a URL."""
    return main([lock], ["--osv-url", url, "--timeout", "5", *options])


def test_what_is_known_is_named(lock: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A package with an advisory is named with its release that is mended, and the target fails."""
    with advisory_service(
        lambda name: (200, {"vulns": [ADVISORY]} if name == "teapot" else {})
    ) as url:
        status = audit(lock, url)

    assert VULNERABLE == status
    assert [
        "teapot 1.0: PYSEC-2026-1 (fixed in 2.0)",
        "Vulnerable: 1 of 2 packages.",
    ] == capsys.readouterr().out.splitlines()


def test_an_answer_about_every_package_passes(
    lock: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The target says that nothing is known only if the service answered for each package."""
    with advisory_service(lambda _: (200, {})) as url:
        status = audit(lock, url)

    assert NOTHING_KNOWN == status
    assert "No known vulnerabilities in 2 packages.\n" == capsys.readouterr().out


@pytest.mark.parametrize("answered", [404, 503], ids=["nothing there", "out of order"])
def test_a_service_that_fails_is_no_clean_bill(
    lock: Path, answered: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line says that no advisories were got, and the status is neither pass nor vulnerable."""
    with advisory_service(lambda _: (answered, {})) as url:
        status = audit(lock, url)

    assert NO_ADVISORIES == status
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("No advisories were got about ")


def test_nobody_there_is_no_clean_bill(lock: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A service that cannot be reached is one line, not a traceback."""
    with advisory_service(lambda _: (200, {})) as url:
        pass
    status = audit(lock, url)

    assert NO_ADVISORIES == status
    told = capsys.readouterr()
    (line,) = told.out.splitlines()
    assert line.startswith("No advisories were got about any package, so ")
    assert "" == told.err


def test_packages_that_the_service_skips_are_named(
    lock: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """pip-audit ends well for a package that was not audited; here that is no pass."""
    lock.write_text(
        lock.read_text() + f"teaspoon==not.a.version \\\n    --hash=sha256:{'0' * 64}\n"
    )
    with advisory_service(lambda _: (200, {})) as url:
        status = audit(lock, url)

    assert NO_ADVISORIES == status
    assert "No known" not in capsys.readouterr().out
