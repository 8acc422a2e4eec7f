"""Logging in to the console, looking, logging out; and wrong tokens, which are throttled (C-85, D-491)."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from attrs import frozen

from tests.application.house import House, build_house
from tests.fakes.nodes import TwoNodes
from tests.vaults import KEYRING
from watchword.adapters.fingerprinting import HmacFingerprinter
from watchword.adapters.keyring import Keyring
from watchword.application.audit.checking import AuditInputs, Checking
from watchword.application.caller import Caller
from watchword.application.errors import UnavailableError
from watchword.application.journal import Journal
from watchword.application.operators.authenticating_operators import AuthenticatingOperators
from watchword.application.operators.console_sessions import (
    ConsoleSessions,
    NewSession,
    OpenSession,
)
from watchword.application.operators.managing_tokens import ManagingTokens
from watchword.application.ports.event_store import EventStore
from watchword.domain.accounts.api_key import UnauthorizedError
from watchword.domain.accounts.token_role import TokenRole
from watchword.domain.errors import RateLimitedError

ROOT = "the-environment's-token"
HOME, ELSEWHERE = "192.0.2.1", "192.0.2.2"
MINUTES = 60
ROTATING = Keyring(2, {2: b"n" * 32, **KEYRING.keys})
ADMIN = Caller("", "admin", "req_1")


@frozen
class Desk:
    """A node with a console, and what an operator does at it."""

    house: House
    sessions: ConsoleSessions
    tokens: ManagingTokens

    async def log_in(self, token: str = ROOT, client: str = HOME) -> NewSession:
        """Log in."""
        return await self.sessions.begin(token, client, "req_login")

    async def refuses(self, token: str = "wwt_wrong", client: str = HOME) -> None:
        """Log in with a wrong token."""
        with pytest.raises(UnauthorizedError):
            await self.log_in(token, client)

    async def throttles(self, token: str = ROOT, client: str = HOME) -> RateLimitedError:
        """Log in where too many wrong tokens came from."""
        with pytest.raises(RateLimitedError) as refusal:
            await self.log_in(token, client)
        return refusal.value

    async def look(self, session: NewSession) -> OpenSession | None:
        """Look at a page."""
        return await self.sessions.find(session.secret, "req_look")

    def wait(self, minutes: float) -> None:
        """Let the machine's time go by."""
        self.house.clock.move_real(minutes * MINUTES)


def node(house: House, root: str | None = ROOT, keyring: Keyring = KEYRING) -> Desk:
    """Return another node on the same store."""
    journal, random, clock = Journal(house.store), house.service.randomness, house.clock
    operators = AuthenticatingOperators(journal, clock)
    sessions = ConsoleSessions(journal, operators, HmacFingerprinter(keyring), random, clock)
    return Desk(house, sessions.rooted(root), ManagingTokens(journal, random, clock))


@pytest.fixture
async def desk() -> Desk:
    """Return a node with a console."""
    return node(await build_house())


async def test_the_environments_token_opens_all(desk: Desk) -> None:
    """The session has the root's role and actor, on every node."""
    session = await desk.log_in()
    found = await node(desk.house).look(session)

    assert found is not None
    begun = session.session
    assert (begun.id, begun.began_at, begun.ends_at) == (found.id, found.began_at, found.ends_at)
    assert (TokenRole.ADMIN, "admin", None) == (
        found.operator.role,
        found.operator.caller.actor,
        found.operator.caller.bound_to,
    )
    assert "req_look" == found.operator.caller.request_id


async def test_a_session_is_what_its_token_is(desk: Desk) -> None:
    """Role, account, mask and actor are the token's."""
    account = desk.house.by.account_id
    made = await desk.tokens.create(ADMIN, "Iris", role=TokenRole.AUDITOR, account_id=account)
    session = await desk.log_in(made.token)
    found = await desk.look(session)

    assert found is not None
    operator = found.operator
    assert (TokenRole.AUDITOR, "Iris") == (operator.role, operator.name)
    assert (made.record.id, account, True) == (
        operator.caller.actor,
        operator.caller.bound_to,
        operator.caller.masked,
    )


