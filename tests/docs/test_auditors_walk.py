"""The walk for auditors: its commands run, as they are written, against a store that is being served."""

from __future__ import annotations

import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from attrs import frozen

from tests.docs.guide_lines import blocks, section
from tests.entrypoints.cli.processes import Served, environment, served

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "how-to" / "auditing.md").read_text()
WALK = section(PAGE, "A walk for an auditor")
PHONE = "+919812345610"
BASH = shutil.which("bash") or "bash"
# The PIN and the data directory of the page.
SHOWN_PIN, SHOWN_FOLDER = "pin_7hq2w", "/var/lib/watchword"
ALONE = "python verify_evidence.py evidence --key VKEY"


@frozen
class Desk:
    """The folder that an auditor and an operator of a running service work in."""

    folder: Path
    service: Served
    pin: str

    def run(self, script: str) -> subprocess.CompletedProcess[str]:
        """Run lines of the page in a shell that stops at the first failure."""
        typed = script.replace(SHOWN_PIN, self.pin).replace(
            SHOWN_FOLDER, str(self.service.data_dir)
        )
        variables = {
            "WATCHWORD_URL": self.service.url,
            "WATCHWORD_ADMIN_TOKEN": "sandbox-admin",
        }
        env = environment(**variables)
        env["PATH"] = f"{self.folder / 'bin'}:{env['PATH']}"
        return subprocess.run(
            [BASH, "-euo", "pipefail", "-c", typed],
            cwd=self.folder,
            env=env,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def copy_store(self, name: str) -> None:
        """Make a copy of the store, as a backup does."""
        with (
            closing(sqlite3.connect(self.service.data_dir / "watchword.db")) as store,
            closing(sqlite3.connect(self.folder / name)) as copy,
        ):
            store.backup(copy)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """Yield the desk, beside a service on which a PIN was verified after a wrong guess."""
    folder = tmp_path_factory.mktemp("desk")
    command = folder / "bin" / "watchword"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m watchword.entrypoints.cli "$@"\n')
    command.chmod(command.stat().st_mode | stat.S_IXUSR)
    live = folder / "live"
    live.mkdir(mode=0o700)
    with served(live, "--sandbox") as service:
        wanted = {"destination": PHONE, "templateId": "tpl_demo"}
        _, issued = service.ask("POST", "/v1/pins", wanted)
        verify = f"/v1/pins/{issued['pinId']}/verify"
        service.ask("POST", verify, {"pin": "wrong"})
        _, outbox = service.ask("GET", "/sandbox/outbox", key=None)
        code = outbox["data"][0]["text"][-7:-1]
        service.ask("POST", "/admin/v1/sandbox/clock/advance", {"seconds": 5})
        service.ask("POST", verify, {"pin": code})
        yield Desk(folder, service, issued["pinId"])


@pytest.fixture(scope="module")
def said(desk: Desk) -> str:
    """Walk the walk, and return what its commands said; the log grows between them."""
    said = []
    for number, block in enumerate(blocks(WALK, "sh")):
        desk.copy_store("copy.db")
        ran = desk.run(block)
        assert 0 == ran.returncode, (block, ran.stdout, ran.stderr)
        said.append(ran.stdout)
        account = {"name": f"shop-{number}"}
        desk.service.ask("POST", "/admin/v1/accounts", account, key="sandbox-admin")
    return "".join(said)


def test_the_walk_leads_to_its_end(desk: Desk, said: str) -> None:
    """Each block ends with 0, in the order of the page, and says nothing personal."""
    months = [(desk.folder / f"head-{each}").read_text() for each in ("january", "february")]
    was, now = (int(each.splitlines()[1]) for each in months)
    files = {each.name for each in (desk.folder / "evidence").iterdir()}

    assert was < now
    assert f"The log of {now} events extends that of {was}" in said
    assert f"{desk.pin}-1.tlog-proof" in files
    assert "PinVerified" in said
    assert PHONE not in said


@pytest.mark.usefixtures("said")
def test_the_module_works_alone(desk: Desk) -> None:
    """In a folder that has it and the evidence, without Watchword's name on the path."""
    alone = desk.folder / "alone"
    shutil.copytree(desk.folder / "evidence", alone / "evidence")
    shutil.copy(ROOT / "verify_evidence.py", alone)
    key = (desk.folder / "log.keys").read_text().split()[0]
    words = ALONE.replace("VKEY", key).split()[1:]
    command = [sys.executable, "-I", *words]
    held = subprocess.run(command, cwd=alone, capture_output=True, text=True, check=False)
    (alone / "evidence" / f"{desk.pin}-2.tlog-proof").unlink()
    gap = subprocess.run(command, cwd=alone, capture_output=True, text=True, check=False)

    assert f"`{ALONE}`" in WALK.replace("\n", " ")
    assert (0, 1) == (held.returncode, gap.returncode), held
    assert "PinVerified" in held.stdout
    assert "gap" in gap.stdout


@pytest.mark.usefixtures("said")
def test_a_store_that_was_changed_is_named(desk: Desk) -> None:
    """The last command of the walk, after somebody changed one word of the copy."""
    desk.copy_store("copy.db")
    with closing(sqlite3.connect(desk.folder / "copy.db")) as copy, copy:
        (position,) = copy.execute(
            "SELECT min(position) FROM stored_events WHERE topic LIKE 'VerifyFailed/%'"
        ).fetchone()
        copy.execute(
            "UPDATE stored_events SET topic = 'PinVerified/1' WHERE position = ?", (position,)
        )
    last = blocks(WALK, "sh")[-1].strip().splitlines()[-1]
    ran = desk.run(last)

    assert 1 == ran.returncode
    assert [str(position), "changed"] == ran.stdout.splitlines()[3].split()[:2]
