"""
Checks the evidence of a Watchword log: proofs, signed heads and exports. It needs Python and `cryptography`.

    python verify_evidence.py DIR --key VKEY
    python verify_evidence.py --export FILE --head FILE --key VKEY

The formats are public: trees of RFC 6962, and C2SP's signed-note, tlog-checkpoint, tlog-cosignature and
tlog-proof. This file works alone, without the service, its store and its other modules.

A leaf is the text that `leaf_text` returns. A proof's `extra` is JSON `{leaf, open, sealed?, secret?,
eventKey?}`: the leaf, and the stored lines that are disclosed, as text. `eventKey` is what `watchword audit
disclose` prints.

An export with evidence begins at position 1 and has a line for every position, in order. Each line is an
event as `GET /admin/v1/events` shows it, with one more member:

    "evidence": {"topic": "PinIssued/1", "open": TEXT, "sealed": DIGEST, "secret": DIGEST}

`open` is the open line of the store, as text; a digest is as `digest` returns it (of a line that retention
blanked, the one that it keeps). An event that retention dropped has a line with the hash of its leaf alone:

    {"position": 7, "evidence": {"leaf": BASE64}}
"""

from __future__ import annotations

import argparse
import base64
import gc
import hashlib
import hmac
import json
import os
import re
import subprocess
import sys
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, NamedTuple, cast
from urllib.parse import quote

HASH = 32
EMPTY_ROOT = hashlib.sha256().digest()
ED25519, COSIGNATURE = 1, 4
LEAF_HEADER = "watchword.event/1"
PROOF_HEADER = "c2sp.org/tlog-proof@v1"
_NAME = re.compile(r"[^\s+]+")
_NUMBER = re.compile(r"0|[1-9][0-9]{0,18}")
_ORIGIN_NUMBER = re.compile(r"[1-9][0-9]{0,8}")
_LEAF = re.compile(
    LEAF_HEADER + r"\n([1-9]\d{0,18}) (\S+) ([1-9]\d{0,18}) (\S+)\n(\S+) (\S+) (\S+)\n", re.ASCII
)
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII)
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f]")
_MOST_SIGNATURES = 100
_MOST_TEXT = 1 << 24
_PART = 1 << 18
_MOST_PROCESSES = 4
_MOST_FINDINGS = 1_000
# The end of the year 9999, behind which there are no dates.
_LAST_TIME = 253_402_300_799
_RESTORED, _PRUNED = "StoreRestored/", "EventsPruned/"
_DECODER = json.JSONDecoder()
# What JSON of depth and numbers without a bound raises, beside `ValueError`.
_TOO_MUCH = RecursionError, OverflowError

# The number of the origin that begins with a restore, and the size up to which older heads stay valid.
Restore = tuple[int, int]


class EvidenceError(ValueError):
    """A piece of evidence that does not hold; the text says why."""


def digest(line: bytes) -> str:
    """Return the digest of a stored line as a leaf has it."""
    return base64.b64encode(hashlib.sha256(line).digest()).decode() if line else "-"


def leaf_text(position: int, stream: str, version: int, topic: str, *digests: str) -> bytes:
    """Return the text of a leaf; the digests are those of the open, the sealed and the secret line."""
    opened, sealed, secret = digests
    return f"{LEAF_HEADER}\n{position} {stream} {version} {topic}\n{opened} {sealed} {secret}\n".encode()


