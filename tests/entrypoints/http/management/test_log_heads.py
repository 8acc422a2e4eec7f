"""Signed heads over HTTP: the checkpoint, the list, tiles as in tlog-tiles, and a head on demand."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from attrs import evolve

from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import listening
from tests.log_keys import LOG_KEY, LOG_NAME, LOG_VKEY
from watchword.application.evidence.reading_heads import Tile
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.settings import Settings
from watchword.verify_evidence import Verifier, node_hash, open_checkpoint

STORES = ("memory", "sqlite", "postgresql")
LOG = "/log"


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Return the settings of a service whose log's key is known."""
    return evolve(settings, log_key=LOG_KEY)


async def test_a_head_is_signed_when_somebody_asks(caller: Caller) -> None:
    """The head covers the log of then, opens with the log's key, and is the newest one from then on."""
    head = await caller.operated("POST", f"{LOG}/seal")
    events = (await caller.operated("GET", "/events?limit=1000"))["data"]
    checkpoint = await caller.operate("GET", f"{LOG}/checkpoint")

    opened = open_checkpoint(head["note"], [Verifier.parse(LOG_VKEY)])
    assert (f"{LOG_NAME}/1", len(events)) == (opened.origin, opened.size)
    assert head["root"] == base64.b64encode(opened.root).decode()
    assert head["note"] == checkpoint.body.decode()
    assert "text/plain; charset=utf-8" == checkpoint.headers["Content-Type"]


async def test_heads_are_listed_by_their_size(caller: Caller) -> None:
    """The list goes on behind a size, and has at most as many heads as were asked for."""
    first = await caller.operated("POST", f"{LOG}/seal")
    await caller.created()
    second = await caller.operated("POST", f"{LOG}/seal")

    assert [first, second] == (await caller.operated("GET", f"{LOG}/heads"))["data"]
    assert [first] == (await caller.operated("GET", f"{LOG}/heads?limit=1"))["data"]
    behind = await caller.operated("GET", f"{LOG}/heads?after={first['size']}")
    assert [second] == behind["data"]


async def test_the_time_of_a_head_has_one_form(caller: Caller) -> None:
    """It has milliseconds, as every time in answers, although a head is signed at a whole second."""
    sealed = await caller.operated("POST", f"{LOG}/seal")
    (listed,) = (await caller.operated("GET", f"{LOG}/heads"))["data"]
    counted = (await caller.operated("GET", f"{LOG}/stats"))["head"]

    assert sealed["at"].endswith(".000Z")
    assert (sealed["at"], sealed["at"]) == (listed["at"], counted["at"])


async def test_before_the_first_head_there_is_neither_checkpoint_nor_tile(caller: Caller) -> None:
    """What no head covers yet is 404."""
    for path in ("checkpoint", "tile/0/000.p/1", "tile/0/000"):
        assert 404 == (await caller.operate("GET", f"{LOG}/{path}")).status


async def test_a_tile_is_served_as_far_as_the_newest_head_covers_it(caller: Caller) -> None:
    """A beginning of a tile may be asked for; more than the head covers is 404, although it is sealed."""
    head = await caller.operated("POST", f"{LOG}/seal")
    size = head["size"]
    assert 2 < size < 256
    tile = await caller.operate("GET", f"{LOG}/tile/0/000.p/{size}")
    beginning = await caller.operate("GET", f"{LOG}/tile/0/000.p/2")
    await caller.created()

    assert "application/octet-stream" == tile.headers["Content-Type"]
    assert 32 * size == len(tile.body)
    assert tile.body[:64] == beginning.body
    assert _root(tile.body) == base64.b64decode(head["root"])
    for path in (f"0/000.p/{size + 1}", "0/000", "0/001.p/1", "1/000.p/1"):
        assert 404 == (await caller.operate("GET", f"{LOG}/tile/{path}")).status


@pytest.mark.parametrize(
    ("level", "path", "tile"),
    [
        ("0", "000", Tile(0, 0, 256)),
        ("1", "067.p/8", Tile(1, 67, 8)),
        ("0", "x001/x234/067", Tile(0, 1_234_067, 256)),
        ("0", "x001/x234/067.p/255", Tile(0, 1_234_067, 255)),
        ("00", "000", None),
        ("8", "000", None),
        ("x", "000", None),
        ("0", "0", None),
        ("0", "0000", None),
        ("0", "x000/001", None),
        ("0", "001/234", None),
        ("0", "x001/x234", None),
        ("0", "000.p/0", None),
        ("0", "000.p/08", None),
        ("0", "000.p/256", None),
        ("0", "000.p", None),
        ("0", "/".join(["x001"] * 7 + ["001"]), None),
        ("entries", "000", None),
    ],
)
def test_a_path_of_a_tile_has_one_form(level: str, path: str, tile: Tile | None) -> None:
    """Numbers are in groups of three digits, all but the last with an x, as tlog-tiles has them."""
    assert tile == Tile.parse(level, path)


async def test_a_service_goes_on_while_its_log_is_forked(
    settings: Settings, tmp_path: Path
) -> None:
    """Readiness stays 200 and names the fork, and a head that was asked for is refused."""
    heads = tmp_path / "copies"
    heads.mkdir()
    settings = evolve(settings, heads_dir=heads)
    async with wired(settings) as service, listening(service) as caller:
        note = (await caller.operated("POST", f"{LOG}/seal"))["note"]
        assert note == (heads / "latest").read_text()
        # A head of ten times as many events, which another machine would have from a longer log.
        origin, size, rest = note.split("\n", 2)
        (heads / "latest").write_text(f"{origin}\n{size}0\n{rest}")
        refused = await caller.operate("POST", f"{LOG}/seal")
        ready = await caller.get("/health/ready")
        pin = await caller.created()

    assert (409, "log_forked") == (refused.status, refused.json["error"]["code"])
    assert (200, {"status": "ready", "log": "forked"}) == (ready.status, ready.json)
    assert pin


async def test_the_token_is_wanted(caller: Caller) -> None:
    """Without the operator's token nothing of the log is shown, and nothing is signed."""
    for method, path in (("POST", "seal"), ("GET", "heads"), ("GET", "checkpoint")):
        answer = await caller.using("nonsense").ask(method, f"/admin/v1{LOG}/{path}")
        assert 401 == answer.status


def _root(hashes: bytes) -> bytes:
    """Return the root over some leaves, by the definition of RFC 6962."""
    leaves = [hashes[at : at + 32] for at in range(0, len(hashes), 32)]

    def over(some: list[bytes]) -> bytes:
        if len(some) == 1:
            return some[0]
        left = 1 << (len(some) - 1).bit_length() - 1
        return node_hash(over(some[:left]), over(some[left:]))

    return over(leaves)
