"""
`make audit`: query the advisory service for every package in the locks, and print the result.

pip-audit also succeeds if its service does not know a package, and prints a traceback if the service does
not answer. Neither means "no known vulnerabilities", so this tool distinguishes the three cases (D-153).
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

NOTHING_KNOWN, VULNERABLE, NO_ADVISORIES = 0, 1, 2
ROOT = Path(__file__).parents[1]
_LONGEST_REASON = 200


def main(locks: Sequence[Path], options: Sequence[str]) -> int:
    """Print the known vulnerabilities of the packages in `locks`; `options` go to pip-audit."""
    done = _ask(locks, options)
    try:
        asked = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError, TypeError):
        return _none("any package", _reason(done.stderr))
    vulnerable = [each for each in asked if each.get("vulns")]
    for each in vulnerable:
        print(_line(each))
    unanswered = [each["name"] for each in asked if "vulns" not in each]
    if vulnerable:
        print(f"Vulnerable: {len(vulnerable)} of {len(asked)} packages.")
        return VULNERABLE
    if unanswered or not asked:
        about = ", ".join(unanswered[:5]) + (", …" if len(unanswered) > 5 else "")
        return _none(f"{len(unanswered)} of {len(asked)} packages", about or "nothing was asked")
    print(f"No known vulnerabilities in {len(asked)} packages.")
    return NOTHING_KNOWN


def _ask(locks: Sequence[Path], options: Sequence[str]) -> subprocess.CompletedProcess[str]:
    requirements = [word for lock in locks for word in ("--requirement", str(lock))]
    # The locks contain all packages with hashes, so pip-audit need not resolve or download any.
    settled = ["--require-hashes", "--disable-pip", "--vulnerability-service", "osv"]
    told = ["--format", "json", "--progress-spinner", "off"]
    command = [sys.executable, "-m", "pip_audit", *requirements, *settled, *told, *options]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def _line(vulnerable: Mapping[str, Any]) -> str:
    known = "; ".join(
        f"{each['id']} (fixed in {', '.join(each['fix_versions']) or 'no release yet'})"
        for each in vulnerable["vulns"]
    )
    return f"{vulnerable['name']} {vulnerable['version']}: {known}"


def _none(about: str, reason: str) -> int:
    print(f"No advisories were got about {about}, so this says nothing of them: {reason}.")
    return NO_ADVISORIES


def _reason(said: str) -> str:
    """Return the last line of pip-audit's output, which is its error."""
    lines = [each.strip() for each in said.splitlines() if each.strip()]
    return lines[-1].rstrip(".")[:_LONGEST_REASON] if lines else "pip-audit said nothing"


if __name__ == "__main__":
    sys.exit(main(sorted(ROOT.glob("requirements*.lock")), sys.argv[1:]))
