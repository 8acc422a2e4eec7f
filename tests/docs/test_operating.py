"""The operator's pages: every command that they show exists, and runs if it can run here."""

from __future__ import annotations

import json
import re
import shlex
import sqlite3
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.docs.guide_lines import blocks, section, typed
from tests.entrypoints.cli.test_help import command_of, commands
from watchword.adapters.keyring import Keyring
from watchword.adapters.meters import Meters
from watchword.domain.channel import OutcomeStatus
from watchword.entrypoints.cli.__main__ import main
from watchword.entrypoints.http.listener.patience import USUAL_PATIENCE
from watchword.entrypoints.settings import DEFAULT_DRAIN_TIMEOUT, DEFAULT_PROVIDER_TIMEOUT

ROOT = Path(__file__).parents[2]
NAMES = (
    "operating.md",
    "install.md",
    "postgresql.md",
    "nginx.md",
    "backups.md",
    "monitoring.md",
)
PAGES = [(ROOT / "docs" / "how-to" / each).read_text() for each in NAMES]
GUIDE = "\n".join(PAGES)
APPEND_SECONDS = 5
MAIL = {"host": "127.0.0.1", "port": 25, "tls": "none", "from": "codes@acme.example"}

Run = Callable[[str], Result]


def option(block: str, name: str) -> float:
    """Return the number that an option of nginx or systemd is set to; of KiB and MiB in bytes."""
    (number, unit) = re.findall(rf"^\s*{name}[ =](\d+)([a-z]*)", block, re.MULTILINE)[0]
    return float(number) * {"m": 2**20}.get(unit, 1)


@pytest.mark.parametrize("words", typed(GUIDE, "sh", "ini"), ids=" ".join)
def test_commands_and_their_flags_exist(words: list[str]) -> None:
    """Every `watchword` that is shown names a command, and flags that it has."""
    depth = 2 if tuple(words[:2]) in commands() else 1
    command = command_of(*words[:depth])
    flags = {flag for each in command.params for flag in each.opts} | {"--help"}

    assert {word for word in words if word.startswith("--")} <= flags


def test_everything_is_installed_by_its_hash() -> None:
    """Each lock that the guide names lies in the checkout, and no line lets pip choose a version."""
    lines = [line for block in blocks(GUIDE, "sh") for line in block.splitlines() if "pip " in line]
    locks = set(re.findall(r"\brequirements[\w-]*\.lock", GUIDE))

    assert {"requirements.lock", "requirements-postgres.lock", "requirements-otel.lock"} <= locks
    assert set() == {lock for lock in locks if not (ROOT / lock).exists()}
    assert 4 == len(lines)
    assert [] == [each for each in lines if not re.search(r"--require-hashes|--no-deps", each)]
    assert "--no-build-isolation" in next(each for each in lines if "pip wheel" in each)


def test_the_variables_exist() -> None:
    """Every `WATCHWORD_` variable is some option's."""
    known: set[object] = set()
    for path in commands():
        known |= {each.envvar for each in command_of(*path).params}

    assert set(re.findall(r"\bWATCHWORD_[A-Z_]*[A-Z]\b", GUIDE)) <= known


def test_the_metrics_exist() -> None:
    """Every metric that a page names is served, under that name; tests/deploy looks at the alerts."""
    served = Meters().exposition().decode()
    names = set(re.findall(r"`((?:watchword|process)_\w+)", GUIDE))

    assert names
    assert set() == {name for name in names if f"# HELP {name} " not in served}


def test_the_lines_of_the_log_exist() -> None:
    """Every log event of the guide is named by some logging call."""
    said = {
        word
        for layer in ("adapters", "entrypoints")
        for path in (ROOT / layer).rglob("*.py")
        for word in re.findall(r'"([a-z_]+)"', path.read_text())
    } | {f"dispatch_{each}" for each in OutcomeStatus}
    watched = section(GUIDE, "What to watch") + section(GUIDE, "Alerts")
    named = set(re.findall(r"`([a-z]+(?:_[a-z]+)+)`", watched))
    named = {each for each in named if not each.startswith(("watchword_", "process_"))}

    assert len(named) > 8
    assert named <= said


def test_nginx_has_the_patience_of_a_node() -> None:
    """It lets go of idle connections first, waits for the slowest answer, and leaves 413 to the node."""
    (config,) = blocks(GUIDE, "nginx")

    assert (ROOT / "deploy" / "nginx.conf").read_text() == config
    assert option(config, "keepalive_timeout") < USUAL_PATIENCE.idle
    assert option(config, "proxy_read_timeout") > DEFAULT_PROVIDER_TIMEOUT + 2 * APPEND_SECONDS
    assert option(config, "client_max_body_size") > 2**20
    assert "non_idempotent" not in config
    assert "http_503" not in config


def test_systemd_waits_for_the_drain() -> None:
    """The unit kills no draining service, and leaves room for as many clients as a node accepts."""
    (unit,) = blocks(GUIDE, "ini")

    assert (ROOT / "deploy" / "watchword.service").read_text() == unit
    assert (
        option(unit, "TimeoutStopSec")
        > DEFAULT_DRAIN_TIMEOUT + DEFAULT_PROVIDER_TIMEOUT + APPEND_SECONDS
    )
    assert option(unit, "LimitNOFILE") > USUAL_PATIENCE.connections + 256