async def test_the_log_says_who_looked_in_and_when(desk: Desk) -> None:
    """Begun, used and ended in the token's name; at most one use a minute."""
    made = await desk.tokens.create(ADMIN, "Iris", role=TokenRole.OPERATOR)
    session = await desk.log_in(made.token)
    for _ in range(10):
        desk.wait(0.3)
        await desk.look(session)
    await desk.sessions.end(session.secret, "req_logout")
    story = await desk.house.store.read_stream(session.session.id)

    assert [
        "ConsoleSessionBegun",
        "ConsoleSessionUsed",
        "ConsoleSessionUsed",
        "ConsoleSessionEnded",
    ] == [each.type for each in story]
    assert {made.record.id} == {each.actor for each in story}
    assert ["req_login", "req_look", "req_look", "req_logout"] == [
        each.request_id for each in story
    ]


async def test_an_audit_finds_nothing_amiss(desk: Desk) -> None:
    """Sessions are events with rows; wrong tokens are counted beside the log."""
    session = await desk.log_in()
    await desk.refuses()
    desk.wait(2)
    await desk.look(session)
    await desk.sessions.end(session.secret)
    await desk.log_in()
    journal, inputs = desk.house.service.journal, AuditInputs(now=desk.house.clock.now)

    assert () == (await Checking(journal, inputs).check()).differences


async def test_blanks_around_a_pasted_token_do_not_matter(desk: Desk) -> None:
    """People copy a line with its end."""
    assert (await desk.log_in(f" {ROOT}\n")).secret


async def test_half_an_idle_hour_ends_it(desk: Desk) -> None:
    """Each look begins the half hour anew, up to a minute; the service's clock changes nothing."""
    session = await desk.log_in()
    desk.house.clock.move(1_000_000)
    for _ in range(10):
        desk.wait(29)
        assert await desk.look(session) is not None
    desk.wait(30)

    assert await desk.look(session) is None


async def test_eight_hours_end_it(desk: Desk) -> None:
    """However busy it was."""
    session = await desk.log_in()
    ends = session.session.began_at + timedelta(hours=8)
    for _ in range(8 * 60 - 1):
        desk.wait(1)
        found = await desk.look(session)
        assert found is not None
        assert found.ends_at <= ends
    desk.wait(1)

    assert await desk.look(session) is None


async def test_an_ended_one_is_over_on_every_node(desk: Desk) -> None:
    """Who logs out twice, or without a session, meets no error."""
    session, other = await desk.log_in(), await desk.log_in()
    await desk.sessions.end(session.secret)
    await desk.sessions.end(session.secret)
    await desk.sessions.end("cse_0.no")

    assert await desk.look(session) is None
    assert await node(desk.house).look(session) is None
    assert await desk.look(other) is not None


async def test_a_log_out_wins_over_a_look_at_the_same_time(desk: Desk) -> None:
    """A look whose use lost the race is not an error; the session is over afterwards."""
    session = await desk.log_in()
    desk.wait(2)
    desk.house.store.meanwhile = lambda: desk.sessions.end(session.secret)
    await desk.look(session)

    assert await desk.look(session) is None


async def test_a_log_out_is_repeated_when_a_look_was_faster(desk: Desk) -> None:
    """It is decided again on the session after the look."""
    session = await desk.log_in()
    desk.wait(2)
    desk.house.store.meanwhile = lambda: desk.look(session)
    await desk.sessions.end(session.secret)

    assert await desk.look(session) is None


async def test_a_revoked_token_ends_its_sessions_at_their_next_request(desk: Desk) -> None:
    """On every node; sessions of other tokens go on."""
    made = await desk.tokens.create(ADMIN, "Iris", role=TokenRole.OPERATOR)
    session, root = await desk.log_in(made.token), await desk.log_in()
    other = node(desk.house)
    assert await other.look(session) is not None
    await desk.tokens.revoke(ADMIN, made.record.id)

    assert await other.look(session) is None
    assert await desk.look(session) is None
    assert await other.look(root) is not None


