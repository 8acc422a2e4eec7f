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

import base64
import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

HASH = 32
EMPTY_ROOT = hashlib.sha256().digest()
ED25519, COSIGNATURE = 1, 4
LEAF_HEADER = "watchword.event/1"
PROOF_HEADER = "c2sp.org/tlog-proof@v1"
_NAME = re.compile(r"[^\s+]+")
_NUMBER = re.compile(r"0|[1-9][0-9]{0,18}")
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f]")
_MOST_SIGNATURES = 100
_MOST_TEXT = 1 << 24


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
    at, message = None, text.encode()
    if by.kind == COSIGNATURE:
        at, signature = int.from_bytes(signature[:8], "big"), signature[8:]
        message = cosigned_text(text, at)
    try:
        Ed25519PublicKey.from_public_bytes(by.public).verify(signature, message)
    except (InvalidSignature, ValueError):
        raise EvidenceError(f"The signature of {by.name} is wrong.") from None
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


def open_checkpoint(note: str, verifiers: Iterable[Verifier]) -> Checkpoint:
    """
    Return the head in a signed note.

    Raises `EvidenceError` unless a key of the log signed it: one that has the name of the origin, with or
    without the number at the end. Of several times of the log's clock keys, `at` is the earliest.
    """
    text, signed = open_note(note, verifiers)
    head = Checkpoint.parse(text)
    name, _, restored = head.origin.rpartition("/")
    names = {head.origin, name if _NUMBER.fullmatch(restored) else head.origin}
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
