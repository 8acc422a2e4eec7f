"""The log's keys: Go's form, one name, private files, and a clock's key that follows from the log's."""

from __future__ import annotations

from pathlib import Path

import pytest

from watchword.adapters.evidence.log_keys import (
    LogKey,
    LogKeyError,
    make_log_key,
    parse_log_keys,
    read_log_keys,
)

# From the documentation of golang.org/x/mod/sumdb/note.
GO_PRIVATE = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
GO_PUBLIC = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"


def test_a_key_of_go_is_read_and_written_again() -> None:
    """A key that Go's sumdb/note made has here the same name, hash, public key and text."""
    key = LogKey.parse(GO_PRIVATE)

    assert GO_PUBLIC == key.verifier.vkey
    assert GO_PRIVATE == key.text


def test_the_key_of_the_clock_follows_from_that_of_the_log() -> None:
    """The same key has the same clock, which has a key of its own, of the kind of cosignatures."""
    first, second = LogKey.parse(GO_PRIVATE), LogKey.parse(GO_PRIVATE)

    assert first.clock_verifier == second.clock_verifier
    assert 4 == first.clock_verifier.kind
    assert first.verifier.public != first.clock_verifier.public


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1:c2VjcmV0",
        GO_PUBLIC,
        GO_PRIVATE[:-1],
        GO_PRIVATE.replace("c74f20a3", "c74f20a4"),
        GO_PRIVATE.replace("Peter", "Paul"),
        GO_PRIVATE.replace("PeterNeumann", "Peter Neumann"),
        f"{GO_PRIVATE},{GO_PRIVATE}",
        f"{GO_PRIVATE},{LogKey.new('other').text}",
        ",".join(LogKey.new("log").text for _ in range(3)),
    ],
)
def test_what_is_no_key_is_refused_and_not_shown(text: str) -> None:
    """A damaged key, two of different names and three are refused in a sentence without the key."""
    with pytest.raises(LogKeyError) as refusal:
        parse_log_keys(text)
    assert "AYEKFALV" not in str(refusal.value)


def test_the_new_key_of_a_rotation_comes_first() -> None:
    """Two keys of one name are read in their order."""
    new, old = LogKey.new("log"), LogKey.new("log")

    assert [new.verifier, old.verifier] == [
        each.verifier for each in parse_log_keys(f"{new.text}, {old.text}\n")
    ]


@pytest.mark.parametrize("name", ["", "a b", "a+b", "tea\n", "x" * 201, "a\u200bb"])
def test_a_name_that_no_verifier_reads_is_refused(name: str) -> None:
    """A name has neither white space nor a plus, and everybody sees all of it."""
    with pytest.raises(LogKeyError, match="cannot name a log"):
        LogKey.new(name)


def test_a_file_of_a_key_is_private_and_made_once(tmp_path: Path) -> None:
    """The file can be read by its owner alone, and a second call keeps the key."""
    path = tmp_path / "log.key"
    make_log_key(path, "log")
    first = read_log_keys(path)
    make_log_key(path, "log")

    assert 0o600 == path.stat().st_mode & 0o777
    assert [each.verifier for each in first] == [each.verifier for each in read_log_keys(path)]

    path.chmod(0o644)
    with pytest.raises(LogKeyError):
        read_log_keys(path)


def test_no_text_of_a_key_shows_it() -> None:
    """The key's `repr`, which a traceback may print, names the log alone."""
    assert "AYEKFALV" not in repr(LogKey.parse(GO_PRIVATE))
    assert "PeterNeumann" in repr(LogKey.parse(GO_PRIVATE))
