"""A service without an event loop at the ends and forks of processes, and when a user interrupts (D-543)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import watchword

_BEGIN = """
import os, sys, _thread, time
from contextlib import ExitStack
import watchword

held = ExitStack()
service = held.enter_context(watchword.open_blocking(sys.argv[1], sandbox=True))
issued = service.pins.issue("demo", "tpl_demo", "+919812345610")
"""
_FORK = """
if os.fork() == 0:
    try:
        service.accounts.list()
    except RuntimeError as error:
        sys.stdout.write(str(error))
        sys.stdout.flush()
        os._exit(0)
    os._exit(1)
os.wait()
"""
_INTERRUPT = """
class Stuck(watchword.ChannelProvider):
    def check_config(self, config):
        return config

    async def send(self, config, message):
        import asyncio
        _thread.interrupt_main()
        await asyncio.sleep(60)

with watchword.open_blocking("memory://", channels={"stuck": Stuck()}) as other:
    shop = other.accounts.create("shop")
    other.channel_accounts.create(shop, "sms", "stuck", "sms")
    template = other.pin_templates.create(shop, "tea", [{"channel_type": "sms"}])
    try:
        other.pins.issue(shop, template, "+447700900001")
    except KeyboardInterrupt:
        print("interrupted", other.accounts.list().total)
"""


def ran(program: str, store: str) -> subprocess.CompletedProcess[str]:
    """Run a program to its end, which must come by itself."""
    return subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", _BEGIN + program, store],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the address of a store."""
    return "memory://" if request.param == "memory" else f"sqlite:///{tmp_path / 'store.db'}"


def test_a_program_may_end_without_closing_the_service(store: str) -> None:
    """As servers do that know no end: it is closed, nothing is said, and the store opens again."""
    done = ran("print(issued.status)", store)
    with watchword.open_blocking(store, sandbox=True) as service:
        found = service.pins.list(account="demo").total

    assert (0, "PENDING\n", "") == (done.returncode, done.stdout, done.stderr)
    assert (0 if store == "memory://" else 1) == found


def test_an_error_of_the_program_ends_it(store: str) -> None:
    """The service holds up no program that fails."""
    done = ran("raise SystemExit(3)", store)

    assert (3, "") == (done.returncode, done.stderr)


def test_a_copy_of_the_process_is_told_to_open_its_own(store: str) -> None:
    """The thread stays with the parent of a fork: a call would wait for ever, so it is refused."""
    done = ran(_FORK, store)

    assert done.stdout.startswith("This process is a copy of the one that opened the service")
    assert (0, "") == (done.returncode, done.stderr)


def test_an_interrupt_ends_the_call() -> None:
    """A user's Ctrl-C reaches the program at once, and the service goes on."""
    done = ran(_INTERRUPT, "memory://")

    assert (0, "interrupted 1\n") == (done.returncode, done.stdout)
    assert "Traceback" not in done.stderr