def leaf_hash(text: bytes) -> bytes:
    """Return the hash of a leaf (RFC 6962, 2.1)."""
    return hashlib.sha256(b"\0" + text).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of a node (RFC 6962, 2.1)."""
    return hashlib.sha256(b"\1" + left + right).digest()


def check_inclusion(
    index: int, size: int, leaf: bytes, root: bytes, proof: Sequence[bytes]
) -> None:
    """Check that a leaf hash is in a tree (RFC 9162, 2.1.3.2); raises `EvidenceError`."""
    if not 0 <= index < size:
        raise EvidenceError(f"A tree of {size} leaves has no leaf {index}.")
    here, last, found = index, size - 1, leaf
    for each in proof:
        if not last:
            raise EvidenceError("The inclusion proof is too long.")
        if here & 1 or here == last:
            found = node_hash(each, found)
            while here and not here & 1:
                here, last = here >> 1, last >> 1
        else:
            found = node_hash(found, each)
        here, last = here >> 1, last >> 1
    if last or found != root:
        raise EvidenceError("The inclusion proof does not lead to the root of the head.")


def check_consistency(
    old: int, size: int, old_root: bytes, root: bytes, proof: Sequence[bytes]
) -> None:
    """Check that a tree begins with an older one (RFC 9162, 2.1.4.2); raises `EvidenceError`."""
    if not 0 <= old <= size:
        raise EvidenceError(f"A tree of {size} leaves does not extend one of {old}.")
    if old in (0, size):
        if proof or old_root != (root if old else EMPTY_ROOT):
            raise EvidenceError("The two heads disagree.")
        return
    here, last = old - 1, size - 1
    while here & 1:
        here, last = here >> 1, last >> 1
    # An old tree that is a full subtree of the new one is where the proof begins.
    first, *rest = (proof if here else [old_root, *proof]) or [b""]
    was, now = first, first
    for each in rest:
        if not last:
            raise EvidenceError("The consistency proof is too long.")
        if here & 1 or here == last:
            was, now = node_hash(each, was), node_hash(each, now)
            while here and not here & 1:
                here, last = here >> 1, last >> 1
        else:
            now = node_hash(now, each)
        here, last = here >> 1, last >> 1
    if last or was != old_root or now != root:
        raise EvidenceError("The newer head does not extend the older one.")


class Frontier:
    """The roots of the full subtrees, from the left, that make up all leaves so far (RFC 6962, 2.1)."""

    def __init__(self, subtrees: Iterable[tuple[int, bytes]] = ()) -> None:
        self._subtrees = list(subtrees)

    def add(self, node: bytes, height: int = 0) -> None:
        """Add the root of a full subtree of this height, at most as high as the last one."""
        while self._subtrees and self._subtrees[-1][0] == height:
            node, height = node_hash(self._subtrees.pop()[1], node), height + 1
        self._subtrees.append((height, node))

    def copy(self) -> Frontier:
        """Return another frontier over the same leaves."""
        return Frontier(self._subtrees)

    def root(self, further: Iterable[bytes] = ()) -> bytes:
        """Return the root of the leaves so far, and of `further` leaves behind them."""
        whole = self.copy()
        for leaf in further:
            whole.add(leaf)
        root = whole._subtrees.pop()[1] if whole._subtrees else EMPTY_ROOT
        for _, node in reversed(whole._subtrees):
            root = node_hash(node, root)
        return root


class Verifier(NamedTuple):
    """A public key that verifies notes: of a log (`ED25519`), or of a clock or witness (`COSIGNATURE`)."""

    name: str
    kind: int
    public: bytes

    @classmethod
    def parse(cls, vkey: str) -> Verifier:
        """Return the key of a line `<name>+<hash>+<base64>`; raises `EvidenceError`."""
        name, _, rest = vkey.partition("+")
        raw = decoded(rest.partition("+")[2])
        found = cls(name, raw[0] if raw else 0, raw[1:])
        if (
            not _NAME.fullmatch(name)
            or found.kind not in (ED25519, COSIGNATURE)
            or len(raw) != 1 + HASH
        ):
            raise EvidenceError("A verifier key is <name>+<hash>+<base64> with an Ed25519 key.")
        if found.vkey != vkey:
            raise EvidenceError(f"The hash in the verifier key of {name} is not that of its key.")
        return found

    @property
    def key_id(self) -> bytes:
        """Return the four bytes by which signatures name this key."""
        named = b"%s\n%c" % (self.name.encode(), self.kind)
        return hashlib.sha256(named + self.public).digest()[:4]

    @property
    def vkey(self) -> str:
        """Return the key as a line."""
        key = base64.b64encode(bytes([self.kind]) + self.public).decode()
        return f"{self.name}+{self.key_id.hex()}+{key}"


class Signature(NamedTuple):
    """A verified signature of a note; `at` is in seconds since 1970, if a cosignature says it."""

    by: Verifier
    at: int | None


def signature_line(by: Verifier, signature: bytes) -> str:
    """Return the line of a signature: of 64 bytes, or after 8 bytes with the time of a cosignature."""
    return f"— {by.name} {base64.b64encode(by.key_id + signature).decode()}\n"


def cosigned_text(text: str, at: int) -> bytes:
    """Return what a cosignature of a checkpoint signs."""
    return f"cosignature/v1\ntime {at}\n{text}".encode()


def open_note(note: str, verifiers: Iterable[Verifier]) -> tuple[str, list[Signature]]:
    """
    Return the text of a signed note, and the signatures on it by keys that are known.

    Raises `EvidenceError` if there is none, or if a known key's signature is wrong.
    """
    text, blank, lines = note.rpartition("\n\n")
    text += "\n"
    if not blank or not lines.endswith("\n") or _CONTROL.search(note) or len(note) > _MOST_TEXT:
        raise EvidenceError("This is no signed note.")
    known = {(each.name, each.key_id): each for each in verifiers}
    signed: dict[Verifier, Signature] = {}
    for line in lines[:-1].split("\n")[:_MOST_SIGNATURES]:
        mark, name, signature = [*line.split(" "), "", ""][:3]
        raw = decoded(signature)
        if line != f"{mark} {name} {signature}" or mark != "—" or not _NAME.fullmatch(name):
            raise EvidenceError("A signature line is not in the form of a signed note.")
        by = known.get((name, raw[:4]))
        if by is not None and by not in signed:
            signed[by] = _verified(by, text, raw[4:])
    if not signed:
        raise EvidenceError("No key that is known signed this note.")
    return text, [*signed.values()]


def _verified(by: Verifier, text: str, signature: bytes) -> Signature:
    # Here, because the processes that read parts of an export would have it in memory for nothing.
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415  see above
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (  # noqa: PLC0415  see above
        Ed25519PublicKey,
    )

    at, message = None, text.encode()
    if by.kind == COSIGNATURE:
        at, signature = int.from_bytes(signature[:8], "big"), signature[8:]
        message = cosigned_text(text, at)
    try:
        Ed25519PublicKey.from_public_bytes(by.public).verify(signature, message)
    except (InvalidSignature, ValueError):
        raise EvidenceError(f"The signature of {by.name} is wrong.") from None
    if at is not None and at > _LAST_TIME:
        raise EvidenceError(f"The time of the cosignature of {by.name} is no date.")
    return Signature(by, at)


class Checkpoint(NamedTuple):
    """The head of a log: its size and root. `at` is when the log's clock signed it, if it did."""

    origin: str
    size: int
    root: bytes
    at: int | None = None

    @classmethod
    def parse(cls, text: str) -> Checkpoint:
        """Return the head that the text of a note is; raises `EvidenceError`."""
        *lines, end = text.split("\n")
        if end or len(lines) < 3 or not all(lines):
            raise EvidenceError("This note is no checkpoint of a log.")
        return cls(lines[0], number(lines[1]), hash_of(lines[2]))

    @property
    def text(self) -> str:
        """Return the text that keys sign."""
        return f"{self.origin}\n{self.size}\n{base64.b64encode(self.root).decode()}\n"


