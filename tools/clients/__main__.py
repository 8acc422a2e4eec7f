"""
`make clients`: generate Python clients of the interface, check that they are complete, and use one.

The generators are installed in a separate environment; its interpreter is the only argument.
"""

from __future__ import annotations

import compileall
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tools.clients.serving import a_sandbox
from watchword.entrypoints.http.openapi_document import OPENAPI

HERE = Path(__file__).parent
BUILT = HERE.parents[1] / "build" / "clients"
# Generators rename operation ids, tags and types, so names are compared by letters and digits only.
_NOT_PLAIN = re.compile(r"[^a-z0-9]")


def main(python: Path) -> int:
    """Generate, check and use the clients; print the problems and return their number."""
    document = json.loads(OPENAPI.read_text())
    shutil.rmtree(BUILT, ignore_errors=True)
    BUILT.mkdir(parents=True)
    problems = [*_client_problems(python, document), *_model_problems(python)]
    if not problems:
        problems += _journey_problems(python)
    for each in problems:
        print(each)
    operations = sum(map(len, document["paths"].values()))
    print(f"Clients of {operations} operations: {len(problems) or 'nothing'} wrong.")
    return len(problems)


def _client_problems(python: Path, document: Mapping[str, Any]) -> list[str]:
    """Return what a generated client lacks, and the warnings of its generator."""
    client = BUILT / "watchword_client"
    output = ("--output-path", client, "--meta", "none")
    said = _run(python, "openapi_python_client", "generate", "--path", OPENAPI, *output)
    stumbled = re.findall(r"^(?:WARNING|ERROR|Unable|Error).*", said, re.MULTILINE)
    made = {_plain(path.stem) for path in client.glob("api/*/*.py")}
    wanted = {
        operation["operationId"]
        for item in document["paths"].values()
        for operation in item.values()
    }
    missing = [f"No operation {name}." for name in sorted(wanted) if _plain(name) not in made]
    compiled = compileall.compile_dir(client, quiet=1)
    return [*stumbled, *missing, *([] if compiled else ["The client does not compile."])]


def _model_problems(python: Path) -> list[str]:
    """Return what the generated models lack."""
    models = BUILT / "watchword_models.py"
    types = ("--input-file-type", "openapi", "--output-model-type", "pydantic_v2.BaseModel")
    _run(python, "datamodel_code_generator", "--input", OPENAPI, "--output", models, *types)
    return _run(python, HERE / "model_problems.py", OPENAPI, models).splitlines()


def _journey_problems(python: Path) -> list[str]:
    """Return the problems of the generated client with a sandbox."""
    with a_sandbox(BUILT / "server.log") as address:
        return _run(python, HERE / "journey.py", address).splitlines()


def _run(python: Path, what: str | Path, *arguments: str | Path) -> str:
    """Run a module or a file; return its output. Raises if it fails."""
    program = [str(what)] if isinstance(what, Path) else ["-m", what]
    environment = {**os.environ, "PYTHONPATH": str(BUILT), "PATH": f"{python.parent}:/usr/bin:/bin"}
    done = subprocess.run(
        [python, *program, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        env=environment,
    )
    if done.returncode != 0:
        raise SystemExit(f"{what} failed:\n{done.stdout}")
    return done.stdout


def _plain(name: str) -> str:
    return _NOT_PLAIN.sub("", name.lower())


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
