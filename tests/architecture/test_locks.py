"""The locks: everything has its hash, nothing is superfluous, and each package has one version."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
EXTRAS = PROJECT["project"]["optional-dependencies"]
RUNTIME = PROJECT["project"]["dependencies"]
BUILD = PROJECT["dependency-groups"]["build"]
CLIENTS = PROJECT["dependency-groups"]["clients"]
DOCS = PROJECT["dependency-groups"]["docs"]

# The sources of each lock.
NEEDED = {
    "requirements.lock": RUNTIME,
    "requirements-postgres.lock": [*RUNTIME, *EXTRAS["postgres"]],
    "requirements-otel.lock": [*RUNTIME, *EXTRAS["otel"]],
    "requirements-dev.lock": [*RUNTIME, *(each for extra in EXTRAS.values() for each in extra)],
    "requirements-build.lock": BUILD,
    "requirements-clients.lock": CLIENTS,
    "requirements-docs.lock": DOCS,
}
INSTALLED_BY_OPERATORS = [
    "requirements.lock",
    "requirements-postgres.lock",
    "requirements-otel.lock",
]


def entries(lock: str) -> list[str]:
    """Return the pinned packages of a lock, each with its hashes and without comments."""
    text = re.sub(r"^ *#.*\n", "", (ROOT / lock).read_text(), flags=re.MULTILINE)
    return re.split(r"\n(?=\S)", text.strip())


def pinned(lock: str) -> dict[str, str]:
    """Return the version of each package in a lock."""
    return dict(re.findall(r"^(\S+?)==(\S+)", "\n".join(entries(lock)), re.MULTILINE))


def test_every_lock_is_made_by_make() -> None:
    """`make lock` writes all that lie here, and a new extra gets one."""
    written = re.findall(r"--output-file (\S+)", (ROOT / "Makefile").read_text())

    assert sorted(NEEDED) == sorted(written)
    assert sorted(NEEDED) == sorted(each.name for each in ROOT.glob("*.lock"))
    assert {"client", "dev", "otel", "postgres", "testing"} == set(EXTRAS)


@pytest.mark.parametrize("lock", NEEDED)
def test_a_lock_pins_everything_by_its_hash(lock: str) -> None:
    """Each entry is one version with hashes, and names no index."""
    assert [] == [each for each in entries(lock) if not re.match(r"\S+==\S+.* \\\n +--hash=", each)]
    assert "://" not in (ROOT / lock).read_text()


@pytest.mark.parametrize("lock", NEEDED)
def test_a_lock_has_what_the_project_asks_for(lock: str) -> None:
    """Each dependency of `pyproject.toml` is there, in a version that it allows."""
    versions = pinned(lock)
    asked = [Requirement(each) for each in NEEDED[lock]]

    assert [] == [
        str(each)
        for each in asked
        if not each.specifier.contains(versions.get(canonicalize_name(each.name), "0"))
    ]


def test_locks_agree_on_every_version() -> None:
    """Operators install the versions that development and tests use."""
    versions: dict[str, set[str]] = {}
    for lock in NEEDED:
        for name, version in pinned(lock).items():
            versions.setdefault(name, set()).add(version)

    assert {} == {name: each for name, each in versions.items() if len(each) > 1}


@pytest.mark.parametrize("lock", INSTALLED_BY_OPERATORS)
def test_operators_install_no_build_tools(lock: str) -> None:
    """Build tools have a lock of their own, and tools for tests have another."""
    tools = {canonicalize_name(Requirement(each).name) for each in [*BUILD, *EXTRAS["dev"]]}

    assert set() == tools & pinned(lock).keys()


@pytest.mark.parametrize("lock", INSTALLED_BY_OPERATORS)
def test_a_lock_for_an_extra_is_whole(lock: str) -> None:
    """One `-r` installs it: it holds the whole runtime, and the tests run with all of it."""
    assert pinned("requirements.lock").items() <= pinned(lock).items()
    assert pinned(lock).items() <= pinned("requirements-dev.lock").items()