def name_and_number(origin: str) -> tuple[str, int | None]:
    """Return the name of the log in an origin, and its number; None for an origin that ends in none."""
    name, _, number = origin.rpartition("/")
    return (name, int(number)) if name and _ORIGIN_NUMBER.fullmatch(number) else (origin, None)


def open_checkpoint(note: str, verifiers: Iterable[Verifier]) -> Checkpoint:
    """
    Return the head in a signed note.

    Raises `EvidenceError` unless a key of the log signed it: one that has the name of the origin, with or
    without the number at the end. Of several times of the log's clock keys, `at` is the earliest.
    """
    text, signed = open_note(note, verifiers)
    head = Checkpoint.parse(text)
    names = {head.origin, name_and_number(head.origin)[0]}
    own = [each for each in signed if each.by.name in names]
    if all(each.by.kind != ED25519 for each in own):
        raise EvidenceError(f"No key that is known is a key of the log {head.origin}.")
    return head._replace(at=min((each.at for each in own if each.at is not None), default=None))


@dataclass(frozen=True)
class Proof:
    """A file of tlog-proof: that a leaf is in the tree of a signed head."""

    index: int
    hashes: tuple[bytes, ...]
    note: str
    extra: bytes = b""

    @classmethod
    def parse(cls, text: str) -> Proof:
        """Return the proof in a file; raises `EvidenceError`."""
        proof, blank, note = text.partition("\n\n")
        header, *lines = proof.split("\n")
        extra = decoded(lines.pop(0)[6:]) if lines and lines[0].startswith("extra ") else b""
        if header != PROOF_HEADER or not blank or not lines or not lines[0].startswith("index "):
            raise EvidenceError(f"This is no proof in the form of {PROOF_HEADER}.")
        return cls(number(lines[0][6:]), tuple(map(hash_of, lines[1:])), note, extra)

    @property
    def text(self) -> str:
        """Return the proof as a file."""
        extra = [f"extra {base64.b64encode(self.extra).decode()}"] if self.extra else []
        hashes = (base64.b64encode(each).decode() for each in self.hashes)
        return "\n".join([PROOF_HEADER, *extra, f"index {self.index}", *hashes, "", self.note])


def decoded(text: str) -> bytes:
    """Return what is encoded in base64, in its one form; raises `EvidenceError`."""
    try:
        raw = base64.b64decode(text, validate=True)
    except ValueError:
        raise EvidenceError("This is no base64.") from None
    if base64.b64encode(raw).decode() != text:
        raise EvidenceError("This is base64 with stray bits at its end.")
    return raw


