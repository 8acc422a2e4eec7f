"""Every code block of the documents is run or checked by a test, or is named here with the reason why not."""

from __future__ import annotations

import configparser
import json
import subprocess
import tomllib
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.docs.fences import ALL_BLOCKS, Block, blocks_of, written_pages
from tests.docs.shell_lines import faults, is_ours

ROOT = Path(__file__).parents[2]
# Folders whose pages a test runs from the first block to the last: the file of the test.
RUN_BY = {"docs/tutorials/": "tests/docs/test_tutorials.py"}
# Blocks of a page and a language that a test of their own runs or checks: the file of the test, or of the
# tool that `make clients-node` calls.
CHECKED_BY = {
    ("docs/how-to/typescript-client.md", "ts"): "tools/clients/typescript.py",
    ("docs/how-to/typescript-client.md", "text"): "tools/clients/typescript.py",
    ("docs/how-to/django.md", "python"): "tests/docs/test_django.py",
    ("docs/how-to/django.md", "text"): "tests/docs/test_django.py",
    ("docs/how-to/privacy.md", "text"): "tests/docs/test_privacy.py",
    ("docs/how-to/testing.md", "text"): "tests/docs/test_testing.py",
    ("docs/how-to/kratos.md", "jsonnet"): "tests/docs/test_bridges.py",
    ("docs/how-to/kratos.md", "sh"): "tests/docs/test_bridges.py",
    ("docs/how-to/kratos.md", "yaml"): "tests/docs/test_bridges.py",
    ("docs/how-to/supabase.md", "sh"): "tests/docs/test_bridges.py",
    ("docs/how-to/zitadel.md", "sh"): "tests/docs/test_bridges.py",
    ("docs/how-to/autofill.md", "text"): "tests/docs/test_languages.py",
    ("docs/how-to/languages.md", "text"): "tests/docs/test_languages.py",
    ("docs/how-to/nginx.md", "nginx"): "tests/docs/test_operating.py",
    ("docs/how-to/postgresql.md", "conf"): "tests/deploy/test_point_in_time.py",
    ("docs/how-to/monitoring.md", "yaml"): "tests/deploy/test_monitoring.py",
}
# The same for single blocks, by page and the words that they begin with.
CHECKED_ALONE = {
    ("README.md", "curl -s http://127.0.0.1:8080/v1/pins"): "tests/docs/test_readme.py",
    ("README.md", "curl -s http://127.0.0.1:8080/oapi"): "tests/docs/test_readme.py",
    ("docs/how-to/backups.md", "litestream replicate"): "tests/deploy/litestream.py",
    ("docs/how-to/postgresql.md", "pg_basebackup"): "tests/deploy/test_point_in_time.py",
    ("docs/how-to/auditing.md", "grep '^extra"): "tests/docs/test_auditors_walk.py",
    ("docs/how-to/backups.md", '(umask 077; echo "$(cat'): "tests/docs/test_operating.py",
    ("docs/how-to/backups.md", "mkdir -m 0700"): "tests/docs/test_operating.py",
}
# Blocks that nothing checks, by page and the words that they begin with: why not.
UNCHECKED = {
    ("ARCHITECTURE.md", "HTTP  console"): "a drawing",
    ("docs/explanation/fallback.md", "FallbackArmed"): "a drawing",
    ("docs/how-to/install.md", "python3 -m venv build"): (
        "tests/architecture/test_wheel.py does the same without a network; the locks are checked"
    ),
    ("docs/how-to/postgresql.md", "psql -c"): "needs the server of a database with a role for it",
    ("docs/how-to/install.md", "useradd"): "needs a system that systemd runs",
}
# Blocks that are run as they stand, in an empty folder.
RUN = (("docs/reference/receipts.md", "(umask 077;"),)
SHELL = ("sh", "bash", "console", "shell")
PARSED = {"json": json.loads, "toml": tomllib.loads}


def of_language(*languages: str) -> list[Block]:
    """Return the blocks of some languages."""
    return [each for each in ALL_BLOCKS if each.language in languages]


def begins(block: Block, starts: Iterable[tuple[str, str]]) -> bool:
    """Say whether a block is one of those that are named by their page and first words."""
    return any(
        block.page == page and block.text.lstrip().startswith(words) for page, words in starts
    )


def how_it_is_checked(block: Block) -> str | None:
    """Return what runs or checks a block; None if nothing does."""
    for folder, test in RUN_BY.items():
        if block.page.startswith(folder):
            return test
    if (block.page, block.language) in CHECKED_BY:
        return CHECKED_BY[block.page, block.language]
    for start, test in CHECKED_ALONE.items():
        if begins(block, [start]):
            return test
    if block.language == "python" or (block.language == "text" and block.after == "python"):
        return "tests/docs/test_snippets.py"
    if (
        begins(block, RUN)
        or block.language in {*PARSED, "ini"}
        or (block.language in SHELL and is_ours(block.text))
    ):
        return "tests/docs/test_every_block.py"
    return None


