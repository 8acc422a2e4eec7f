"""`watchword serve`: its output, its refusals, its end."""

from __future__ import annotations

import json
import re
import shlex
import signal
import socket
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import pytest
from attrs import evolve

from tests.entrypoints.cli.conftest import Run
from tests.entrypoints.cli.curl_lines import run_curl
from tests.entrypoints.cli.processes import Served, environment, run, served
from tests.entrypoints.cli.shells import Shell, shell_in
from tests.entrypoints.cli.test_help import command_of
from tests.fakes.providers import ScriptedProvider
from watchword.application.caller import Caller
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.serving.first_steps import NothingToSendWith, what_is_missing
from watchword.entrypoints.settings import Settings


def status_of(running: Served, path: str) -> int:
    """Return the status of a page."""
    with closing(HTTPConnection(running.url.removeprefix("http://"), timeout=30)) as connection:
        connection.request("GET", path)
        return connection.getresponse().status


def test_a_sandbox_says_what_one_needs_to_try_it(sandbox: Served) -> None:
    """It prints its address, the key, the template's id, the operator's token, routes and console."""
    assert [
        f"Watchword sandbox at {sandbox.url}",
        "  API key      sandbox-key",
        "  template id  tpl_demo",
        "  admin token  sandbox-admin",
        f"  routes       {sandbox.url}/docs",
    ] == [line for line in sandbox.said.splitlines() if "console" not in line][:5]
    assert f"The console is at {sandbox.url}/console" == sandbox.said.splitlines()[1]
    assert (200, {"status": "ready"}) == sandbox.ask("GET", "/health/ready", key=None)


def test_a_sandbox_says_what_its_provider_does(sandbox: Served) -> None:
    """The ends of numbers that mean something stand in a table, each as it is (C-40)."""
    _, table = sandbox.said.split("before an address's @:\n")
    endings = dict(line.split(maxsplit=1) for line in table.split("\n\n")[0].splitlines())
    told = {}
    for end in sorted(endings):
        phone = {"sender": "Watchword", "recipient": f"+44794609{end}", "type": "SI"}
        body = {"sms": [{**phone, "messageBody": "Tea"}]}
        if end != "0004":
            _, answer = sandbox.ask("POST", "/oapi/send_sms", body, None, apikey="sandbox-key")
            told[end] = answer["data"][0]["status"]

    assert ["0001", "0002", "0003", "0004", "0005"] == sorted(endings)
    assert {"0001": "rejected", **dict.fromkeys(("0002", "0003", "0005"), "accepted")} == told
    assert all(len(line) <= 80 for line in table.splitlines()[:5])


def test_the_printed_lines_work_as_they_are(sandbox: Served) -> None:
    """The first line issues a PIN and the second reads the phone."""
    _, script = sandbox.said.split("Issue a PIN:\n")
    issue, read = script.split("Read the phone it went to:\n")
    issued, phone = (json.loads(run_curl(line.strip())) for line in (issue, read))

    assert "PENDING" == issued["status"]
    assert "+919812345610" in [message["destination"] for message in phone["data"]]


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    """Run lines in a shell whose curl is Python's."""
    return shell_in(tmp_path)


def first_lines() -> str:
    """Return the README's lines for a PIN."""
    readme = (Path(__file__).parents[3] / "README.md").read_text()
    script = re.search(r"```sh\n(curl.*?)```", readme, re.DOTALL)
    assert script is not None
    return script[1]


def test_the_lines_of_the_readme_work_seven_times_a_day(sandbox: Served, shell: Shell) -> None:
    """Pasted into a shell, they issue a PIN, read its code and verify it, as often as one likes."""
    lines = first_lines().replace("http://127.0.0.1:8080", sandbox.url)
    for _ in range(7):
        pasted = shell(lines)

        assert (0, "") == (pasted.returncode, pasted.stderr)
        assert '"status":"VERIFIED"' in pasted.stdout


def test_the_lines_of_the_readme_stop_where_no_pin_was_made(sandbox: Served, shell: Shell) -> None:
    """The answer of the create is shown, and the later lines do not run."""
    lines = first_lines().replace("http://127.0.0.1:8080", sandbox.url)
    pasted = shell(lines.replace("tpl_demo", "tpl_none"))

    assert "template_not_found" in pasted.stdout
    assert "verify" not in pasted.stdout
    assert pasted.stderr.endswith("PIN_ID: No PIN was made: the first answer says why.\n")


