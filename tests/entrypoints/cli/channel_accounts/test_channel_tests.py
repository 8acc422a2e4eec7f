"""`watchword channel-accounts test`, on a store and against a running service (C-67)."""

from __future__ import annotations

import json
import re
from uuid import uuid4

import pytest

from tests.entrypoints.cli.conftest import Run

TO = "+447700900123"


@pytest.fixture
def named(connected: Run) -> str:
    """Make a channel account of the sandbox, and return its name."""
    return made(connected)


def made(connected: Run, outcome: str = "delivered", name: str | None = None) -> str:
    """Make a channel account with an outcome; return its name."""
    name = name or f"bench {uuid4().hex[:8]}"
    # Nobody waits for the service's own time-out, which is ten seconds.
    limits = ("--timeout-seconds", "1")
    options = ("--type", "sms", "--provider", "sandbox", "--name", name, "--config", "-", *limits)
    created = connected(
        "channel-accounts",
        "create",
        "--account",
        "demo",
        *options,
        given=json.dumps({"outcome": outcome}),
    )
    assert 0 == created.exit_code, created.output
    return name


def test_each_step_is_printed(connected: Run, named: str) -> None:
    """With its outcome in words, and the time that it took."""
    tested = connected("channel-accounts", "test", named, "--to", TO, "--wait", "10")
    lines = [re.sub(r"\(\d+ ms\)|sandbox_\w+", "…", each) for each in tested.stdout.splitlines()]

    assert 0 == tested.exit_code
    assert [
        "config   ok, no secrets …",
        "connect  skipped, this provider has nothing to log in to",
        "send     ok, accepted as … …",
        "receipt  ok, delivered …",
    ] == lines


@pytest.mark.parametrize(
    ("outcome", "code", "said"),
    [
        ("accepted", 0, "send     ok, accepted as"),
        ("rejected", 1, "send     failed, sandbox_rejected: The sandbox rejects this destination."),
        ("timeout", 3, "send     unknown, provider_timeout: "),
    ],
)
def test_the_exit_code_is_the_outcome(connected: Run, outcome: str, code: int, said: str) -> None:
    """Scripts tell a rejected send from one of which nobody knows."""
    tested = connected("channel-accounts", "test", made(connected, outcome), "--to", TO)

    assert code == tested.exit_code
    assert said in tested.stdout


def test_a_test_as_json(connected: Run, named: str) -> None:
    """It is the documented answer, and the channel account may be given by its id."""
    listed = json.loads(connected("channel-accounts", "list", "--json").stdout)
    (channel_account,) = [each["id"] for each in listed if each["name"] == named]
    tested = connected("channel-accounts", "test", channel_account, "--to", TO, "--json")
    whole = json.loads(tested.stdout)

    assert ("accepted", 4) == (whole["outcome"], len(whole["steps"]))


def test_a_test_on_a_store_of_its_own(alone: Run) -> None:
    """Without a service, the command opens the store; no provider is there yet."""
    alone("accounts", "create", "demo")
    tested = alone("channel-accounts", "test", "main", "--to", TO)

    assert 1 == tested.exit_code
    assert "No channel account has this id or name." in tested.stderr
    assert "watchword channel-accounts list" in tested.stderr


def test_a_name_that_several_have_is_refused(connected: Run, named: str) -> None:
    """The sentence has their ids."""
    made(connected, name=named)
    tested = connected("channel-accounts", "test", named, "--to", TO)

    assert 2 == tested.exit_code
    assert "2 channel accounts have the name" in tested.stderr
    assert 2 == len(re.findall(r"cha_\w+", tested.stderr))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--to", "nobody"), "to must be a phone number"),
        (("--to", TO, "--wait", "61"), "61 is not in the range 0<=x<=60"),
        (("--to", TO, "--template", "hello"), "template is for channel accounts of whatsapp only"),
        ((), "Missing option '--to'"),
    ],
)
def test_what_is_wrong_is_said(
    connected: Run, named: str, options: tuple[str, ...], said: str
) -> None:
    """Nothing is sent then."""
    tested = connected("channel-accounts", "test", named, *options)

    assert tested.exit_code in (1, 2)
    assert said in tested.stderr
