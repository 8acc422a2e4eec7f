"""
Trees, proofs and notes against Go's packages for its checksum database; `make test-oracle` runs it.

`pytest tests/oracle/go_sumdb.py` needs Debian's packages golang-go and golang-golang-x-mod-dev.
`WATCHWORD_TEST_PROOFS` is the number of proofs of each kind, which is 10,000 for the full series.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import random
import subprocess
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from watchword.adapters.evidence.log_keys import LogKey
from watchword.adapters.evidence.note_signer import NoteSigner
from watchword.application.evidence import tree
from watchword.verify_evidence import (
    Checkpoint,
    EvidenceError,
    Verifier,
    check_consistency,
    check_inclusion,
    open_checkpoint,
    open_note,
)

MOST = 70_000
PROOFS = int(os.environ.get("WATCHWORD_TEST_PROOFS", "1000"))
PACKAGES = Path("/usr/share/gocode")
HASHES = [hashlib.sha256(str(each).encode()).digest() for each in range(MOST)]
TILES = tree.extended(0, HASHES, {})
AT = datetime(2031, 5, 4, 12, tzinfo=UTC)


class Oracle:
    """The program in Go, which has a tree of its own."""

    def __init__(self, program: Path) -> None:
        self._process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, what: str, **members: Any) -> dict[str, Any]:
        """Return the answer to a question; what is refused has an `error`."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        question = json.dumps({"ask": what, **members}, default=encoded)
        self._process.stdin.write(question.encode() + b"\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def value(self, what: str, **members: Any) -> bytes:
        """Return the bytes in the answer."""
        return base64.b64decode(self.ask(what, **members)["bytes"])

    def hashes(self, what: str, **members: Any) -> list[bytes]:
        """Return the hashes in the answer."""
        return [base64.b64decode(each) for each in self.ask(what, **members).get("hashes", [])]

    def end(self) -> None:
        """End the program."""
        self._process.communicate(timeout=10)


def encoded(raw: bytes) -> str:
    """Return bytes as JSON has them in Go."""
    return base64.b64encode(raw).decode()


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Oracle]:
    """Build the program, let it grow the tree of all leaves, and end it."""
    folder = tmp_path_factory.mktemp("oracle")
    settings = {"GO111MODULE": "off", "GOPATH": str(PACKAGES), "GOCACHE": str(folder / "cache")}
    source = Path(__file__).with_name("sumdb.go")
    build = ["go", "build", "-o", str(folder / "sumdb"), str(source)]
    subprocess.run(build, check=True, env={**os.environ, **settings}, cwd=folder)
    made = Oracle(folder / "sumdb")
    assert {} == made.ask("grow", leaves=HASHES)
    yield made
    made.end()


def sizes(count: int) -> Iterator[int]:
    """Yield sizes from 2 to the largest, half of them where tiles end."""
    chance = random.Random(25)
    edges = [each + step for each in (256, 512, 65_280, 65_536, 65_792) for step in (-1, 0, 1)]
    for number in range(count):
        yield chance.choice([*edges, MOST]) if number % 2 else chance.randint(2, MOST)


def flipped(value: bytes, bit: int) -> bytes:
    """Return bytes with one other bit."""
    changed = bytearray(value)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def test_every_root_is_the_same(oracle: Oracle) -> None:
    """From the empty tree to a large one, and then so many up to the largest."""
    for size in [*range(1, 1_200), *sizes(PROOFS), MOST]:
        assert oracle.value("root", size=size) == tree.root(size, TILES), size


