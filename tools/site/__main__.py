"""Build the site of the documentation and check it (`make docs`)."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys

from tools.site.checking import problems
from tools.site.pages import pages
from tools.site.staging import BUILD, stage


def main(zensical: str) -> int:
    """Build build/site with a given Zensical, and check it; return the exit code."""
    config = stage(pages())
    site = BUILD / "site"
    shutil.rmtree(site, ignore_errors=True)
    build = [zensical, "build", "--strict", "--clean", "--config-file", str(config)]
    done = subprocess.run(build, check=False, capture_output=True, text=True)
    # Its report comes in colours, and a failure with a trace of its own frames.
    report = re.sub(r"\x1b\[[\d;]*m", "", done.stdout + done.stderr)
    if done.returncode:
        print(report.partition("Traceback")[0].strip(), report.strip().splitlines()[-1], sep="\n")
        return done.returncode
    found = problems(site)
    print(*found, sep="\n", end="\n" if found else "")
    print(f"{len(list(site.rglob('*.html')))} pages in {site}, {len(found)} problems")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
