"""The documents for newcomers: their examples work, and their lists are complete."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.tutorials import walking
from watchword.entrypoints.demo.seeding import API_KEY, TEMPLATE_ID

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text()


@pytest.mark.parametrize(
    ("document", "most"), [(README, 120), (ARCHITECTURE, 300)], ids=["readme", "architecture"]
)
def test_documents_stay_short(document: str, most: int) -> None:
    """A reader takes in each of them in one sitting."""
    assert most >= len(document.splitlines())


def test_the_embedding_example_runs() -> None:
    """The Python of the README issues a PIN and verifies it."""
    (program,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )

    assert "" == done.stderr
    assert "VERIFIED" in done.stdout


def test_the_curl_lines_name_what_the_sandbox_has() -> None:
    """Key, template, bodies and the shape of the code are those of the sandbox."""
    issue, send, advance = map(json.loads, re.findall(r"-d '(\{.*?\})'", README, re.DOTALL))

    assert {"destination", "templateId"} == set(issue)
    assert TEMPLATE_ID == issue["templateId"]
    assert {"rcs", "fallback"} == set(send)
    assert {"seconds"} == set(advance)
    assert {API_KEY} == set(re.findall(r"(?:Bearer|apikey:) ([\w-]+)", README))


@pytest.mark.parametrize(
    ("first_words", "shown"),
    [
        (
            "curl -s http://127.0.0.1:8080/v1/pins",
            '{...,"status":"PENDING",...}{...,"status":"VERIFIED",...}',
        ),
        (
            "curl -s http://127.0.0.1:8080/oapi/send_sms",
            '{"status":"success",...}{"now":"..."}{...,"channel":"sms",...,"channel":"rcs",...}',
        ),
    ],
    ids=["code", "fallback"],
)
def test_the_curl_lines_run_as_they_stand(first_words: str, shown: str, tmp_path: Path) -> None:
    """On the sandbox of `make run`, a code is sent and verified, and a fallback goes out after its minute."""
    (lines,) = re.findall(rf"```sh\n({re.escape(first_words)}.*?)```", README, re.DOTALL)
    page = tmp_path / "page.md"
    page.write_text(f"```sh\nmake run\n```\n\n```sh\n{lines}```\n\n```text\n{shown}\n```\n")
    folder = tmp_path / "reader"
    folder.mkdir()
    with walking(str(page), folder) as walk:
        walk.go()