def test_the_readmes_send_falls_back(sandbox: Served) -> None:
    """Copied one after the other, its lines send on RCS, move the clock, and show the SMS too."""
    readme = (Path(__file__).parents[3] / "README.md").read_text()
    script = re.search(r"## Send with a fallback\n\n```sh\n(.*?)```", readme, re.DOTALL)
    assert script is not None
    lines = script[1].replace("http://127.0.0.1:8080", sandbox.url)
    send, advance, history = (f"curl -s {each}" for each in lines.split("curl -s ")[1:])
    sent = json.loads(run_curl(send.rstrip().rstrip("\\")))
    run_curl(advance)
    told = json.loads(run_curl(history))

    assert "accepted" == sent["data"][0]["status"]
    assert [("sms", "accepted"), ("rcs", "revoked")] == [
        (each["channel"], each["status"]) for each in told["data"]
    ]


def test_sigterm_ends_it_well(tmp_path: Path) -> None:
    """SIGTERM drains, releases the store and exits 0."""
    with served(tmp_path, "--sandbox") as running:
        running.process.send_signal(signal.SIGTERM)
        code = running.process.wait(timeout=60)

    assert 0 == code


def test_the_legacy_platform_can_have_a_port_of_its_own(tmp_path: Path) -> None:
    """The port serves it alone, is printed, and closes with the rest (C-41)."""
    rating, unauthorized = "/whatsapp/chat/feedback", 102
    with served(tmp_path, "--sandbox", WATCHWORD_LEGACY_PORT="0") as running:
        place = running.said.splitlines()[1].removeprefix("The legacy platform is at ")
        legacy = evolve(running, url=place)
        there, here = (each.ask("POST", rating, {}) for each in (legacy, running))
        elsewhere = legacy.ask("GET", "/health/live")
        taken = run("serve", "--port", "0", "--legacy-port", place.rsplit(":", 1)[1])
        running.process.send_signal(signal.SIGTERM)
        code = running.process.wait(timeout=60)

    assert (200, unauthorized) == (there[0], there[1]["responseCode"])
    assert [(404, "not_found")] * 2 == [(each[0], each[1]["code"]) for each in (here, elsewhere)]
    assert "Choose another --host or --legacy-port." in taken.stderr
    assert 0 == code


def test_the_operators_can_have_a_port_of_their_own(tmp_path: Path, alone: Run) -> None:
    """`/admin/v1` is there alone, with health and the document, and so are the commands (C-96)."""
    token = "t" * 32
    listed = "/admin/v1/accounts"
    own = {"WATCHWORD_ADMIN_PORT": "0", "WATCHWORD_ADMIN_TOKEN": token}
    with served(tmp_path / "own", **own) as running:
        told = re.fullmatch(
            r"Watchword serves the operators' API at (http://\S+), the console at (http://\S+)/console,"
            r" all else at (http://\S+)\n",
            running.said,
        )
        assert told is not None
        assert told[2] == told[1]
        operators = evolve(running, url=told[1])
        missing, error = running.ask("GET", listed, key=token)
        there = [
            operators.ask("GET", path, key=token)[0]
            for path in (listed, "/health/ready", "/openapi.json", "/v1/templates", "/docs")
        ]
        callers = running.ask("GET", "/v1/templates")[0]
        made = alone("accounts", "create", "shop", "--url", told[1], WATCHWORD_ADMIN_TOKEN=token)

    assert (404, "not_found") == (missing, error["error"]["code"])
    assert [200, 200, 200, 404, 404] == there
    assert 401 == callers
    assert 0 == made.exit_code


def test_the_console_can_have_a_port_of_its_own(tmp_path: Path) -> None:
    """The console is there alone, with health, and neither with the operators nor the callers (C-85)."""
    with served(tmp_path, "--sandbox", "--admin-port", "0", "--console-port", "0") as running:
        (place,) = re.findall(r"The console is at (http://\S+)/console\n", running.said)
        (operators,) = re.findall(r"The operators' API is at (\S+)\n", running.said)
        ports = [evolve(running, url=each) for each in (place, running.url, operators)]
        login = [status_of(each, "/console/login") for each in ports]
        alive = ports[0].ask("GET", "/health/live", key=None)[0]
        api = ports[0].ask("GET", "/v1/templates")[0]

    assert [200, 404, 404] == login
    assert (200, 404) == (alive, api)


def test_a_service_may_leave_the_console_out(tmp_path: Path) -> None:
    """With `--no-console` there is none, and nothing says so but its absence (C-85)."""
    with served(tmp_path, "--sandbox", "--no-console") as running:
        status = status_of(running, "/console")

    assert "console" not in running.said
    assert 404 == status