def hash_of(text: str) -> bytes:
    """Return the hash in base64; raises `EvidenceError`."""
    raw = decoded(text)
    if len(raw) != HASH:
        raise EvidenceError("A hash has 32 bytes.")
    return raw


def number(text: str) -> int:
    """Return a number that is written in its one form; raises `EvidenceError`."""
    if not _NUMBER.fullmatch(text):
        raise EvidenceError("This is no number.")
    return int(text)


class Leaf(NamedTuple):
    """An event as its leaf has it: its place, its topic, and the digests of its three lines."""

    position: int
    stream: str
    version: int
    topic: str
    open: str
    sealed: str
    secret: str

    @classmethod
    def parse(cls, text: str) -> Leaf:
        """Return the leaf that is a text; raises `EvidenceError`."""
        found = _LEAF.fullmatch(text)
        if not found:
            raise EvidenceError(f"This is no leaf in the form of {LEAF_HEADER}.")
        position, stream, version, *others = found.groups()
        return cls(int(position), stream, int(version), *others)


class Proven(NamedTuple):
    """An event that a proof shows to be in the log of a head, with the lines of it that are disclosed."""

    leaf: Leaf
    head: Checkpoint
    open: str | None
    personal: str | None


def check_proof(text: str, verifiers: Iterable[Verifier]) -> Proven:
    """Return what a proof file shows; raises `EvidenceError` unless all of it holds."""
    proof = Proof.parse(text)
    head = open_checkpoint(proof.note, verifiers)
    extra = _extra(proof.extra)
    leaf = Leaf.parse(extra.get("leaf", ""))
    if leaf.position != proof.index + 1:
        at = proof.index + 1
        raise EvidenceError(
            f"The hashes are for position {at}, and the leaf is of {leaf.position}."
        )
    check_inclusion(
        proof.index, head.size, leaf_hash(extra["leaf"].encode()), head.root, proof.hashes
    )
    for name, kept in (("open", leaf.open), ("sealed", leaf.sealed), ("secret", leaf.secret)):
        if name in extra and digest(extra[name].encode()) != kept:
            raise EvidenceError(f"The {name} line is not the one that the leaf has.")
    return Proven(leaf, head, extra.get("open"), _personal(extra) if "eventKey" in extra else None)


def _extra(raw: bytes) -> dict[str, str]:
    try:
        extra = json.loads(raw)
    except (ValueError, RecursionError):
        raise EvidenceError("The extra data of the proof are no JSON.") from None
    names = {"leaf", "open", "sealed", "secret", "eventKey"}
    if not isinstance(extra, dict) or not all(
        name in names and isinstance(value, str) for name, value in extra.items()
    ):
        raise EvidenceError("The extra data of the proof have an unknown member.")
    return extra


def _personal(extra: Mapping[str, str]) -> str:
    """Return what the event's key opens of its sealed line."""
    from cryptography.exceptions import InvalidTag  # noqa: PLC0415  as for signatures
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415  likewise

    try:
        (text,) = [each for each in extra["sealed"].split(" ") if ":" not in each]
        raw, name = decoded(text), json.loads(extra["open"])["id"].encode()
        both = hashlib.blake2b(b"watchword/sealed", key=bytes.fromhex(extra["eventKey"])).digest()
        if hmac.compare_digest(both[:HASH], raw[:HASH]):
            return AESGCM(both[HASH:]).decrypt(raw[HASH:44], raw[44:], name).decode()
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError, InvalidTag):
        pass
    raise EvidenceError("The key of the event does not open its sealed line.")


class Finding(NamedTuple):
    """Something that is wrong, at a position or, with `to`, at a range of them."""

    position: int | None
    kind: str
    detail: str
    to: int | None = None


class Report(NamedTuple):
    """What a check covered and found; `summary` says it in sentences."""

    covered: Checkpoint | None
    findings: Sequence[Finding]
    summary: Sequence[str]
    proven: Sequence[Proven] = ()

    @property
    def lines(self) -> list[str]:
        """Return the report as lines for people."""
        lines = [*self.summary]
        if self.covered is not None:
            origin, size, _, at = self.covered
            time = "no signed time" if at is None else datetime.fromtimestamp(at, UTC).isoformat()
            lines.append(f"Head: {origin}, size {size}, of {time}.")
        for position, kind, detail, to in self.findings:
            where = "" if position is None else f" at {position}"
            where += "" if to in (None, position) else f" to {to}"
            # The name of a file can have anything in it.
            shown = "".join(each if each.isprintable() else "?" for each in detail)
            lines.append(f"Finding: {kind}{where}: {shown}")
        number = len(self.findings)
        ending = f"{number} finding{'s' * (number > 1)}." if number else "All of it holds."
        return [*lines, ending]

    @property
    def plain(self) -> dict[str, Any]:
        """Return the report as plain data."""
        head = self.covered
        root = {} if head is None else {"root": base64.b64encode(head.root).decode()}
        return {
            "covered": head and {"origin": head.origin, "size": head.size, **root},
            "findings": [
                {name: value for name, value in each._asdict().items() if value is not None}
                for each in self.findings
            ],
        }


