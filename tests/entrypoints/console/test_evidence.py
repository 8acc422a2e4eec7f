"""Evidence in the console: the newest head, proofs to take away, and proofs to check (C-81, C-105)."""

from __future__ import annotations

import io
import zipfile

import pytest

from tests.entrypoints.caller import Caller
from tests.entrypoints.console.conftest import ConsoleAs
from tests.entrypoints.console.visitor import Shown, Visitor
from watchword.domain.accounts.token_role import TokenRole
from watchword.entrypoints.wired import Wired
from watchword.verify_evidence import Verifier, check_proof

# What pages do is the same on every store.
pytestmark = pytest.mark.stores("memory")


async def proof_of(console: Visitor, stream: str, version: int = 1) -> str:
    """Download the proof of an event."""
    url = console.endpoint.make_url(f"/console/evidence/proofs/one?id={stream}&version={version}")
    async with console.session.get(url) as answer:
        assert 200 == answer.status
        assert f'filename="{stream}-{version}.tlog-proof"' in answer.headers["Content-Disposition"]
        return await answer.text()


async def checked(console: Visitor, proof: str, keys: str = "") -> Shown:
    """Hand a proof in."""
    return await console.post("/evidence/check", {"proof": proof, "keys": keys})


async def keys_of(service: Wired) -> list[Verifier]:
    """Return the keys that an auditor was given."""
    history = (await service.showing_log.standing()).history
    assert history is not None
    return [
        Verifier.parse(vkey) for each in history.keys for vkey in (each.log_key, each.clock_key)
    ]


async def test_before_the_first_head_the_page_says_what_to_do(console: Visitor) -> None:
    """Nothing was signed, and a button signs."""
    page = await console.get("/evidence")

    assert (200, "Evidence") == (page.status, page.heading)
    assert "No head was signed yet." in page.text
    assert "/console/evidence/seal" in [each.action for each in page.forms]


async def test_the_newest_head_is_shown_with_its_signers(
    console: Visitor, caller: Caller, service: Wired
) -> None:
    """It covers everything at first; what happens later waits for the next one."""
    sealed = await console.post("/evidence/seal")
    await caller.created()
    standing = await service.showing_log.standing()
    page = await console.get("/evidence")

    assert "A head covers the log as it is now." in sealed.text
    assert standing.head is not None
    assert 0 < standing.waiting
    assert f"Covers {standing.head.size} of {standing.events} events" in page.text
    assert f"Waiting {standing.waiting} events, the oldest since" in page.text
    assert page.text.count("verifies") == 2
    assert "No witness is set up." in page.text
    assert all(each.vkey in page.html for each in await keys_of(service))


@pytest.mark.stores("sqlite")
@pytest.mark.parametrize("before", ["9" * 23, "-" + "9" * 23, "0", "head"])
async def test_an_address_with_any_size_has_a_page(console: Visitor, before: str) -> None:
    """Heads of less than nothing are none, and no log is larger than the store can count."""
    assert 200 == (await console.get(f"/evidence?before={before}")).status


async def test_older_heads_are_a_page_away(console: Visitor, caller: Caller) -> None:
    """The list has 25 heads, the newest first, and addresses of its pages can be shared."""
    for number in range(27):
        await caller.operated("POST", "/accounts", {"name": f"shop {number}"})
        await caller.operated("POST", "/log/seal")
    heads = (await caller.operated("GET", "/log/heads?limit=100"))["data"]
    first = await console.get("/evidence")
    (older,) = [each for each in first.links if "before=" in each]
    second = await console.get(older.removeprefix("/console"))
    oldest = await console.get("/evidence?before=1")

    roots = [f"{each['root'][:16]}…" for each in reversed(heads)]
    assert [True] * 25 == [each in first.text for each in roots[:25]]
    assert not any(each in first.text for each in roots[25:])
    assert all(each in second.text for each in roots[25:])
    assert "No head covers fewer events." in oldest.text


