"""docs/how-to/testing.md: its tests pass in a project that has the wheel, and a failure reads as it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.test_snippets import snippets
from tests.projects import Project, passed, project_in

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "how-to" / "testing.md"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Make a project with the extra `testing`."""
    return project_in(tmp_path_factory.mktemp("project"))


def files() -> dict[str, str]:
    """Return the files of the page."""
    return {f"{name}.py": program for name, (program, _) in snippets([PAGE]).items()}


def test_the_tests_of_the_page_pass(project: Project) -> None:
    """Those of an application that embeds the service, and of one that calls it by HTTP."""
    assert 3 == passed(project.run(files()))


def test_a_failure_reads_as_the_page_says(project: Project) -> None:
    """With another number in the first test; of the code, only its digits differ."""
    (shown,) = re.findall(r"```text\n(AssertionError.*?)```", PAGE.read_text(), re.DOTALL)
    wrong = files()["test_tea_login.py"].replace("code_for(NUMBER)", 'code_for("+447700900011")')
    status, said = project.run(
        {**files(), "test_tea_login.py": wrong}, "-k", "lets_in and not http"
    )
    plain = re.sub(r"^E {7}", "", said, flags=re.MULTILINE)

    assert 1 == status
    assert shown in re.sub(r"code is \d{6}", "code is 123456", plain)
