"""
`make clients-node`: build the TypeScript client, and try it as a project of a user's would.

The types come from openapi-typescript; this module writes what each call needs. Then the package is compiled,
packed and installed beside its tests and beside the blocks of its page, which run against a sandbox (D-537).
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tools.clients.serving import a_sandbox
from tools.clients.typescript_uses import uses
from watchword.entrypoints.client import calls
from watchword.entrypoints.client.errors.by_code import CODES_OF_STATUSES
from watchword.entrypoints.http.openapi_document import OPENAPI

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "clients" / "typescript"
PAGE = ROOT / "docs" / "how-to" / "typescript-client.md"
BUILT = ROOT / "build" / "typescript"
MODULES = ROOT / "tools" / "clients" / "node_modules"
# The address that the page names, as `make run` has it.
_USUAL = "http://127.0.0.1:8080"
_BLOCK = re.compile(r"```ts\n(.*?)```(?:\n\n```text\n(.*?)```)?", re.DOTALL)
_CREDENTIALS = {
    "ApiKey": ("apiKey", "Authorization", "Bearer "),
    "ApiKeyHeader": ("apiKey", "apikey", ""),
    "LegacyToken": ("legacyToken", "authentication-token", ""),
    "AdminToken": ("adminToken", "Authorization", "Bearer "),
}
# The Python client knows what else is harmless (D-533, D-538), and the short path does as the long one.
_HARMLESS = {
    f"{call.name}{ending}"
    for call in vars(calls).values()
    if isinstance(call, calls.Call) and call.again is calls.Again.ALWAYS
    for ending in ("", "AtShortPath")
}
_KEY = "#/components/parameters/Idempotency-Key"


def main() -> int:
    """Build, pack and try the client; return a status for the shell."""
    shutil.rmtree(BUILT, ignore_errors=True)
    BUILT.mkdir(parents=True)
    (BUILT / "node_modules").symlink_to(MODULES)
    client, user = BUILT / "client", BUILT / "user"
    shutil.copytree(SOURCES, client)
    # A member with a default may be left out of a request.
    types = ("--default-non-nullable=false", "--output", client / "src" / "interface.ts")
    _node("openapi-typescript", OPENAPI, *types)
    document = json.loads(OPENAPI.read_text())
    (client / "src" / "operations.ts").write_text("\n".join(operations(document)))
    (client / "src" / "uses.ts").write_text("\n".join(uses(document)))
    _node("tsc", "--noEmit", "--project", client)
    (client / "src" / "uses.ts").unlink()
    _node("tsc", "--project", client)
    _install(client, user / "node_modules" / "watchword-client")
    shutil.copytree(SOURCES / "test", user, dirs_exist_ok=True)
    shutil.copy(client / "tsconfig.json", user / "client.json")
    (user / "package.json").write_text('{"type": "module"}\n')
    with a_sandbox(BUILT / "server.log") as address:
        printed = dict(_pages(user, address))
        _node("tsc", "--project", user)
        tests = sorted((user / "dist").glob("*.test.js"))
        said = _run("node", "--test", "--test-reporter=tap", *tests, WATCHWORD_URL=address)
        (passed,) = re.findall(r"^# pass (\d+)$", said, re.MULTILINE)
        print(f"{passed} tests of the client pass.")
        return _differences(user, printed)


def operations(document: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of a module that says what each call needs, and what a bare status stands for."""
    yield "/** What each call needs; `tools/clients/typescript.py` writes this from the description. */"
    yield ""
    yield 'export type Credential = "apiKey" | "legacyToken" | "adminToken";'
    yield "/** A harmless one does no more twice than once: it reads, or makes a list have what it has. */"
    yield "export type Operation = { takesKey: boolean; harmless: boolean } & ("
    yield "  | { credential: Credential; required: boolean; header: string; scheme: string }"
    yield "  | { credential?: undefined }"
    yield ");"
    yield "export const OPERATIONS: Readonly<Record<string, Operation>> = {"
    for path, item in document["paths"].items():
        for method, operation in item.items():
            needs = _needs(operation["security"])
            takes_key = {"$ref": _KEY} in operation.get("parameters", [])
            harmless = method == "get" or operation["operationId"] in _HARMLESS
            entry = json.dumps({"takesKey": takes_key, "harmless": harmless, **needs})
            yield f'  "{method.upper()} {path}": {entry},'
    yield "};"
    yield "/** The code of a refusal that names its status alone, as that of an upload does. */"
    codes = json.dumps(CODES_OF_STATUSES)
    yield f"export const CODES_OF_STATUSES: Readonly<Record<string, string>> = {codes};"
    yield ""


def _needs(security: list[dict[str, Any]]) -> dict[str, Any]:
    schemes = [name for choice in security for name in choice]
    if not schemes:
        return {}
    (scheme,) = schemes
    credential, header, prefix = _CREDENTIALS[scheme]
    return {
        "credential": credential,
        "required": {} not in security,
        "header": header,
        "scheme": prefix,
    }


def _install(client: Path, where: Path) -> None:
    """Pack the client as npm publishes it, and unpack that where a project finds it."""
    _run("npm", "pack", "--silent", "--pack-destination", BUILT, folder=client)
    (packed,) = BUILT.glob("*.tgz")
    with tarfile.open(packed) as archive:
        archive.extractall(where.with_suffix(".packed"), filter="data")
    where.with_suffix(".packed").joinpath("package").rename(where)


def _pages(user: Path, address: str) -> Iterator[tuple[str, str]]:
    """Write each block of the page as a module; yield its name and what it should print."""
    for number, (program, printed) in enumerate(_BLOCK.findall(PAGE.read_text()), 1):
        name = f"page_{number}"
        (user / f"{name}.ts").write_text(program.replace(_USUAL, address))
        yield name, printed


def _differences(user: Path, printed: Mapping[str, str]) -> int:
    """Run the blocks of the page; print what does not come out as shown, and return a status."""
    wrong = 0
    for name, expected in printed.items():
        found = _run("node", user / "dist" / f"{name}.js", quiet=True)
        if not found or (expected and found != expected):
            print(f"{name} of {PAGE.name} printed:\n{found}instead of:\n{expected}")
            wrong = 1
    print(f"{len(printed)} blocks of {PAGE.name}: {'wrong' if wrong else 'as shown'}.")
    return wrong


def _node(program: str, *arguments: str | Path) -> None:
    _run(MODULES / ".bin" / program, *arguments)


def _run(*command: str | Path, folder: Path = ROOT, quiet: bool = False, **environment: str) -> str:
    """Run a program; return what it printed. Raises `SystemExit` with that if it fails."""
    done = subprocess.run(
        list(map(str, command)),
        cwd=folder,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=None if quiet else subprocess.STDOUT,
        text=True,
        check=False,
        timeout=300,
    )
    if done.returncode != 0:
        raise SystemExit(f"{Path(command[0]).name} failed:\n{done.stdout}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