def check_folder(folder: Path, verifiers: Sequence[Verifier]) -> Report:
    """Check every proof in a folder, and that no version of a stream is missing before its last one."""
    proven: dict[str, Proven] = {}
    restores: list[Restore] = []
    findings: list[Finding] = []
    for path in sorted(each for each in folder.iterdir() if each.suffix == ".tlog-proof"):
        text = ""
        try:
            text = _text(path)
            each = check_proof(text, verifiers)
            if each.open and each.leaf.topic.startswith(_RESTORED):
                restores.append(_restore(json.loads(each.open)["data"]))
            proven[path.stem] = each
        except (ValueError, LookupError, OSError) as error:
            claimed = re.search(r"\nindex (\d{1,18})\n", text)
            position = int(claimed[1]) + 1 if claimed else None
            findings.append(Finding(position, "proof", f"{path.name}: {error}"))
    if not proven and not findings:
        detail = "The folder has no file whose name ends in .tlog-proof."
        findings.append(Finding(None, "empty", detail))
    for name, each in proven.items():
        if name != f"{quote(each.leaf.stream, safe='')}-{each.leaf.version}":
            detail = f"{name}.tlog-proof proves version {each.leaf.version} of {each.leaf.stream}."
            findings.append(Finding(each.leaf.position, "name", detail))
    in_order = sorted(proven.values(), key=lambda each: (each.leaf.stream, each.leaf.version))
    findings += _gaps(in_order)
    findings += _disagreements([each.head for each in in_order], restores)
    newest = max((each.head for each in in_order), key=lambda head: head.size, default=None)
    return Report(newest, findings, [_told(each) for each in in_order], in_order)


def _gaps(proven: Iterable[Proven]) -> Iterator[Finding]:
    """Yield the versions that are missing or stand in the wrong order, stream by stream."""
    stream, version, position = "", 0, 0
    for leaf in (each.leaf for each in proven):
        if leaf.stream != stream:
            stream, version, position = leaf.stream, 0, 0
        if leaf.version > version + 1:
            missing = (
                f"{version + 1}"
                if leaf.version == version + 2
                else f"{version + 1} to {leaf.version - 1}"
            )
            yield Finding(
                leaf.position, "gap", f"{stream}: version {missing} is missing before this one."
            )
        elif leaf.version <= version or leaf.position <= position:
            yield Finding(
                leaf.position, "order", f"{stream}: version {leaf.version} is in the wrong place."
            )
        version, position = leaf.version, leaf.position


def _restore(data: Mapping[str, Any]) -> Restore:
    try:
        return int(data["number"]), int(data["kept_size"])
    except (LookupError, TypeError, ValueError, OverflowError):
        raise EvidenceError("A restore does not say what it kept.") from None


def _disagreements(heads: Iterable[Checkpoint], restores: Sequence[Restore]) -> Iterator[Finding]:
    """Yield heads of one size with different roots, and heads that a restore declared lost."""
    roots: dict[tuple[str, int], bytes] = {}
    for head in sorted(set(heads), key=lambda head: (head.origin, head.size, head.root)):
        named = f"of {head.origin} with size {head.size}"
        if roots.setdefault(head[:2], head.root) != head.root:
            yield Finding(1, "fork", f"Two heads {named} have different roots.", head.size)
        _, of = name_and_number(head.origin)
        later = [] if of is None else [size for number, size in restores if of < number]
        kept = min(later, default=head.size)
        if kept < head.size:
            detail = f"A restore declared the head {named} lost, but for its first {kept} events."
            yield Finding(kept + 1, "lost", detail, head.size)


def _told(proven: Proven) -> str:
    leaf = proven.leaf
    lines = [proven.open or "(the open line is withheld)", *filter(None, [proven.personal])]
    return "\n".join(
        [f"{leaf.stream} {leaf.version} at position {leaf.position}: {leaf.topic}", *lines]
    )