def test_the_phone_moves_with_the_operators_port(tmp_path: Path) -> None:
    """The printed lines work as they are, and the short path of the sandbox stays (D-8, C-96)."""
    with served(tmp_path, "--sandbox", "--admin-port", "0") as running:
        _, script = running.said.split("Issue a PIN:\n")
        issue, read = script.split("Read the phone it went to:\n")
        issued, phone = (json.loads(run_curl(line.strip())) for line in (issue, read))
        moved, _ = running.ask("GET", "/admin/v1/sandbox/outbox", key=None)
        short, _ = running.ask("GET", "/sandbox/outbox", key=None)

    assert "PENDING" == issued["status"]
    assert 1 == len(phone["data"])
    assert (404, 200) == (moved, short)


def test_it_comes_back_to_what_it_kept(tmp_path: Path) -> None:
    """A second start on the same data directory serves the same sandbox."""
    with served(tmp_path, "--sandbox") as first:
        _, issued = first.ask(
            "POST", "/v1/pins", {"destination": "+919812345610", "templateId": "tpl_demo"}
        )
    with served(tmp_path, "--sandbox") as second:
        path = f"/admin/v1/streams/{issued['pinId']}/events"
        status, history = second.ask("GET", path, key="sandbox-admin")

    assert (200, ["PinIssued", "PinDispatched"]) == (
        status,
        [event["type"] for event in history["data"]],
    )


def test_without_a_sandbox_there_is_nothing_to_try(tmp_path: Path, alone: Run) -> None:
    """No sandbox routes, and without an operator's token no management either."""
    with served(tmp_path / "plain") as running:
        outbox, _ = running.ask("GET", "/admin/v1/sandbox/outbox")
        management = alone(
            "keys", "list", "--url", running.url, WATCHWORD_ADMIN_TOKEN="none-was-set"
        )

    assert f"Watchword serves {running.url}\n" == running.said
    assert 404 == outbox
    assert (
        "Error: The service has no management API."
        " Start it with WATCHWORD_ADMIN_TOKEN set, or check the --url.\n"
    ) == management.stderr


def rest_of(running: Served) -> str:
    """Return what a service without channel accounts printed below its address."""
    lines = []
    for line in running.process.stdout:
        lines.append(line)
        if "channel-accounts test" in line:
            break
    return "".join(lines)


@pytest.mark.parametrize(
    ("token", "first"),
    [
        (
            {"WATCHWORD_ADMIN_TOKEN": "t" * 32},
            "and give these commands the WATCHWORD_ADMIN_TOKEN of this service:",
        ),
        (
            {},
            "start this service with WATCHWORD_ADMIN_TOKEN set, and give these commands the same token:",
        ),
    ],
    ids=["with a token", "without one"],
)
def test_a_service_that_can_send_nothing_says_what_to_do(
    tmp_path: Path, token: dict[str, str], first: str
) -> None:
    """A fresh data directory has no channel account: the commands that make one are named."""
    with served(tmp_path, **token) as running:
        said = " ".join(rest_of(running).replace("\\\n", "").split())
    sentence, *commands = said.split(" watchword ")

    assert sentence.startswith("No message can be sent yet, because there is no channel account.")
    assert sentence.endswith(first)
    assert f"accounts create acme --url {running.url}" == commands[0]
    assert ["channel-accounts create", "channel-accounts test"] == [
        " ".join(each.split()[:2]) for each in commands[1:]
    ]
    assert commands[1].endswith(f"--config config.json --url {running.url}")
    for command in commands:
        words = shlex.split(command)
        flags = {flag for each in command_of(*words[:2]).params for flag in each.opts}
        assert {word for word in words if word.startswith("--")} <= flags


async def test_only_a_store_without_a_channel_account_lacks_one(settings: Settings) -> None:
    """An account that exists is the one that the commands name."""
    plain = evolve(settings, sandbox=False)
    async with wired(plain, providers={"phone": ScriptedProvider()}) as service:
        empty = await what_is_missing(service)
        account = await service.accounts.create(Caller("", "admin", "req"), "shop")
        named = await what_is_missing(service)
        await service.channel_accounts.create(
            Caller(account.id, "admin", "req"),
            channel_type="sms",
            provider="phone",
            name="main",
            config={},
        )

        assert [NothingToSendWith(None), NothingToSendWith("shop"), None] == [
            empty,
            named,
            await what_is_missing(service),
        ]


def test_the_public_address_is_the_one_it_names(tmp_path: Path) -> None:
    """Behind a proxy, the printed lines use the address that clients see."""
    public = "https://codes.example/watchword"
    with served(tmp_path, "--sandbox", "--public-url", f"{public}/") as running:
        said = running.said

    assert f"curl -s {public}/v1/pins" in said


