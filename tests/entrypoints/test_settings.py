"""The address of a store in the settings: parsed once, and never shown with a password (C-2, C-3)."""

from __future__ import annotations

from pathlib import Path

import pytest

from watchword.entrypoints.settings import Settings, SettingsError, StoreKind, StoreUrl


@pytest.mark.parametrize(
    ("url", "kind", "path"),
    [
        ("memory://", StoreKind.MEMORY, None),
        ("sqlite:///pins.db", StoreKind.SQLITE, Path("pins.db")),
        ("sqlite:////srv/a:b@c/pins.db", StoreKind.SQLITE, Path("/srv/a:b@c/pins.db")),
        ("postgresql://pin@db:5432/pins", StoreKind.POSTGRESQL, None),
        ("postgresql://pin@/pins?host=/run/postgresql", StoreKind.POSTGRESQL, None),
        ("postgresql://pin@one:5432,two:5432/pins", StoreKind.POSTGRESQL, None),
    ],
)
def test_kinds_of_stores(url: str, kind: StoreKind, path: Path | None) -> None:
    """Each kind has its scheme; SQLite has a path."""
    store = StoreUrl(url)

    assert (kind, path) == (store.kind, store.path)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://pin:hush@db:5432/pins",
        "postgresql://pin:hu/hush@@db/pins",
        "postgresql://pin@db/pins?password=hush",
        "postgresql://pin@db/pins?sslpassword=hush&sslmode=require",
    ],
)
def test_a_password_is_not_shown(url: str) -> None:
    """The settings, the URL, and the refusal of an unreadable URL omit it."""
    settings = Settings(store=url)
    shown = [repr(settings)]
    try:
        shown += [str(settings.store_url), repr(settings.store_url)]
    except SettingsError as error:
        shown.append(str(error))

    assert "hush" not in "".join(shown)
    assert "postgresql" in shown[-1]


@pytest.mark.parametrize("url", ["postgresql://pin:hush@db", "postgres://pin:hush@db/pins"])
def test_what_is_no_postgresql(url: str) -> None:
    """A database has to be named, and the scheme is spelled out."""
    with pytest.raises(SettingsError, match="postgresql://user@host:port/database") as refused:
        _ = StoreUrl(url)

    assert "hush" not in str(refused.value)


def test_what_is_no_store() -> None:
    """The refusal of any other address shows a right one."""
    with pytest.raises(
        SettingsError, match=r"mongodb://me:\*\*\*@there is not a store\. Use sqlite"
    ):
        _ = StoreUrl("mongodb://me:hush@there")
