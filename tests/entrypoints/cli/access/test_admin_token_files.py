"""`watchword serve --admin-token-file`: a secret of a container platform opens the management API."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.entrypoints.cli.processes import run, served

TOKEN = "a-token-of-this-test-with-40-characters-"


def kept(tmp_path: Path, text: str = f"{TOKEN}\n", mode: int = 0o400) -> Path:
    """Write the token's file, and return its path."""
    file = tmp_path / "admin.token"
    file.write_text(text)
    file.chmod(mode)
    return file


def test_the_token_of_the_file_opens_the_management_api(tmp_path: Path) -> None:
    """The line end of the file is no part of the token, and no other token is accepted (D-566)."""
    with served(tmp_path / "data", WATCHWORD_ADMIN_TOKEN_FILE=str(kept(tmp_path))) as running:
        statuses = [running.ask("GET", "/admin/v1/accounts", key=key)[0] for key in (TOKEN, "a-")]

    assert [200, 401] == statuses
    assert TOKEN not in running.said


@pytest.mark.parametrize(
    ("text", "mode", "variables", "sentence"),
    [
        (TOKEN, 0o644, {}, "Others may read or change {file}, which holds a secret."),
        (" \n", 0o400, {}, "The admin token file {file} is empty."),
        ("short", 0o400, {}, "The admin token has fewer than 32 characters."),
        (
            TOKEN,
            0o400,
            {"WATCHWORD_ADMIN_TOKEN": TOKEN},
            "WATCHWORD_ADMIN_TOKEN and --admin-token-file exclude each other. Leave one out.",
        ),
    ],
)
def test_a_file_that_cannot_be_trusted_is_refused(
    text: str, mode: int, variables: dict[str, str], sentence: str, tmp_path: Path
) -> None:
    """One sentence says why, and nothing starts; the token is not shown (D-566)."""
    file = kept(tmp_path, text, mode)

    refused = run(
        "serve", "--admin-token-file", str(file), "--data-dir", str(tmp_path / "data"), **variables
    )

    assert 1 == refused.returncode
    assert sentence.format(file=file) in refused.stderr
    assert TOKEN not in refused.stderr
    assert not (tmp_path / "data").exists()


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    """A path without a file does not count as a service without a token (D-566)."""
    refused = run("serve", "--admin-token-file", str(tmp_path / "none"))

    assert (1, "") == (refused.returncode, refused.stdout)
    assert refused.stderr == f"Error: The admin token file {tmp_path}/none cannot be read.\n"