def test_a_public_address_is_an_address(alone: Run) -> None:
    """`--public-url` is checked before anything starts."""
    refused = alone("serve", "--port", "0", "--public-url", "nonsense")

    assert 2 == refused.exit_code
    assert "'nonsense' is not an address such as http://127.0.0.1:8080." in refused.stderr


def test_a_trusted_proxy_must_be_a_network(alone: Run) -> None:
    """`--trusted-proxy` is checked before anything starts; an address for a network is a slip."""
    refused = alone("serve", "--port", "0", "--trusted-proxy", "10.0.0.5/24")

    assert 2 == refused.exit_code
    assert "10.0.0.5/24 has host bits set. Name one such as 10.0.0.0/24." in refused.stderr


def test_a_taken_port_is_named(sandbox: Served, tmp_path: Path) -> None:
    """A port that another process listens on is one sentence and a hint."""
    port = sandbox.url.rsplit(":", 1)[1]
    refused = run("serve", "--port", port, "--data-dir", str(tmp_path))

    assert 1 == refused.returncode
    assert (
        f"Error: Cannot listen on 127.0.0.1:{port}: Address already in use."
        " Choose another --host or --port."
    ) == refused.stderr.splitlines()[-1]


def test_a_second_process_on_one_store_is_refused(sandbox: Served) -> None:
    """The store of a running service is its own."""
    refused = run("serve", "--port", "0", "--data-dir", str(sandbox.data_dir))

    assert 1 == refused.returncode
    assert (
        f"Error: The store {sandbox.data_dir / 'watchword.db'} is in use by another process."
        " Stop that, or give this one a --data-dir of its own.\n"
    ) == refused.stderr


@pytest.mark.parametrize(
    ("arguments", "variables", "sentence"),
    [
        (
            ("--sandbox", "--host", "0.0.0.0"),  # noqa: S104  the address that must be refused
            {},
            "A sandbox shows its codes, so it does not listen on 0.0.0.0."
            " Use 127.0.0.1, or add --sandbox-public.",
        ),
        (
            ("--sandbox", "--sandbox-public"),
            {},
            "--sandbox-public wants an admin token of your own. Set WATCHWORD_ADMIN_TOKEN.",
        ),
        (
            ("--sandbox", "--sandbox-public"),
            {"WATCHWORD_ADMIN_TOKEN": "sandbox-admin"},
            "--sandbox-public wants an admin token of your own. Set WATCHWORD_ADMIN_TOKEN.",
        ),
        (
            ("--sandbox", "--sandbox-public"),
            {"WATCHWORD_ADMIN_TOKEN": "not-the-default"},
            "--sandbox-public wants an API key of your own for the demo account. Make one with:"
            " export WATCHWORD_SANDBOX_KEY=$(head -c 24 /dev/urandom | base64)",
        ),
        (
            ("--sandbox",),
            {"WATCHWORD_SANDBOX_KEY": "sandbox-key"},
            "sandbox-key is every sandbox's API key. Make one with:"
            " export WATCHWORD_SANDBOX_KEY=$(head -c 24 /dev/urandom | base64)",
        ),
        (
            ("--sandbox",),
            {"WATCHWORD_SANDBOX_KEY": "fifteen-letters"},
            "The sandbox's API key must have 16 or more characters that a header can carry, and no"
            " blanks. Make one with:"
            " export WATCHWORD_SANDBOX_KEY=$(head -c 24 /dev/urandom | base64)",
        ),
        (("--sandbox-public",), {}, "--sandbox-public goes with --sandbox."),
        (
            (),
            {"WATCHWORD_ADMIN_TOKEN": "t" * 31},
            "The admin token has fewer than 32 characters. Make one with:"
            " export WATCHWORD_ADMIN_TOKEN=$(head -c 32 /dev/urandom | base64)",
        ),
        (
            (),
            {"WATCHWORD_ADMIN_TOKEN": "ω" * 32},
            "The admin token has characters that no header carries. Make one with:"
            " export WATCHWORD_ADMIN_TOKEN=$(head -c 32 /dev/urandom | base64)",
        ),
        (
            (),
            {"WATCHWORD_ADMIN_TOKEN": "sandbox-admin"},
            "sandbox-admin is the sandbox's admin token, which everybody knows. Make one with:"
            " export WATCHWORD_ADMIN_TOKEN=$(head -c 32 /dev/urandom | base64)",
        ),
        (
            ("--admin-port", "0"),
            {},
            "--admin-port has nothing to serve. Set WATCHWORD_ADMIN_TOKEN.",
        ),
        (
            ("--console-port", "0"),
            {},
            "--console-port has nothing to serve. Set WATCHWORD_ADMIN_TOKEN.",
        ),
        (
            ("--console-port", "0", "--no-console"),
            {"WATCHWORD_ADMIN_TOKEN": "t" * 32},
            "--console-port and --no-console exclude each other. Leave one out.",
        ),
        (
            ("--console-port", "8090", "--admin-port", "8090"),
            {"WATCHWORD_ADMIN_TOKEN": "t" * 32},
            "--admin-port and --console-port are both 8090. Choose another, or leave one out.",
        ),
        (
            ("--store", "mongodb://somewhere"),
            {},
            "mongodb://somewhere is not a store."
            " Use sqlite:///relative.db, sqlite:////absolute.db,"
            " postgresql://user@host:port/database or memory://.",
        ),
        (
            ("--store", "postgresql://pin:secret@127.0.0.1"),
            {},
            "The store's URL is not of the form postgresql://user@host:port/database."
            " Write special characters in it as %XX.",
        ),
        (
            ("--store", "postgresql://pin@127.0.0.1:1/pins"),
            {},
            "All nodes on one PostgreSQL need the same code key, so none is made here."
            " Set WATCHWORD_CODE_KEY, or name a file with --code-key-file."
            " Make one with: echo 1:$(head -c 32 /dev/urandom | base64)",
        ),
        (
            ("--store", "memory://"),
            {"WATCHWORD_CODE_KEY": "1:c2hvcnQ="},
            "Version 1 of the code key has fewer than 32 bytes."
            " Make one with: echo 1:$(head -c 32 /dev/urandom | base64)",
        ),
    ],
)
def test_what_cannot_be_served_is_said(
    arguments: tuple[str, ...], variables: dict[str, str], sentence: str, alone: Run
) -> None:
    """A refusal to start is one sentence and a hint, and exit code 1."""
    refused = alone("serve", "--port", "0", *arguments, **variables)

    assert (1, f"Error: {sentence}\n") == (refused.exit_code, refused.stderr)