async def test_a_proof_is_made_downloaded_and_checked(
    console: Visitor, caller: Caller, service: Wired
) -> None:
    """The file is the one that auditors check; dropped back, the page shows the event in the log."""
    pin_id = await caller.created()
    page = await console.get(f"/evidence/proofs?id={pin_id}")
    proof = await proof_of(console, pin_id)
    proven = check_proof(proof, await keys_of(service))
    shown = await checked(console, proof)

    assert f"Proofs of {pin_id}" == page.heading
    assert ("PinIssued", pin_id, 1) == (
        proven.leaf.topic.partition("/")[0],
        proven.leaf.stream,
        proven.leaf.version,
    )
    assert (200, "The proof holds") == (shown.status, shown.heading)
    assert f"PinIssued is number {proven.leaf.position} of the log" in shown.text
    assert "This service's log has the same events up to that head." in shown.text
    assert f"/console/evidence/proofs?id={pin_id}" in shown.links


async def test_all_proofs_come_in_one_file(
    console: Visitor, caller: Caller, service: Wired
) -> None:
    """Each event's proof is a file of its own in it, and holds."""
    pin_id = await caller.created()
    url = console.endpoint.make_url(f"/console/evidence/proofs/all?id={pin_id}")
    async with console.session.get(url) as answer:
        packed = zipfile.ZipFile(io.BytesIO(await answer.read()))
    keys = await keys_of(service)
    found = {name: check_proof(packed.read(name).decode(), keys) for name in packed.namelist()}

    assert f"{pin_id}-1.tlog-proof" in found
    assert {pin_id} == {each.leaf.stream for each in found.values()}
    assert len(found) == len(await service.journal.read_stream(pin_id))


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        (lambda proof: proof.replace("index ", "index 1"), "The hashes are for position"),
        (
            lambda proof: proof.replace("watchword", "weedword"),
            "No key that is known signed this note.",
        ),
        (lambda _: "tea", "This is no proof in the form of"),
        (lambda _: "", "is required"),
        (lambda proof: proof + "x" * 2**18, "must have at most 262144 characters"),
    ],
    ids=["another index", "another log", "no proof", "nothing", "too long"],
)
async def test_a_wrong_proof_is_refused_beside_its_field(
    console: Visitor, caller: Caller, edit: object, why: str
) -> None:
    """The page says why, and keeps what was handed in."""
    proof = edit(await proof_of(console, await caller.created()))  # type: ignore[operator]  # a function of the table
    page = await checked(console, proof)

    assert (400, "Evidence") == (page.status, page.heading)
    assert why in page.text
    assert proof.strip()[:100] in page.html or not proof


async def test_a_proof_under_another_key_wants_that_key(
    console: Visitor, caller: Caller, service: Wired
) -> None:
    """Given keys replace those of this log; what is no key is refused beside its field."""
    proof = await proof_of(console, await caller.created())
    own, *_ = await keys_of(service)
    other = own._replace(public=bytes(32)).vkey
    page = await checked(console, proof, other)
    none = await checked(console, proof, "tea")

    assert 400 == page.status
    assert "No key that is known signed this note." in page.text
    assert 400 == none.status
    assert "cannot be read. " in none.text
    assert "The proof holds" == (await checked(console, proof, own.vkey)).heading


async def test_an_unknown_id_is_said_beside_its_field(console: Visitor) -> None:
    """Whatever was asked for stands in the form, and a download of it is 404."""
    page = await console.get("/evidence/proofs?id=pin_<b>0")
    download = await console.get("/evidence/proofs/one?id=pin_0&version=1")

    assert (404, "Evidence") == (page.status, page.heading)
    assert "pin_<b>0" == page.values["id"]
    assert 404 == download.status


async def test_auditors_seal_prove_and_check(console_as: ConsoleAs, caller: Caller) -> None:
    """A masked auditor opens all of it: proofs say nothing personal by default."""
    auditor = await console_as(TokenRole.AUDITOR)
    pin_id = await caller.created("+919812345610")
    proof = await proof_of(auditor, pin_id)
    page = await checked(auditor, proof)

    assert "The proof holds" == page.heading
    assert "9812345610" not in page.html
