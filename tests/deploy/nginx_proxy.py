"""
A real nginx with the configuration of `deploy/`, before two nodes; `.ci/image` runs it if there is an nginx.

Ports, addresses and the certificate are the test's; all else is as the file has it.
"""

from __future__ import annotations

import asyncio
import os
import re
import socket
import ssl
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path

import pytest
from aiohttp import ClientResponse, ClientSession, ClientTimeout, FormData, TCPConnector
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.crash.waiting import until
from tests.deploy.deployed import DEPLOY
from tests.entrypoints.cli.processes import served

PUBLIC, OPERATORS = "pins.example.com", "operators.pins.example.com"
# A sandbox that has other names than localhost has secrets of its own.
TOKEN, KEY = "an-admin-token-of-this-test-alone", "ww_key-of-this-test"
PINS = {"Authorization": f"Bearer {KEY}"}
# Much more than nginx keeps of a body, and within what an account may host.
_FILE = 3 * 2**20


def free_ports(count: int) -> list[int]:
    """Return ports that nobody listens on."""
    held = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in held]
    for each in held:
        each.close()
    return ports


def certify(folder: Path) -> None:
    """Write a key and a certificate for both names, signed by itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, PUBLIC)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.DNSName(each) for each in (PUBLIC, OPERATORS)]),
            critical=False,
        )
        .sign(key, hashes.SHA256())
    )
    (folder / "watchword.crt").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    (folder / "watchword.key").write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )


def configured(folder: Path, port: int, nodes: Sequence[int], operators: Sequence[int]) -> Path:
    """Write nginx's main file around the file of `deploy/`, moved to the ports of the test."""
    text = (DEPLOY / "nginx.conf").read_text()
    for number, (public, admin) in enumerate(zip(nodes, operators, strict=True), 11):
        text = text.replace(f"10.0.0.{number}:8080", f"127.0.0.1:{public}")
        text = text.replace(f"10.0.0.{number}:8081", f"127.0.0.1:{admin}")
    text = text.replace("10.0.0.0/24", "127.0.0.1")
    text = text.replace("listen 443 ssl", f"listen 127.0.0.1:{port} ssl")
    text = text.replace("/etc/nginx/watchword", f"{folder}/watchword")
    site = folder / "watchword.conf"
    site.write_text(text)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    own = "".join(f"{each}_temp_path {folder}/{each};\n" for each in kinds)
    main = folder / "nginx.conf"
    # Workers of another user could not look into the folder of the test.
    user = "user root;\n" if os.geteuid() == 0 else ""
    main.write_text(
        f"{user}daemon off;\npid {folder}/nginx.pid;\nerror_log {folder}/error.log info;\n"
        f"events {{}}\nhttp {{\naccess_log off;\n{own}include {site};\n}}\n"
    )
    return main


class Front:
    """nginx as a client reaches it, by either name."""

    def __init__(self, session: ClientSession, port: int) -> None:
        self._session = session
        self._base = f"https://127.0.0.1:{port}"

    async def ask(
        self, method: str, path: str, name: str = PUBLIC, **given: object
    ) -> ClientResponse:
        """Send a request to a server of this name; return the answer with its body read."""
        answer = await self.open(method, path, name, **given)
        await answer.read()
        return answer

    async def open(
        self, method: str, path: str, name: str = PUBLIC, **given: object
    ) -> ClientResponse:
        """Send a request; return the answer once its head is there."""
        headers = {"Host": name, **dict(given.pop("headers", {}))}  # type: ignore[call-overload]
        return await self._session.request(
            method,
            f"{self._base}{path}",
            headers=headers,
            server_hostname=name,
            **given,  # type: ignore[arg-type]
        )


@asynccontextmanager
async def proxied(
    folder: Path, nodes: Sequence[int], operators: Sequence[int]
) -> AsyncIterator[Front]:
    """Run nginx before these ports of nodes until the end of the block."""
    (port,) = free_ports(1)
    certify(folder)
    main = configured(folder, port, nodes, operators)
    check = ("nginx", "-t", "-q", "-p", str(folder), "-c", str(main))
    checking = await asyncio.create_subprocess_exec(*check, stderr=asyncio.subprocess.PIPE)
    _, complaints = await checking.communicate()
    assert (0, b"") == (checking.returncode, complaints)
    process = await asyncio.create_subprocess_exec("nginx", "-p", str(folder), "-c", str(main))
    trusted = ssl.create_default_context(cafile=str(folder / "watchword.crt"))
    try:
        async with ClientSession(
            connector=TCPConnector(ssl=trusted), timeout=ClientTimeout(total=60)
        ) as session:
            await until(lambda: answers(port))
            yield Front(session, port)
    finally:
        with suppress(ProcessLookupError):
            process.terminate()
        await process.wait()