def test_the_unit_and_the_proxy_keep_operators_apart() -> None:
    """The proxy publishes one port whole, so that the other must have the operators' routes."""
    unit, proxy = (
        (ROOT / "deploy" / each).read_text() for each in ("watchword.service", "nginx.conf")
    )
    (port,) = re.findall(r"serve .*--admin-port (\d+)", unit)
    (servers,) = re.findall(r"upstream watchword_operators \{(.*?)\n\}", proxy, re.DOTALL)

    assert {port} == set(re.findall(r"server [\d.]+:(\d+)", servers))


@pytest.fixture
def here(tmp_path: Path) -> Run:
    """Run a line of the guide, with its folders below a folder of this test."""
    for folder in ("etc/watchword", "var/lib/watchword", "backup"):
        (tmp_path / folder).mkdir(parents=True)

    def run(line: str) -> Result:
        words = shlex.split(re.sub(r"(?<!\w)/(?=etc/|var/|backup/)", f"{tmp_path}/", line))
        assert "watchword" == words[0]
        return CliRunner().invoke(
            main, words[1:], env={"WATCHWORD_DATA_DIR": str(tmp_path / "var/lib/watchword")}
        )

    return run


def test_the_store_can_be_set_up_backed_up_and_restored(here: Run, tmp_path: Path) -> None:
    """The lines for SQLite, in the order of the guide, up to a template for the mail server."""
    lines = [line for block in blocks(GUIDE, "sh") for line in block.splitlines()]

    def of(start: str) -> str:
        return next(each for each in lines if each.startswith(f"watchword {start}"))

    account = here(of("accounts create"))
    key = here(of("keys create"))
    (tmp_path / "etc/watchword/mail.json").write_text(json.dumps(MAIL))
    channel = here(of("channel-accounts create"))
    template = here(of("templates create"))
    # A service that runs for a while signs a head by itself.
    sealed = here("watchword audit seal")
    (statement,) = re.findall(r'"(VACUUM INTO .*?)"', GUIDE)
    with sqlite3.connect(tmp_path / "var/lib/watchword/watchword.db") as served:
        served.execute(statement.replace("'/backup", f"'{tmp_path}/backup"))
    served.close()
    check = here(of("audit check --store sqlite"))
    restored = here(of("restored --fallbacks end --last-head"))
    export = here(of("audit export"))

    done = (account, key, channel, template, sealed, check, restored, export)
    assert [0] * 8 == [each.exit_code for each in done], restored.output
    assert (tmp_path / "backup/log.jsonl").exists()


def test_a_backup_takes_the_place_of_a_killed_store(here: Run, tmp_path: Path) -> None:
    """What the killed service left in the WAL is no part of the restored store, and does not damage it."""
    here("watchword accounts create before")
    store = tmp_path / "var/lib/watchword/watchword.db"
    with sqlite3.connect(store) as left_open:
        # A connection that stays open leaves the WAL behind, as a kill does.
        left_open.execute(f"VACUUM INTO '{tmp_path}/backup/watchword.db'")
        here("watchword accounts create after")
        assert store.with_name("watchword.db-wal").stat().st_size
        (step,) = re.findall(r"```sh\n( +mkdir .*?)```", GUIDE, re.DOTALL)
        script = re.sub(r"(?<!\w)/(?=var/|backup/)", f"{tmp_path}/", step)
        subprocess.run(["sh", "-ec", script], check=True)  # noqa: S607  the guide's reader has a shell, too
        restored = here("watchword restored --fallbacks end --last-head none")
        check = here("watchword audit check")
        accounts = here("watchword accounts list")
    left_open.close()

    assert [0, 0] == [restored.exit_code, check.exit_code], restored.output + check.output
    assert (True, False) == ("before" in accounts.output, "after" in accounts.output)


def test_the_keys_that_are_made_are_keys(tmp_path: Path) -> None:
    """The first one, and the file of a rotation's first step."""
    (tmp_path / "etc/watchword").mkdir(parents=True)
    recipes = [
        line for block in blocks(GUIDE, "sh") for line in block.splitlines() if "code.key" in line
    ]
    made = [each for each in recipes if each.startswith(("(umask", "mv "))]
    versions = []
    for each in (made[:1], made[1:]):
        script = "\n".join(each).replace("/etc/", f"{tmp_path}/etc/")
        subprocess.run(["sh", "-ec", script], check=True)  # noqa: S607  the guide's reader has a shell on the path, too
        file = tmp_path / "etc/watchword/code.key"
        keyring = Keyring.parse(file.read_text())
        versions.append((keyring.newest, sorted(keyring.keys)))
        assert 0o600 == file.stat().st_mode & 0o777

    assert [(1, [1]), (1, [1, 2])] == versions


def test_the_guide_is_found_and_short() -> None:
    """The README links it, its own links lead somewhere, and it can be read in an afternoon."""
    links = re.findall(r"\]\((?!https:)([^)#]+)\)", GUIDE)

    assert "(docs/how-to/operating.md)" in (ROOT / "README.md").read_text()
    assert all((ROOT / "docs" / "how-to" / each).exists() for each in links)
    assert set() == {each for each in NAMES[1:] if f"({each})" not in PAGES[0]}
    assert [] == [each[:40] for each in PAGES if len(each.splitlines()) > 240]