def test_a_public_sandbox_opens_to_its_own_secrets_alone(tmp_path: Path) -> None:
    """The documented secrets open neither the phone nor the demo account (C-96)."""
    own = {
        "WATCHWORD_ADMIN_TOKEN": "not-the-default",
        "WATCHWORD_SANDBOX_KEY": "not-the-documented-key",
    }
    # A store that an ordinary sandbox had before knows the documented key.
    with served(tmp_path, "--sandbox"):
        pass
    with served(tmp_path, "--sandbox", "--sandbox-public", **own) as running:
        bare, _ = running.ask("GET", "/admin/v1/sandbox/outbox", key=None)
        carried, _ = running.ask("GET", "/admin/v1/sandbox/outbox", key="not-the-default")
        documented, _ = running.ask("GET", "/v1/templates", key="sandbox-key")
        its_own, _ = running.ask("GET", "/v1/templates", key="not-the-documented-key")
        elsewhere, _ = running.ask(
            "GET", "/v1/templates", None, own["WATCHWORD_SANDBOX_KEY"], Host="a.example"
        )

    assert (401, 200) == (bare, carried)
    assert (401, 200, 200) == (documented, its_own, elsewhere)
    assert '-H "Authorization: Bearer $WATCHWORD_ADMIN_TOKEN"' in running.said
    assert '-H "Authorization: Bearer $WATCHWORD_SANDBOX_KEY"' in running.said
    assert "not-the-d" not in running.said


def test_every_flag_has_a_variable(tmp_path: Path) -> None:
    """`WATCHWORD_<FLAG>` has the effect of the option (C-1)."""
    started = run(
        "serve",
        WATCHWORD_SANDBOX="true",
        WATCHWORD_HOST="192.0.2.1",
        WATCHWORD_DATA_DIR=str(tmp_path),
    )

    assert "it does not listen on 192.0.2.1" in started.stderr
    assert not any(name.startswith("WATCHWORD_") for name in environment())


@pytest.mark.parametrize("flag", ["--port", "--legacy-port", "--metrics-port"])
def test_a_port_that_is_taken_is_said_before_anything_starts(flag: str, tmp_path: Path) -> None:
    """One sentence with the option to change, no start in the log, nothing on the disk (C-1)."""
    store = tmp_path / "second"
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        # The last --port counts.
        second = run("serve", "--port", "0", flag, str(port), "--data-dir", str(store))

    assert (1, "") == (second.returncode, second.stdout)
    assert second.stderr == (
        f"Error: Cannot listen on 127.0.0.1:{port}: Address already in use."
        f" Choose another --host or {flag}.\n"
    )
    assert not store.exists()