def answers(port: int) -> bool:
    """Say whether somebody listens on a port."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture
async def front(tmp_path: Path) -> AsyncIterator[Front]:
    """Yield nginx before a sandbox, as the first of two nodes; the second one is away."""
    public, away, admin, gone = free_ports(4)
    flags = ("--sandbox", "--sandbox-public", "--port", str(public), "--admin-port", str(admin))
    urls = ("--public-url", f"https://{PUBLIC}", "--console-url", f"https://{OPERATORS}")
    own = {"WATCHWORD_ADMIN_TOKEN": TOKEN, "WATCHWORD_SANDBOX_KEY": KEY}
    with served(tmp_path / "data", *flags, *urls, "--trusted-proxy", "127.0.0.1/32", **own):
        async with proxied(tmp_path, [public, away], [admin, gone]) as nginx:
            yield nginx


async def test_a_code_goes_through(front: Front) -> None:
    """Twenty requests are answered although every second one meets the node that is away first."""
    body = {"destination": "+919812345610", "templateId": "tpl_demo"}
    made = await front.ask("POST", "/v1/pins", json=body, headers=PINS)
    pin = await made.json()
    assert 201 == made.status, pin
    again = [await front.ask("GET", f"/v1/pins/{pin['pinId']}", headers=PINS) for _ in range(20)]

    assert 201 == made.status, pin
    assert {200} == {each.status for each in again}
    assert re.fullmatch(r"[0-9a-f]{32}", made.headers["X-Request-Id"])


async def test_operators_have_a_server_of_their_own(front: Front) -> None:
    """The public name shows neither the management API nor the console, however a path is spelled."""
    paths = ("/admin/v1/accounts", "/console", "/%61dmin/v1/accounts", "//admin/v1/accounts")
    admin = {"Authorization": f"Bearer {TOKEN}"}
    hidden = [await front.ask("GET", each, headers=admin) for each in paths]
    shown = await front.ask("GET", "/admin/v1/accounts", OPERATORS, headers=admin)
    console = await front.ask("GET", "/console/login", OPERATORS)

    assert [404] * 4 == [each.status for each in hidden]
    assert [200, 200] == [shown.status, console.status]


async def test_a_file_goes_through_and_a_large_body_is_refused_by_the_node(front: Front) -> None:
    """An upload of 3 MiB is hosted; a body of 1.5 MiB elsewhere is the node's own 413."""
    form = FormData()
    form.add_field(
        "file",
        BytesIO(b"\x89PNG\r\n\x1a\n" + bytes(_FILE)),
        filename="a.png",
        content_type="image/png",
    )
    form.add_field("senderProfileName", "TeaHouse")
    form.add_field("message_type", "promotional")
    hosted = await front.ask("POST", "/rcs/mediaupload", data=form, headers={"apikey": KEY})
    json = {**PINS, "Content-Type": "application/json"}
    body = BytesIO(bytes(3 * 2**19))
    large = await front.ask("POST", "/v1/pins", data=body, headers=json)

    assert 413 == large.status
    assert "requestId" in (await large.json())["error"]
    assert "nginx" not in await hosted.text()
    assert 200 <= hosted.status < 300, await hosted.text()


async def test_lines_of_a_live_page_come_at_once(front: Front) -> None:
    """A stream of events is passed on line by line: the first one comes while nothing has happened yet."""
    page = await front.ask("GET", "/console/login", OPERATORS)
    origin = {"Origin": f"https://{OPERATORS}", "Sec-Fetch-Site": "same-origin"}
    (proof,) = re.findall(r'name="csrf" value="([^"]*)"', await page.text())
    origin["Cookie"] = page.headers["Set-Cookie"].partition(";")[0]
    form = {"csrf": proof, "token": TOKEN, "next": ""}
    signed_in = await front.open(
        "POST", "/console/login", OPERATORS, data=form, headers=origin, allow_redirects=False
    )
    cookie = signed_in.headers["Set-Cookie"].partition(";")[0]
    stream = await front.open("GET", "/console/live", OPERATORS, headers={"Cookie": cookie})
    async with asyncio.timeout(10):
        first = await stream.content.readline()
    stream.close()

    assert 303 == signed_in.status
    assert b": open\n" == first


async def test_nobody_there_is_said_in_the_form_of_the_area(tmp_path: Path) -> None:
    """Without a node, the answer is 503 with `Retry-After` and the request's id, as a node would say it."""
    public, away, admin, gone = free_ports(4)
    async with proxied(tmp_path, [public, away], [admin, gone]) as front:
        mine = {**PINS, "X-Request-Id": "my-request"}
        pins = await front.ask("POST", "/v1/pins", json={}, headers=mine)
        sends = await front.ask("POST", "/oapi/send_sms", json={})

    assert [(503, "1"), (503, "1")] == [
        (each.status, each.headers["Retry-After"]) for each in (pins, sends)
    ]
    assert {"error": {"code": "unavailable", "message": "Try again."}} == {
        "error": {
            key: value
            for key, value in (await pins.json())["error"].items()
            if key in ("code", "message")
        }
    }
    assert "my-request" == (await pins.json())["error"]["requestId"] == pins.headers["X-Request-Id"]
    assert "unavailable" == (await sends.json())["code"]