def test_every_tile_is_the_same(oracle: Oracle) -> None:
    """All of the largest tree, and the unfinished ones of smaller trees."""
    for (level, index), tile in TILES.items():
        width = len(tile) // 32
        assert oracle.value("tile", level=level, index=index, width=width) == tile
    for size in sizes(PROOFS // 10):
        first = size - size % 256 - 256 if size > 256 else 0
        before = {
            key: TILES[key][: 32 * (first >> 8 * key[0]) % 8192] for key in tree.edge_tiles(first)
        }
        for (level, index), tile in tree.extended(first, HASHES[first:size], before).items():
            width = len(tile) // 32
            assert oracle.value("tile", level=level, index=index, width=width) == tile


def test_every_proof_of_inclusion_is_the_same(oracle: Oracle) -> None:
    """Go accepts ours and makes the same; both refuse a flipped bit."""
    chance = random.Random(26)
    for size in sizes(PROOFS):
        index, bit = chance.randrange(size), chance.randrange(256)
        leaf, root = HASHES[index], tree.root(size, TILES)
        proof = tree.inclusion_proof(index, size, TILES)
        asked = {"size": size, "index": index, "leaf": leaf}

        assert proof == oracle.hashes("inclusion", size=size, index=index)
        check_inclusion(index, size, leaf, root, proof)
        assert {} == oracle.ask("check inclusion", **asked, root=root, proof=proof)
        changed = changed_in(proof, bit, chance)
        assert "error" in oracle.ask("check inclusion", **asked, root=root, proof=changed)
        assert "error" in oracle.ask(
            "check inclusion", **asked, root=flipped(root, bit), proof=proof
        )
        with pytest.raises(EvidenceError):
            check_inclusion(index, size, leaf, root, changed)


def test_every_proof_of_consistency_is_the_same(oracle: Oracle) -> None:
    """Go accepts ours and makes the same; both refuse a flipped bit."""
    chance = random.Random(27)
    for size in sizes(PROOFS):
        old, bit = chance.randint(1, size - 1), chance.randrange(256)
        old_root, root = tree.root(old, TILES), tree.root(size, TILES)
        proof = tree.consistency_proof(old, size, TILES)
        asked = {"size": size, "old": old, "leaf": old_root}

        assert proof == oracle.hashes("consistency", size=size, old=old)
        check_consistency(old, size, old_root, root, proof)
        assert {} == oracle.ask("check consistency", **asked, root=root, proof=proof)
        changed = changed_in(proof, bit, chance)
        assert "error" in oracle.ask("check consistency", **asked, root=root, proof=changed)
        with pytest.raises(EvidenceError):
            check_consistency(old, size, old_root, root, changed)


def changed_in(proof: Sequence[bytes], bit: int, chance: random.Random) -> list[bytes]:
    """Return a proof with one flipped bit."""
    at = chance.randrange(len(proof))
    return [*proof[:at], flipped(proof[at], bit), *proof[at + 1 :]]


def test_notes_that_go_signs_open_with_ours(oracle: Oracle) -> None:
    """Under keys that Go makes; ours reads the private ones too, and refuses another text."""
    for number in range(200):
        made = oracle.ask("key", name=f"garden{number}.example")
        head = Checkpoint(f"garden{number}.example/1", number, HASHES[number])
        note = oracle.value("sign", key=made["key"], note=head.text).decode()
        verifier = Verifier.parse(made["vkey"])

        assert head == open_checkpoint(note, [verifier])
        assert [verifier] == [each.by for each in open_note(note, [verifier])[1]]
        assert (made["key"], verifier) == (
            LogKey.parse(made["key"]).text,
            LogKey.parse(made["key"]).verifier,
        )
        with pytest.raises(EvidenceError):
            open_checkpoint(note.replace(f"\n{number}\n", f"\n{number + 1}\n"), [verifier])


def test_heads_that_ours_signs_open_with_go(oracle: Oracle) -> None:
    """With the cosignature of the clock, which Go leaves out; a flipped bit of the text is refused."""
    chance = random.Random(28)
    key = LogKey.new("garden.example")
    signer = NoteSigner([key])
    for size in sizes(PROOFS):
        text = Checkpoint("garden.example/1", size, tree.root(size, TILES)).text
        note = signer.signed(text, AT, [key.verifier.vkey])
        raw = bytearray(text.encode())
        # The lowest bit of a printable character leaves it printable.
        raw[chance.randrange(len(raw) - 1)] ^= 1
        changed = raw.decode() + note.removeprefix(text)

        assert {"text": text} == oracle.ask("open", key=key.verifier.vkey, note=note)
        assert "error" in oracle.ask("open", key=key.verifier.vkey, note=changed)
        assert int(AT.timestamp()) == open_checkpoint(note, [key.verifier, key.clock_verifier]).at
