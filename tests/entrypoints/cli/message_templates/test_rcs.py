"""`watchword rcs lint`: every violation of a template, offline."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.entrypoints.cli.conftest import Run
from tests.entrypoints.cli.printed import cells
from watchword.entrypoints.cli.__main__ import main

GOOD = {"name": "teas", "type": "text_message", "textMessageContent": "The new teas are here."}
BAD = {"type": "rich_card", "name": "new teas", "orientation": "VERTICAL", "colour": "\x1b[31m"}
WRONG = ["data.name", "data.height", "data.standAlone"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a file to write a template to."""
    return tmp_path / "template.json"


def lint(run: Run, file: Path, template: Any, *options: str) -> Result:
    """Lint a template from a file."""
    file.write_text(json.dumps(template))
    return run("rcs", "lint", str(file), *options)


def test_a_template_that_keeps_every_rule(alone: Run, file: Path, tmp_path: Path) -> None:
    """One sentence and exit status 0; no store is made."""
    kept = lint(alone, file, GOOD, "--message-type", "promotional")

    assert (0, "The template keeps every rule.\n", "") == (kept.exit_code, kept.stdout, kept.stderr)
    assert [file] == list(tmp_path.iterdir())


def test_violations_are_a_table_and_a_hint(alone: Run, file: Path) -> None:
    """Each with its path as a client sees it, in the documented order; exit status 1."""
    broken = lint(alone, file, BAD, "--message-type", "Promo")
    title, _, heading, *lines = broken.stdout.splitlines()

    assert (1, "4 violations", "") == (broken.exit_code, title, broken.stderr)
    assert ["where", "what is wrong"] == cells(heading)
    assert [*WRONG, "message_type"] == [cells(line)[0] for line in lines[:4]]
    assert "  data.colour" in lines
    assert "\x1b" not in broken.stdout
    assert "lint it again" in lines[-1]


def test_violations_for_programs(alone: Run, file: Path) -> None:
    """The fields of the HTTP answer, and whether there are any."""
    broken = lint(alone, file, BAD, "--json")
    told = json.loads(broken.stdout)

    assert 1 == broken.exit_code
    assert WRONG == [each["field"] for each in told["violations"]]
    assert (False, ["data.colour"]) == (told["valid"], told["ignored"])
    assert {"valid": True, "violations": [], "ignored": []} == json.loads(
        lint(alone, file, GOOD, "--json").stdout
    )


def test_uploaded_files_are_named(alone: Run, file: Path) -> None:
    """Files of the template are judged with it."""
    card = {"fileName": "tea.mp4", "cardTitle": "Oolong", "cardDescription": "Rolled by hand."}
    template = {**BAD, "name": "teas", "height": "TALL_HEIGHT", "standAlone": card}
    video = ("--uploaded", "tea.mp4")

    assert "data.standAlone.fileName" in lint(alone, file, template).stdout
    assert "data.standAlone.thumbnailFileName" in lint(alone, file, template, *video).stdout
    assert "multimedia_files" in lint(alone, file, template, *video, "--uploaded", "x").stdout
    card["thumbnailFileName"] = "tea.png"
    assert 0 == lint(alone, file, template, *video, "--uploaded", "tea.png").exit_code


def test_a_template_by_standard_input() -> None:
    """`-` reads the standard input."""
    kept = CliRunner().invoke(main, ("rcs", "lint", "-"), input=json.dumps(GOOD))
    broken = CliRunner().invoke(main, ("rcs", "lint", "-"), input="{")

    assert (0, 1) == (kept.exit_code, broken.exit_code)
    assert "is not valid JSON (line 1)" in broken.stdout


def test_a_file_that_cannot_be_read(alone: Run, file: Path, tmp_path: Path) -> None:
    """One sentence and a hint, and exit status 1."""
    missing = alone("rcs", "lint", str(file))
    folder = alone("rcs", "lint", str(tmp_path))
    file.write_bytes(b"\xff\xfe")
    binary = alone("rcs", "lint", str(file))
    piped = CliRunner().invoke(main, ("rcs", "lint", "-"), input=b"\xff")

    assert [1] * 4 == [each.exit_code for each in (missing, folder, binary, piped)]
    assert [
        f"Error: {file} cannot be used: No such file or directory. Check the path.\n",
        f"Error: {tmp_path} cannot be used: Is a directory. Check the path.\n",
        f"Error: {file} is not a text in UTF-8. Save the template as JSON in UTF-8.\n",
        "Error: The standard input is not a text in UTF-8. Save the template as JSON in UTF-8.\n",
    ] == [each.stderr for each in (missing, folder, binary, piped)]