def check_export(path: Path, note: str, verifiers: Iterable[Verifier]) -> Report:
    """Check that an export is what a signed head covers; raises `EvidenceError` for a bad head."""
    head = open_checkpoint(note, verifiers)
    export = _Export()
    for part in _parts(path, head.size):
        export.take(part)
    findings, found = export.end(head)
    summary = [
        f"{export.size} events stand in {path.name}; {export.dropped} of them were dropped.",
        "What a line shows beside its open line, such as a destination, is not proven.",
    ]
    if export.size > head.size:
        summary.append(
            f"{export.size - head.size} of them are newer than the head, which does not cover them."
        )
    if found > len(findings):
        summary.append(f"Only the first {len(findings)} findings are listed; there are more.")
    return Report(head, findings, summary)


class _Export:
    """What the parts of an export, in order, add up to."""

    def __init__(self) -> None:
        self.size = self.dropped = 0
        self._tree = Frontier()
        self._is_whole = True
        self._findings: list[Finding] = []
        self._found = 0
        self._dropped_ranges: list[list[int]] = []
        self._pruned: list[list[int]] = []
        self._restores: list[Restore] = []

    def take(self, part: Mapping[str, Any]) -> None:
        """Take the next part."""
        for position, kind, detail, to in part["findings"]:
            self._find(position or self.size + 1, kind, detail, to)
        for first, count, subtrees in part["runs"]:
            self._place(first, self.size + 1)
            self.size = first + count - 1
            for height, node in subtrees:
                self._tree.add(base64.b64decode(node), height)
        self.dropped += len(part["dropped"])
        for each in part["dropped"]:
            _join(self._dropped_ranges, each, each)
        self._pruned += part["pruned"]
        self._restores += part["restores"]

    def _place(self, first: int, expected: int) -> None:
        if first == expected:
            return
        self._is_whole = False
        if first > expected:
            self._find(expected, "gap", "This is missing.", first - 1)
        else:
            self._find(first, "order", f"It stands behind {expected - 1}.")

    def _find(self, position: int, kind: str, detail: str, to: int | None = None) -> None:
        self._found += 1
        if len(self._findings) < _MOST_FINDINGS:
            self._findings.append(Finding(position, kind, detail, to))

    def end(self, head: Checkpoint) -> tuple[list[Finding], int]:
        """Return the first findings, and the number of all, once the export is at its end."""
        if self.size < head.size:
            detail = f"The export ends at position {self.size}, and the head covers more."
            self._find(self.size + 1, "cut", detail, head.size)
        elif self._is_whole and self._tree.root() != head.root:
            detail = "These events are not those that the head covers."
            self._find(1, "root", detail, head.size)
        pruned: list[list[int]] = []
        for first, last in sorted(self._pruned):
            _join(pruned, first, last)
        for low, high in self._dropped_ranges:
            at = bisect_right(pruned, [low + 1]) - 1
            if at < 0 or pruned[at][1] < high:
                detail = (
                    "Nothing but a hash is left of it, and no event that the head covers says why."
                )
                self._find(low, "withheld", detail, high)
        lost = [*_disagreements([head], self._restores)]
        return [*self._findings, *lost], self._found + len(lost)


def _join(ranges: list[list[int]], first: int, last: int) -> None:
    """Add a range that begins behind the first position of the last one."""
    if ranges and ranges[-1][0] <= first <= ranges[-1][1] + 1:
        ranges[-1][1] = max(last, ranges[-1][1])
    else:
        ranges.append([first, last])


