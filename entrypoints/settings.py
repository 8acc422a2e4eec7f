"""The settings of a running service, read once (C-1 to C-4)."""

from __future__ import annotations

from pathlib import Path

from attrs import field, frozen

from ..adapters.hashing import DEFAULT_ROUNDS

SANDBOX_ADMIN_TOKEN = "sandbox-admin"  # noqa: S105  documented, and only for the sandbox (C-3)
DEFAULT_PROVIDER_TIMEOUT = 10.0
DEFAULT_DRAIN_TIMEOUT = 30.0


class SettingsError(Exception):
    """The settings contradict each other or cannot be; the text is one sentence and a hint."""


@frozen
class StoreUrl:
    """Where the events are kept: `sqlite:///relative.db`, `sqlite:////absolute.db` or `memory://`."""

    text: str
    path: Path | None = field(init=False)

    @path.default
    def _parse(self) -> Path | None:
        if self.text == "memory://":
            return None
        scheme, separator, rest = self.text.partition(":///")
        if scheme == "sqlite" and separator and rest:
            return Path(rest)
        if self.text.startswith("postgresql:"):
            raise SettingsError(
                "This release keeps its events in SQLite or memory. Use sqlite:///watchword.db."
            )
        raise SettingsError(
            f"{self.text} is not a store. Use sqlite:///relative.db, sqlite:////absolute.db or"
            " memory://."
        )


@frozen(kw_only=True)
class Settings:
    """All that a service is built from; times in seconds."""

    store: str | None = None
    data_dir: Path = Path("var")
    sandbox: bool = False
    code_key: str | None = field(default=None, repr=False)
    code_key_file: Path | None = None
    code_hash_rounds: int = DEFAULT_ROUNDS
    provider_timeout: float = DEFAULT_PROVIDER_TIMEOUT
    writer_process: bool = False

    @property
    def store_url(self) -> StoreUrl:
        """The store; by default `watchword.db` in the data directory (C-2)."""
        if self.store is not None:
            return StoreUrl(self.store)
        return StoreUrl(f"sqlite:///{self.data_dir / 'watchword.db'}")
