"""The README: what a newcomer copies works."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from watchword.entrypoints import sandbox

README = (Path(__file__).parents[2] / "README.md").read_text()
ARCHITECTURE = (Path(__file__).parents[2] / "ARCHITECTURE.md").read_text()


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
    assert sandbox.TEMPLATE_ID == issue["templateId"]
    assert {"rcs", "fallback"} == set(send)
    assert {"seconds"} == set(advance)
    assert {sandbox.API_KEY} == set(re.findall(r"(?:Bearer|apikey:) ([\w-]+)", README))


def test_decisions_cited_in_the_code_are_written_down() -> None:
    """Every D-number in a comment or docstring stands in ARCHITECTURE.md."""
    root = Path(__file__).parents[2]
    cited = {
        number
        for layer in ("domain", "application", "adapters", "entrypoints")
        for path in (root / layer).rglob("*.py")
        for number in re.findall(r"\bD-(\d+)\b", path.read_text())
    }
    written = set(re.findall(r"\*\*D-(\d+) ", ARCHITECTURE))

    assert set() == cited - written
