"""`python -m watchword`: the command line."""

from __future__ import annotations

from .entrypoints.cli.__main__ import main

if __name__ == "__main__":
    main(prog_name="watchword")
