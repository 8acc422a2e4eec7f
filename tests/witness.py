"""A small witness (C2SP tlog-witness) on loopback, written after the specification alone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from aiohttp import web
from attrs import define, field
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from watchword.verify_evidence import (
    COSIGNATURE,
    EMPTY_ROOT,
    Checkpoint,
    EvidenceError,
    Verifier,
    check_consistency,
    cosigned_text,
    hash_of,
    number,
    open_note,
    signature_line,
)


@define
class SmallWitness:
    """
    Keeps the newest head of each origin that it signed, and signs a head that extends it.

    `logs` are the verifier keys of the logs that it knows, by origin. `answers` are given instead of its
    own, one to each call; `asked` are the sizes that callers believed it to have.
    """

    name: str = "oak.example/witness"
    logs: dict[str, Sequence[Verifier]] = field(factory=dict)
    heads: dict[str, tuple[int, bytes]] = field(factory=dict)
    answers: list[tuple[int, bytes]] = field(factory=list)
    asked: list[int] = field(factory=list)
    url: str = ""
    clock: int = 1_935_000_000
    _key: Ed25519PrivateKey = field(factory=Ed25519PrivateKey.generate, repr=False)

    @property
    def verifier(self) -> Verifier:
        """The key of its cosignatures."""
        public = self._key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        return Verifier(self.name, COSIGNATURE, public)

    @property
    def setting(self) -> str:
        """The witness as `--witness` takes it."""
        return f"{self.url},{self.verifier.vkey}"

    async def handle(self, request: web.BaseRequest) -> web.Response:
        """Answer a call."""
        body = await request.read()
        if (request.method, request.path) != ("POST", "/one/add-checkpoint"):
            return web.Response(status=405)
        status, text = self.judged(body.decode())
        if self.answers:
            status, text = self.answers.pop(0)
        kind = "text/x.tlog.size" if status == 409 else "text/plain"
        return web.Response(status=status, body=text, content_type=kind)

    def judged(self, body: str) -> tuple[int, bytes]:
        """Return status and body of an answer, in the order in which the specification checks."""
        lines, blank, note = body.partition("\n\n")
        first, *hashes = lines.split("\n")
        try:
            old = number(first.removeprefix("old "))
            proof = [hash_of(each) for each in hashes]
            head = Checkpoint.parse(note.rpartition("\n\n")[0] + "\n")
        except EvidenceError:
            return 400, b"malformed\n"
        self.asked.append(old)
        if not first.startswith("old ") or not blank or len(proof) > 63 or old > head.size:
            return 400, b"malformed\n"
        if head.origin not in self.logs:
            return 404, b"unknown origin\n"
        try:
            open_note(note, self.logs[head.origin])
        except EvidenceError:
            return 403, b"no signature of the log\n"
        size, root = self.heads.get(head.origin, (0, EMPTY_ROOT))
        if old != size or (size == head.size and root != head.root):
            return 409, f"{size}\n".encode()
        try:
            check_consistency(size, head.size, root, head.root, proof)
        except EvidenceError:
            return 422, b"the head does not extend the one that was signed\n"
        self.heads[head.origin] = head.size, head.root
        return 200, self.signed(head).encode()

    def signed(self, head: Checkpoint) -> str:
        """Return the line of a cosignature."""
        self.clock += 1
        signature = self._key.sign(cosigned_text(head.text, self.clock))
        return signature_line(self.verifier, self.clock.to_bytes(8, "big") + signature)


@asynccontextmanager
async def witness(name: str = "oak.example/witness") -> AsyncIterator[SmallWitness]:
    """Run a witness for a block."""
    running = SmallWitness(name)
    server = web.Server(running.handle)
    started = await asyncio.get_running_loop().create_server(server, "127.0.0.1", 0)
    running.url = f"http://127.0.0.1:{started.sockets[0].getsockname()[1]}/one"
    try:
        yield running
    finally:
        started.close()
        await server.shutdown(1)