@pytest.mark.parametrize("block", ALL_BLOCKS, ids=lambda each: each.name)
def test_every_block_is_run_or_checked(block: Block) -> None:
    """By a test that exists; a block without one has a reason, and no block has both."""
    checked = how_it_is_checked(block)

    assert (checked is None) == begins(block, UNCHECKED), block.text
    assert checked is None or (ROOT / checked).is_file()


def test_the_lists_are_of_blocks_that_exist() -> None:
    """Nobody is told about what went; and each test that is named reads its page, in the language."""
    pages = {(each.page, each.language) for each in ALL_BLOCKS}

    assert CHECKED_BY.keys() <= pages
    for folder, test in RUN_BY.items():
        assert any(page.startswith(folder) for page, _ in pages), folder
        assert "walking" in (ROOT / test).read_text(), test
    for start in (*CHECKED_ALONE, *UNCHECKED, *RUN):
        assert 1 == len([each for each in ALL_BLOCKS if begins(each, [start])]), start
    for (page, language), test in CHECKED_BY.items():
        source = (ROOT / test).read_text()
        assert Path(page).name in source, test
        assert language in source, test
    for (page, _), test in CHECKED_ALONE.items():
        assert Path(page).name in (ROOT / test).read_text(), test


@pytest.mark.parametrize("block", of_language(*PARSED), ids=lambda each: each.name)
def test_data_can_be_parsed(block: Block) -> None:
    """JSON and TOML as they are read by programs; several lines of JSON may be a value each."""
    try:
        values = [PARSED[block.language](block.text)]
    except json.JSONDecodeError:
        values = [json.loads(each) for each in block.text.splitlines()]

    assert values


@pytest.mark.parametrize("start", RUN, ids=" ".join)
def test_lines_run_as_they_stand(start: tuple[str, str], tmp_path: Path) -> None:
    """In a fresh folder, with the tools of any Linux."""
    (block,) = (each for each in ALL_BLOCKS if begins(each, [start]))
    bash = ["/bin/bash", "-euo", "pipefail", "-c", block.text]
    done = subprocess.run(bash, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert (0, "") == (done.returncode, done.stderr)


@pytest.mark.parametrize("block", of_language("ini"), ids=lambda each: each.name)
def test_settings_can_be_parsed(block: Block) -> None:
    """As systemd reads its units: a key may stand several times."""
    parser = configparser.RawConfigParser(strict=False)
    parser.read_string(block.text)

    assert parser.sections()


@pytest.mark.parametrize("block", of_language(*SHELL), ids=lambda each: each.name)
def test_lines_of_a_shell_can_be_parsed(block: Block) -> None:
    """Quotes and brackets are closed."""
    done = subprocess.run(
        ["/bin/bash", "-n"], input=block.text, capture_output=True, text=True, check=False
    )

    assert "" == done.stderr


@pytest.mark.parametrize("block", of_language(*SHELL), ids=lambda each: each.name)
def test_commands_routes_and_targets_exist(block: Block) -> None:
    """Each `watchword` has the command and its options, each curl a route, each make a target."""
    assert [] == faults(block.text)


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("watchword keys make", "no command: watchword keys make"),
        ("watchword keys create --nmae x", "no option of keys create: --nmae"),
        ("curl -s http://127.0.0.1:8080/v1/pinz -d '{}'", "no route: POST /v1/pinz"),
        ("curl -s \\\n  $URL/v1/pins -X PATCH", "no route: PATCH /v1/pins"),
        ("make nothing-there", "no target: make nothing-there"),
    ],
)
def test_a_fault_in_a_line_is_found(line: str, fault: str) -> None:
    """A misspelt command, option, route, method and target."""
    assert is_ours(line)
    assert [fault] == faults(line)


@pytest.mark.parametrize(
    "line",
    [
        'curl -s http://127.0.0.1:8080/v1/pins/${PIN_ID:?None}/verify -d \'{"pin": "1"}\'',
        "curl https://example.com/nothing",
        "echo 1 | watchword --help",
        "make test",
    ],
)
def test_a_line_in_order_has_no_fault(line: str) -> None:
    """Variables may stand in a path; calls of other services are theirs."""
    assert [] == faults(line)


def test_blocks_are_found_whatever_surrounds_them(tmp_path: Path) -> None:
    """In lists, one in another, with more marks; a block that directly follows another knows it."""
    page = tmp_path / "a.md"
    page.write_text("- a\n\n  ```sh\n  ls\n  ```\n\n````md\n```x\n````\n\nText\n\n```\n1\n```\n")

    assert [("sh", "ls\n", None), ("md", "```x\n", "sh"), ("", "1\n", None)] == [
        (each.language, each.text, each.after) for each in blocks_of(page, tmp_path)
    ]


def test_a_block_that_is_not_closed_is_refused(tmp_path: Path) -> None:
    """All that follows would be code."""
    page = tmp_path / "a.md"
    page.write_text("```sh\nls\n")

    with pytest.raises(ValueError, match="not closed"):
        blocks_of(page, tmp_path)


def test_the_pages_of_people_are_read() -> None:
    """Those of the root, and of every folder of the documentation."""
    names = {str(each.relative_to(ROOT)) for each in written_pages()}

    assert {"README.md", "ARCHITECTURE.md", "docs/how-to/channels/README.md"} <= names