async def test_an_expired_token_ends_its_sessions(desk: Desk) -> None:
    """The token's expiry counts by the service's clock, as at every route."""
    expires = desk.house.clock.now() + timedelta(minutes=5)
    made = await desk.tokens.create(ADMIN, "Iris", role=TokenRole.OPERATOR, expires_at=expires)
    session = await desk.log_in(made.token)
    desk.house.clock.move(5 * MINUTES - 1)
    assert await desk.look(session) is not None
    desk.house.clock.move(1)

    assert await desk.look(session) is None


@pytest.mark.parametrize("root", ["another-token-of-the-environment", "", None])
async def test_another_environment_ends_the_roots_sessions(desk: Desk, root: str | None) -> None:
    """A restart with another token, or without one; sessions of other tokens go on."""
    made = await desk.tokens.create(ADMIN, "Iris", role=TokenRole.OPERATOR)
    session, iris = await desk.log_in(), await desk.log_in(made.token)
    restarted = node(desk.house, root)

    assert await restarted.look(session) is None
    assert await restarted.look(iris) is not None
    await restarted.sessions.end(session.secret)
    assert await desk.look(session) is None


async def test_a_rotation_of_the_code_key_ends_no_session(desk: Desk) -> None:
    """Nodes with the old key alone, and with the new one too, find each other's."""
    rotating = node(desk.house, keyring=ROTATING)
    old, new = await desk.log_in(), await rotating.log_in()

    assert await rotating.look(old) is not None
    assert await desk.look(new) is None
    assert await rotating.look(new) is not None


@pytest.mark.parametrize(
    "text",
    ["", "cse_0", "cse_0.x", ".", "☃.☃", "cse_\0.x", "key_0.x", f"cse_{'0' * 300}.x", "cse_0.x\n"],
)
async def test_any_other_text_opens_nothing(desk: Desk, text: str) -> None:
    """Nor does it end anything."""
    await desk.sessions.end(text)

    assert await desk.sessions.find(text, "req_1") is None


async def test_the_id_alone_opens_nothing(desk: Desk) -> None:
    """The log names sessions; their secrets are in browsers alone."""
    session = await desk.log_in()
    session_id, _, secret = session.secret.partition(".")
    other = await desk.log_in()

    assert session_id == session.session.id
    for wrong in (f"{session_id}.{secret[:-1]}", f"{session_id}.{other.secret.partition('.')[2]}"):
        assert await desk.sessions.find(wrong, "req_1") is None
        await desk.sessions.end(wrong)
    assert await desk.look(session) is not None


async def test_the_store_keeps_neither_secret_nor_token(desk: Desk) -> None:
    """Both are stored as hashes, and `repr` shows neither."""
    session = await desk.log_in()
    log = str([each.event for each in await desk.house.store.read_stream(session.session.id)])
    log += repr(session)

    assert session.secret.partition(".")[2] not in log
    assert ROOT not in log


async def test_the_sixth_wrong_token_is_throttled(desk: Desk) -> None:
    """Even the right one is, until the first wrong one is 15 minutes old; other clients log in."""
    for _ in range(5):
        await desk.refuses()
        desk.house.clock.move(MINUTES)
    refusal = await desk.throttles()
    assert 10 * MINUTES == refusal.retry_after_seconds
    assert (await desk.log_in(client=ELSEWHERE)).secret
    desk.house.clock.move(10 * MINUTES - 1)
    await desk.throttles()
    desk.house.clock.move(1)

    assert (await desk.log_in()).secret


@pytest.mark.parametrize("token", ["", "wwt_", "x" * 10_000, "☃", "\0"])
async def test_any_wrong_text_counts(desk: Desk, token: str) -> None:
    """Also one that no token can be."""
    for _ in range(5):
        await desk.refuses(token)

    await desk.throttles(token)


async def test_right_ones_and_throttled_ones_do_not_count(desk: Desk) -> None:
    """An operator may log in as often as need be."""
    for _ in range(4):
        await desk.refuses()
    for _ in range(10):
        await desk.log_in()
    await desk.refuses()
    for _ in range(10):
        await desk.throttles()
    desk.house.clock.move(15 * MINUTES)

    assert (await desk.log_in()).secret


