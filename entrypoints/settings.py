"""The settings of a running service, read once (C-1 to C-4)."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path

from attrs import field, frozen

SANDBOX_ADMIN_TOKEN = "sandbox-admin"  # noqa: S105  documented, and only for the sandbox (C-3)
DEFAULT_PROVIDER_TIMEOUT = 10.0
# A dispatch that takes longer than this and two appends counts as orphaned (D-11).
LONGEST_PROVIDER_TIMEOUT = 20
DEFAULT_DRAIN_TIMEOUT = 30.0
# Low, because the key protects the codes (adapters/hashing).
DEFAULT_CODE_HASH_ROUNDS = 1


class SettingsError(Exception):
    """The settings contradict each other or are invalid; the text is one sentence and a hint."""


def _shown(url: object) -> str:
    """Return a store's URL without the parts that may hold a password: before `@` and after `?`."""
    return re.sub(r"^(\w+://)([^:@/]*):.*@", r"\1\2:***@", str(url).partition("?")[0])


class StoreKind(StrEnum):
    """The kind of a store, by the scheme of its URL."""

    MEMORY = "memory"
    SQLITE = "sqlite"
    POSTGRESQL = "postgresql"


@frozen
class StoreUrl:
    """
    The URL of a store (C-2).

    It is `sqlite:///relative.db`, `sqlite:////absolute.db`, `postgresql://user@host:port/db` or
    `memory://`. Only a SQLite file has a `path`.
    """

    text: str = field(repr=_shown)
    kind: StoreKind = field(init=False)
    path: Path | None = field(init=False)

    @kind.default
    def _kind(self) -> StoreKind:
        if self.text == "memory://":
            return StoreKind.MEMORY
        if re.fullmatch(r"sqlite:///.+", self.text):
            return StoreKind.SQLITE
        if re.fullmatch(r"postgresql://[^/?#]*/[^/?#]+(\?.*)?", self.text):
            return StoreKind.POSTGRESQL
        if self.text.startswith("postgres"):
            # The URL is not shown: in a malformed one, a password may be anywhere.
            raise SettingsError(
                "The store's URL is not of the form postgresql://user@host:port/database."
                " Write special characters in it as %XX."
            )
        raise SettingsError(
            f"{self} is not a store. Use sqlite:///relative.db, sqlite:////absolute.db,"
            " postgresql://user@host:port/database or memory://."
        )

    @path.default
    def _path(self) -> Path | None:
        is_file = self.kind is StoreKind.SQLITE
        return Path(self.text.removeprefix("sqlite:///")) if is_file else None

    def __str__(self) -> str:
        return _shown(self.text)


@frozen(kw_only=True)
class Settings:
    """The settings of a service; times are in seconds."""

    store: str | None = field(default=None, repr=_shown)
    data_dir: Path = Path("var")
    sandbox: bool = False
    sandbox_key: str | None = field(default=None, repr=False)
    code_key: str | None = field(default=None, repr=False)
    code_key_file: Path | None = None
    receipt_key: str | None = field(default=None, repr=False)
    receipt_key_file: Path | None = None
    log_key: str | None = field(default=None, repr=False)
    log_key_file: Path | None = None
    log_origin: str | None = None
    heads_dir: Path | None = None
    erasures: Path | None = None
    code_hash_rounds: int = DEFAULT_CODE_HASH_ROUNDS
    provider_timeout: float = DEFAULT_PROVIDER_TIMEOUT
    allow_private_urls: bool = False
    writer_process: bool = False
    public_url: str | None = None
    short_domains: tuple[str, ...] = ()
    witnesses: tuple[str, ...] = ()
    # If true, messages name the arguments of `watchword.open` instead of the flags of commands.
    embedded: bool = False

    @property
    def store_url(self) -> StoreUrl:
        """The store; by default `watchword.db` in the data directory (C-2)."""
        if self.store is not None:
            return StoreUrl(self.store)
        return StoreUrl(f"sqlite:///{self.data_dir / 'watchword.db'}")

    @property
    def erasures_file(self) -> Path:
        """The list of erased people; by default in the data directory (C-74)."""
        return self.erasures or self.data_dir / "erasures.jsonl"