def _parts(path: Path, covered: int) -> Iterator[dict[str, Any]]:
    """Yield the parts of an export in order; several processes read a long one side by side."""
    parts = -(-path.stat().st_size // _PART)
    if parts <= _MOST_PROCESSES:
        yield from (_part(path, number, covered) for number in range(parts))
        return
    step = min(os.cpu_count() or 1, _MOST_PROCESSES)
    with ExitStack() as stack:
        workers = []
        for first in range(step):
            command = [sys.executable, "-I", __file__, "--part", str(path), str(covered)]
            command += map(str, (first, parts, step))
            worker = subprocess.Popen(command, stdout=subprocess.PIPE)  # noqa: S603  this very file
            stack.enter_context(worker)
            # One that is not read to its end would wait for ever.
            stack.callback(worker.kill)
            workers.append(cast(IO[bytes], worker.stdout))
        for number in range(parts):
            answer = workers[number % step].readline()
            if not answer:
                raise EvidenceError("A process that reads the export has ended.")
            yield json.loads(answer)


def _part(path: Path, number: int, covered: int) -> dict[str, Any]:
    """Return what the lines that begin in a part of an export amount to, as plain data."""
    reader = _PartReader(covered)
    for line in _lines(path, number):
        reader.take(line)
    return reader.plain()


def _full_subtrees(low: int, hashes: list[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield height and root of the largest full subtrees of a tree that have these leaves, in order."""
    done = 0
    while done < len(hashes):
        height = (len(hashes) - done).bit_length() - 1
        if low + done:
            height = min(height, (low + done & -(low + done)).bit_length() - 1)
        nodes = hashes[done : done + (1 << height)]
        while len(nodes) > 1:
            nodes = [
                node_hash(left, right) for left, right in zip(nodes[::2], nodes[1::2], strict=True)
            ]
        yield height, nodes[0]
        done += 1 << height


def _lines(path: Path, number: int) -> list[bytes]:
    """Return the lines that begin in a part of a file."""
    start, end = number * _PART, (number + 1) * _PART
    with path.open("rb") as file:
        if number:
            # A line that begins before belongs to the part before.
            file.seek(start - 1)
            skipped = file.readline(_MOST_TEXT)
            start += len(skipped) - 1
            if not skipped.endswith(b"\n"):
                return []
        lines = file.read(max(0, end - start)).split(b"\n")
        if lines[-1]:
            lines[-1] += file.readline(_MOST_TEXT)
    return lines if lines[-1] else lines[:-1]


class _PartReader:
    """The events of a part of an export, line by line."""

    def __init__(self, covered: int) -> None:
        self._covered = covered
        # The first position of events without a gap, and the hashes of their leaves.
        self._runs: list[tuple[int, list[bytes]]] = []
        self._dropped: list[int] = []
        self._pruned: list[tuple[int, int]] = []
        self._restores: list[Restore] = []
        self._findings: list[Finding] = []
        self._next = 0

    def take(self, line: bytes) -> None:
        """Take the next line."""
        try:
            shown = _json(line.decode().rstrip(), _SHOWN)
            position, evidence = shown["position"], shown["evidence"]
            if type(position) is not int or position < 1:
                raise ValueError("a position is a number from 1")
            if "leaf" in evidence:
                leaf = self._leaf(position, shown, evidence)
            else:
                leaf = self._event(position, shown, evidence)
        except (ValueError, LookupError, TypeError, AttributeError, *_TOO_MUCH):
            detail = "This line is no event with its evidence."
            self._findings.append(Finding(self._next or None, "form", detail))
            return
        if position != self._next:
            self._runs.append((position, []))
        self._runs[-1][1].append(leaf)
        self._next = position + 1

    def plain(self) -> dict[str, Any]:
        """Return what the lines amount to, as plain data; no subtree has leaves behind the head."""
        runs = []
        for first, leaves in self._runs:
            inside = leaves[: max(0, self._covered + 1 - first)]
            subtrees = [
                (height, base64.b64encode(node).decode())
                for height, node in _full_subtrees(first - 1, inside)
            ]
            runs.append((first, len(leaves), subtrees))
        return {
            "runs": runs,
            "dropped": self._dropped,
            "pruned": self._pruned,
            "restores": self._restores,
            "findings": self._findings[:_MOST_FINDINGS],
        }

    def _leaf(self, position: int, shown: Mapping[str, Any], evidence: Mapping[str, str]) -> bytes:
        if len(shown) > 2 or len(evidence) > 1:
            raise ValueError("something is shown that no leaf proves")
        leaf = hash_of(evidence["leaf"])
        self._dropped.append(position)
        return leaf

    def _event(self, position: int, shown: Mapping[str, Any], evidence: Mapping[str, str]) -> bytes:
        opened, topic, version = evidence["open"], evidence["topic"], shown["version"]
        if type(version) is not int:
            raise ValueError("a version is a number")
        kept = _json(opened)
        digests = digest(opened.encode()), evidence["sealed"], evidence["secret"]
        text = leaf_text(position, shown["streamId"], version, topic, *digests)
        if differing := _difference(shown, kept, topic):
            detail = f"{differing} is not as in the open line."
            self._findings.append(Finding(position, "shown", detail))
        if topic.startswith(_RESTORED):
            self._restores.append(_restore(kept["data"]))
        elif topic.startswith(_PRUNED) and kept["data"]["what"] == "stream":
            ranges = [(int(each["first"]), int(each["last"])) for each in kept["data"]["ranges"]]
            # Anybody can write an event behind the head, and retention names what was before its own.
            if position <= self._covered:
                self._pruned += [each for each in ranges if each[1] < position]
        return leaf_hash(text)


def _once(members: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the members of an object; of one that has a name twice, other readers may see the other."""
    found = dict(members)
    if len(found) != len(members):
        raise ValueError("a name stands twice")
    return found


_SHOWN = json.JSONDecoder(object_pairs_hook=_once)


def _json(text: str, decoder: json.JSONDecoder = _DECODER) -> Any:
    """Return what a text is, in JSON without blanks around it, as the service writes it."""
    value, end = decoder.raw_decode(text)
    if end != len(text):
        raise ValueError("something stands behind the value")
    return value


def _difference(shown: Mapping[str, Any], kept: Mapping[str, Any], topic: str) -> str | None:
    """Return the first member that an event shows differently from its open line."""
    if f"{shown['type']}/{shown['schema']}" != topic:
        return "type"
    there = shown["eventId"], shown["actor"], shown["requestId"], shown.get("person")
    if there != (kept["id"], kept["actor"], kept["request"], kept.get("person")):
        return "the envelope"
    if shown["occurredAt"] != f"{kept['at'][:23]}Z" and not _shows(shown["occurredAt"], kept["at"]):
        return "occurredAt"
    return _differing(shown["data"], kept["data"])


def _differing(shown: Mapping[str, Any], kept: Mapping[str, Any]) -> str | None:
    for name, value in kept.items():
        spelled = _spelled[name]
        if spelled != name and name in shown and spelled in shown and spelled not in kept:
            # One of the two is not what was kept.
            return name
        # Few members are shown in another form, so this line alone settles most of them.
        if shown.get(spelled) != value:
            told = shown[name] if name in shown else shown.get(spelled)
            if not _shows(told, value):
                return name
    return None


class _Spelled(dict[str, str]):
    """The spellings of members that the routes use: `template_id` is `templateId`."""

    def __missing__(self, name: str) -> str:
        first, *others = name.split("_")
        spelled = self[name] = first + "".join(each.capitalize() for each in others)
        return spelled


_spelled = _Spelled()


def _shows(shown: Any, kept: Any) -> bool:
    """Return whether a value is shown as it is kept: times in milliseconds, absent members as null."""
    if isinstance(kept, dict) and isinstance(shown, dict):
        return _differing(shown, kept) is None
    if isinstance(kept, list) and isinstance(shown, list):
        return len(kept) == len(shown) and all(map(_shows, shown, kept))
    if shown != kept and isinstance(kept, str) and isinstance(shown, str) and kept.endswith("Z"):
        whole, _, fraction = kept[:-1].partition(".")
        return shown == f"{whole}.{(fraction + '000')[:3]}Z" and bool(_TIME.fullmatch(shown))
    return bool(shown == kept)


def _text(path: Path) -> str:
    """Return the text of a small file, with its newlines as they are; raises `EvidenceError`."""
    with path.open("rb") as file:
        raw = file.read(_MOST_TEXT + 1)
    try:
        if len(raw) <= _MOST_TEXT:
            return raw.decode()
    except UnicodeDecodeError:
        pass
    raise EvidenceError(f"{path.name} is no text, or too long.")


def _vkeys(given: str) -> list[str]:
    """Return the verifier keys in an argument, which has them itself or names a file."""
    # A verifier key has two of these.
    if given.count("+") > 1 or not (file := Path(given)).exists():
        return given.split()
    return _text(file).split()


def main(arguments: Sequence[str]) -> int:
    """Check a folder of proofs, or an export; return 0 if there is no finding, else 1."""
    if arguments[:1] == ["--part"]:
        gc.disable()
        path, covered, *numbers = arguments[1:]
        for number in range(*map(int, numbers)):
            print(json.dumps(_part(Path(path), number, int(covered))), flush=True)  # noqa: T201  for the first process
        return 0
    parser = argparse.ArgumentParser(description="Check the evidence of a Watchword log.")
    parser.add_argument("folder", nargs="?", type=Path, metavar="DIR", help="a folder of proofs")
    parser.add_argument("--export", type=Path, metavar="FILE", help="an export with evidence")
    parser.add_argument("--head", type=Path, metavar="FILE", help="the signed head for the export")
    parser.add_argument(
        "--key",
        action="append",
        required=True,
        metavar="VKEY",
        help="a key to trust, or a file with a key in each line",
    )
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")
    given = parser.parse_args(arguments)
    if (given.folder is None) == (given.export is None) or bool(given.export) != bool(given.head):
        parser.error("name a folder of proofs, or an export and a head")
    try:
        verifiers = [Verifier.parse(each) for key in given.key for each in _vkeys(key)]
        if given.folder:
            report = check_folder(given.folder, verifiers)
        else:
            report = check_export(given.export, _text(given.head), verifiers)
    except (EvidenceError, OSError) as error:
        report = Report(None, [Finding(None, "unreadable", str(error))], [])
    print(json.dumps(report.plain) if given.json else "\n".join(report.lines))  # noqa: T201  what it is for
    return 1 if report.findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