async def test_wrong_ones_lock_no_session_out(desk: Desk) -> None:
    """Who is logged in goes on, and may log out."""
    session = await desk.log_in()
    for _ in range(5):
        await desk.refuses()
    await desk.throttles()

    assert await desk.look(session) is not None
    await desk.sessions.end(session.secret)
    assert await desk.look(session) is None


async def test_of_many_at_once_five_count(store: EventStore) -> None:
    """On three nodes and on every kind of store: no more are tried than the limit and one a node."""
    house = await build_house(inside=store)
    nodes = [node(house) for _ in range(3)]
    tried = await asyncio.gather(
        *(nodes[n % 3].log_in("wwt_wrong") for n in range(60)), return_exceptions=True
    )
    wrong = [each for each in tried if type(each) is UnauthorizedError]

    assert 5 == len(wrong)
    assert 55 == sum(isinstance(each, RateLimitedError) for each in tried)
    await nodes[0].throttles()
    house.clock.move(15 * MINUTES)
    assert (await nodes[0].log_in()).secret


async def test_two_nodes_of_one_database_agree(postgres_url: str) -> None:
    """Every call goes to the other node: logins, looks, ends, revocations and wrong tokens are shared."""
    both = await TwoNodes.open(postgres_url)
    try:
        desk = node(await build_house(inside=both))
        made = await desk.tokens.create(ADMIN, "Iris", role=TokenRole.OPERATOR)
        iris, root, other = await desk.log_in(made.token), await desk.log_in(), await desk.log_in()
        for _ in range(4):
            desk.wait(2)
            assert [True] * 3 == [await desk.look(each) is not None for each in (iris, root, other)]
        await desk.sessions.end(root.secret)
        assert [None, None] == [await desk.look(root) for _ in range(2)]
        await desk.tokens.revoke(ADMIN, made.record.id)
        assert [None, None] == [await desk.look(iris) for _ in range(2)]
        assert await desk.look(other) is not None
        for _ in range(5):
            await desk.refuses()
        await desk.throttles()
        await desk.throttles()
    finally:
        await both.close()


async def test_a_right_one_among_them_is_refused_behind_five_wrong_ones(desk: Desk) -> None:
    """Five wrong ones were recorded between its look-up and its session (D-98)."""
    other = node(desk.house)
    asked = 0

    async def meanwhile() -> None:
        nonlocal asked
        asked += 1
        if asked == 1:
            # The first append is the check before the look-up; the second is the session's.
            desk.house.store.meanwhile = meanwhile
            return
        for _ in range(5):
            await other.refuses()

    desk.house.store.meanwhile = meanwhile
    await desk.throttles()


async def test_the_wrong_ones_count_together_while_the_code_key_is_rotated(desk: Desk) -> None:
    """A node with the old key alone, and one with the new one too, see each other's (D-108)."""
    rotating = node(desk.house, keyring=ROTATING)
    for each in (desk, rotating, desk, rotating, rotating):
        await each.refuses()

    await desk.throttles()
    await rotating.throttles()


async def test_aged_wrong_tokens_are_forgotten(desk: Desk) -> None:
    """The worker deletes them, and not before they are free again."""
    for _ in range(5):
        await desk.refuses()
    assert 0 == await desk.house.forget()
    desk.house.clock.move(31 * MINUTES)

    assert 5 == await desk.house.forget()


async def test_a_store_out_of_reach_opens_nothing(desk: Desk) -> None:
    """No session is opened on a guess."""
    session = await desk.log_in()
    desk.house.store.reachable = False

    with pytest.raises(UnavailableError):
        await desk.look(session)
    with pytest.raises(UnavailableError):
        await desk.log_in()


async def test_a_store_that_cannot_be_written_can_be_looked_at(desk: Desk) -> None:
    """Its disk is full, say: the use is not recorded, and the page comes."""
    session = await desk.log_in()
    desk.wait(5)

    async def full() -> None:
        raise UnavailableError

    desk.house.store.meanwhile = full

    assert await desk.look(session) is not None
    assert ["ConsoleSessionBegun"] == await desk.house.story(session.session.id)
