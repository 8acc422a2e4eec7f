"""How commands find the service, and their messages if it is not there."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import psycopg
import pytest

from tests.entrypoints.cli.conftest import Run
from tests.entrypoints.cli.processes import Served

COMMANDS = [("keys", "list"), ("accounts", "list"), ("audit", "replay", "pin_1")]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_missing_store_is_not_made(command: tuple[str, ...], alone: Run, tmp_path: Path) -> None:
    """Looking into a store that is not there says so, and leaves nothing behind."""
    refused = alone(*command)

    assert (1, []) == (refused.exit_code, list(tmp_path.iterdir()))
    assert (
        f"Error: There is no store at {tmp_path / 'watchword.db'}."
        " Name one with --store or --data-dir, or a running service with --url.\n"
    ) == refused.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_an_empty_database_stays_empty(
    command: tuple[str, ...], alone: Run, postgres_url: str
) -> None:
    """A command that finds no store in a database creates none."""
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
        refused = alone(*command, "--store", postgres_url, WATCHWORD_CODE_KEY="1:" + "a" * 44)
        made = connection.execute("SELECT 1 FROM pg_tables WHERE schemaname = 'public'").fetchall()

    assert (1, []) == (refused.exit_code, made)
    assert (
        "Error: There is no store in this database. Name the one that has it.\n" == refused.stderr
    )


def test_the_first_account_makes_the_store(alone: Run, tmp_path: Path) -> None:
    """A new operator starts with an account; the store and its code key come along."""
    made = alone("accounts", "create", "shop")

    assert 0 == made.exit_code
    assert {"watchword.db", "code.key"} <= {path.name for path in tmp_path.iterdir()}


def test_a_store_in_use_is_left_alone(beside: Run, sandbox: Served) -> None:
    """A command that would write beside a running service is refused, with a hint to call it."""
    refused = beside("keys", "create", "--account", "demo", "--name", "web")

    assert 1 == refused.exit_code
    assert (
        f"Error: The store {sandbox.data_dir / 'watchword.db'} is in use by another process."
        " Stop it, or talk to it over HTTP (--url).\n"
    ) == refused.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_a_store_in_memory_has_no_beside(command: tuple[str, ...], alone: Run) -> None:
    """No other process can open it."""
    refused = alone(*command, "--store", "memory://")

    assert (
        "Error: A store in memory is its own process's. Talk to that with --url, or name a file.\n"
    ) == refused.stderr


def test_a_store_is_not_given_a_second_code_key(alone: Run, tmp_path: Path) -> None:
    """A store without its key is not opened to change it with a fresh one, and none is made."""
    alone("accounts", "create", "shop")
    key = tmp_path / "code.key"
    kept = key.rename(tmp_path / "elsewhere.key")
    refused = alone("accounts", "create", "tea")
    found = alone("accounts", "create", "tea", "--code-key-file", str(kept))

    assert (
        f"Error: There is no code key at {key}. Name the store's own --data-dir,"
        " or set WATCHWORD_CODE_KEY or --code-key-file.\n"
    ) == refused.stderr
    assert not key.exists()
    assert 0 == found.exit_code


@pytest.mark.parametrize(
    "command",
    [("accounts", "create", "tea"), ("restored", "--fallbacks", "end")],
    ids=lambda each: each[0],
)
def test_a_data_directory_that_others_may_write_is_refused(
    command: tuple[str, ...], alone: Run, tmp_path: Path
) -> None:
    """A command that opens the store to change it refuses what `serve` refuses (D-139)."""
    alone("accounts", "create", "shop")
    tmp_path.chmod(0o777)
    refused = alone(*command)

    assert (
        f"Error: Others may write the data directory, {tmp_path}, and so change what is kept there."
        f" Run: chmod go-w {tmp_path}\n"
    ) == refused.stderr


def test_a_file_that_is_no_store_is_said(alone: Run, tmp_path: Path) -> None:
    """Some other file is not read as a store, nor changed."""
    other = tmp_path / "watchword.db"
    other.write_text("Darjeeling, Assam, Ceylon")
    refused = alone("audit", "replay", "pin_1")

    assert (1, "Error: ") == (refused.exit_code, refused.stderr[:7])
    assert "Darjeeling, Assam, Ceylon" == other.read_text()


def test_nobody_there_is_said(alone: Run) -> None:
    """A service that does not answer is one sentence and a hint."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    refused = alone("keys", "list", "--url", url, "--admin-token", "sandbox-admin")

    assert (
        1,
        f"Error: No service answers at {url}. Start it, or name the store to open instead.\n",
    ) == (refused.exit_code, refused.stderr)


def test_a_stranger_is_not_taken_for_the_service(connected: Run, sandbox: Served) -> None:
    """A server that answers in another form is not believed."""
    url = f"{sandbox.url}/somewhere"
    refused = connected("keys", "list", "--url", url)

    assert (
        1,
        f"Error: What answers at {url} is no Watchword of this release. Check the --url.\n",
    ) == (refused.exit_code, refused.stderr)


def test_a_wrong_token_is_said(connected: Run) -> None:
    """The service's refusal comes with the variable to set."""
    refused = connected("keys", "list", WATCHWORD_ADMIN_TOKEN="guessed")

    assert (
        1,
        "Error: The service does not take this token."
        " Set WATCHWORD_ADMIN_TOKEN to the one that it was started with,"
        " or to one of `watchword tokens create`.\n",
    ) == (refused.exit_code, refused.stderr)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (
            ("--url", "http://127.0.0.1:1"),
            "--url goes with the operator's token."
            " Set WATCHWORD_ADMIN_TOKEN (a sandbox's is sandbox-admin).",
        ),
        (
            ("--url", "here", "--admin-token", "t"),
            "'here' is not an address such as http://127.0.0.1:8080.",
        ),
        (
            ("--url", "http://127.0.0.1:port", "--admin-token", "t"),
            "'http://127.0.0.1:port' is not an address such as http://127.0.0.1:8080.",
        ),
        (
            ("--url", "http://me:secret@127.0.0.1", "--admin-token", "t"),
            "is not an address such as http://127.0.0.1:8080.",
        ),
        (
            ("--url", "http://127.0.0.1:1", "--admin-token", "two\nlines"),
            "The token has characters that no header can carry.",
        ),
        (
            ("--url", "http://127.0.0.1:1", "--admin-token", "t", "--store", "sqlite:///a.db"),
            "--url names a running service, --store and --data-dir a file.",
        ),
    ],
)
def test_a_place_that_is_none_is_a_usage_error(
    options: tuple[str, ...], complaint: str, alone: Run
) -> None:
    """An impossible target is refused before anything is opened, with exit code 2."""
    refused = alone("keys", "list", *options)

    assert 2 == refused.exit_code
    assert complaint in refused.stderr


def test_a_store_on_the_command_line_beats_a_url_in_the_environment(
    connected: Run, alone: Run, tmp_path: Path
) -> None:
    """An explicit store wins over the service of the environment."""
    alone("accounts", "create", "shop")
    listed = connected("accounts", "list", "--json", "--data-dir", str(tmp_path))

    assert ["shop"] == [record["name"] for record in json.loads(listed.stdout)]
