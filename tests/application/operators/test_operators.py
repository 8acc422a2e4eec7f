"""Operators' tokens: made, found at every request, used, revoked (C-84, D-481)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.application.house import House, build_house, node_on
from watchword.application.caller import ADMIN, Caller
from watchword.application.errors import UnavailableError
from watchword.application.operators.managing_tokens import NewOperatorToken
from watchword.application.operators.operator import Operator
from watchword.application.paging import Paging
from watchword.domain.accounts.api_key import ForbiddenError, UnauthorizedError
from watchword.domain.accounts.operator_token import OperatorTokenNotFoundError
from watchword.domain.accounts.token_role import TokenRole

ROOT = "r" * 32
BY = Caller("", ADMIN, "req_made")


async def made(
    house: House, role: TokenRole = TokenRole.ADMIN, **given: object
) -> NewOperatorToken:
    """Make a token."""
    return await house.service.operator_tokens.create(BY, "desk", role=role, **given)  # type: ignore[arg-type]  # options of create


async def operator(house: House, token: str) -> Operator:
    """Authenticate somebody with a token."""
    return await house.service.operators.authenticate(token, "req_1")


async def test_a_new_token_opens_what_it_was_made_for() -> None:
    """Its id is the actor, and the caller has its account and what it sees."""
    house = await build_house()
    ends = house.clock.now() + timedelta(days=1)
    bound = await made(house, TokenRole.AUDITOR, account_id=house.by.account_id, expires_at=ends)
    found = await operator(house, bound.token)

    assert bound.token.startswith("wwt_")
    assert bound.record.prefix == bound.token[:10]
    assert found == Operator(
        Caller("", bound.record.id, "req_1", bound_to=house.by.account_id, masked=True),
        TokenRole.AUDITOR,
        "desk",
        bound.record.id,
        ends,
    )


async def test_the_token_is_nowhere_in_the_log() -> None:
    """Only its hash is stored, and no history shows that."""
    house = await build_house()
    new = await made(house)
    log = await house.store.read_log(0, 1000)

    assert "OperatorTokenCreated" == log[-1].type
    assert all(new.token not in repr(each) for each in log)
    assert new.token not in repr(new)


@pytest.mark.parametrize("token", ["", "wwt_unheard-of", "wwt_☃", "\ud800", ROOT])
async def test_an_unknown_token_is_nobodys(token: str) -> None:
    """Any other text opens nothing, nor does the root of a service without one."""
    house = await build_house()
    with pytest.raises(UnauthorizedError):
        await operator(house, token)


async def test_only_the_form_of_a_token_costs_a_look_up() -> None:
    """Other texts, such as API keys and passwords, are refused without asking the store."""
    house = await build_house()
    asked = house.store.asked_for_holders
    with pytest.raises(UnauthorizedError):
        await operator(house, "hunter2")
    assert asked == house.store.asked_for_holders
    with pytest.raises(UnauthorizedError):
        await operator(house, "wwt_hunter2")
    assert asked + 1 == house.store.asked_for_holders


async def test_the_environments_token_is_the_root() -> None:
    """It opens everything as `admin`, without asking the store, even while that is out of reach."""
    house = await build_house()
    operators = house.service.operators.rooted(ROOT)
    house.store.reachable = False
    root = await operators.authenticate(ROOT, "req_1")

    assert (ADMIN, TokenRole.ADMIN, None) == (root.caller.actor, root.role, root.token_id)
    assert (None, False) == (root.caller.bound_to, root.caller.masked)
    with pytest.raises(UnavailableError):
        await operators.authenticate("wwt_x", "req_1")


@pytest.mark.parametrize("root", [None, ""])
async def test_without_an_environments_token_nothing_is_the_root(root: str | None) -> None:
    """An empty token opens nothing, and has no hash that a session could keep."""
    house = await build_house()
    operators = house.service.operators.rooted(root)
    with pytest.raises(UnauthorizedError):
        await operators.authenticate("", "req_1")

    assert operators.root_hash is None
    assert operators.root("", "req_1") is None


async def test_a_session_of_the_root_ends_with_its_token() -> None:
    """The root is found by the hash of the token that the environment has now, and by no other."""
    house = await build_house()
    before, after = (house.service.operators.rooted(each * 32) for each in "ab")

    assert before.root_hash is not None
    assert before.root(before.root_hash, "req_1") == await before.authenticate("a" * 32, "req_1")
    assert after.root(before.root_hash, "req_1") is None


async def test_a_revoked_token_ends_at_its_next_request_on_every_node() -> None:
    """No node remembers a token."""
    house = await build_house()
    other = node_on(house)
    new = await made(house)
    await operator(other, new.token)
    await house.service.operator_tokens.revoke(BY, new.record.id)
    for node in (house, other):
        with pytest.raises(UnauthorizedError):
            await operator(node, new.token)
        assert await node.service.operators.by_id(new.record.id, "req_1") is None


async def test_an_expired_token_ends_at_its_next_request() -> None:
    """Its end is by the service's clock."""
    house = await build_house()
    new = await made(house, expires_at=house.clock.now() + timedelta(hours=1))
    house.clock.move(3599)
    await operator(house, new.token)
    house.clock.move(1)
    with pytest.raises(UnauthorizedError):
        await operator(house, new.token)


async def test_its_last_use_is_listed() -> None:
    """It is recorded at most once in ten minutes, with the token as the actor."""
    house = await build_house()
    new = await made(house)
    for _ in range(3):
        await operator(house, new.token)
    house.clock.move(600)
    await house.service.operators.by_id(new.record.id, "req_2")
    story = await house.store.read_stream(new.record.id)
    record = await house.service.operator_tokens.get(house.by, new.record.id)

    assert [("OperatorTokenUsed", new.record.id)] * 2 == [
        (each.type, each.actor) for each in story[1:]
    ]
    assert house.clock.now() == record.last_used_at


async def test_a_lost_race_for_the_last_use_refuses_nobody() -> None:
    """Another request has recorded it."""
    house = await build_house()
    new = await made(house)
    house.store.races = 1

    assert new.record.id == (await operator(house, new.token)).token_id


@pytest.mark.parametrize("stream", ["tok_unheard-of", "key_1", ""])
async def test_an_unknown_token_is_not_found(stream: str) -> None:
    """Neither shown, nor revoked, nor anybody's session."""
    house = await build_house()
    tokens = house.service.operator_tokens
    with pytest.raises(OperatorTokenNotFoundError):
        await tokens.get(BY, stream)
    with pytest.raises(OperatorTokenNotFoundError):
        await tokens.revoke(BY, stream)
    assert await house.service.operators.by_id(stream, "req_1") is None


async def test_a_bound_caller_makes_no_token() -> None:
    """Not even for its own account; whoever may call asks without being bound."""
    house = await build_house()
    by = Caller("", "tok_1", "req_1", bound_to=house.by.account_id)
    with pytest.raises(ForbiddenError):
        await house.service.operator_tokens.create(
            by, "mine", role=TokenRole.AUDITOR, account_id=house.by.account_id
        )


async def test_tokens_are_listed_by_account() -> None:
    """The newest first; those for all accounts stand in the list of all."""
    house = await build_house()
    account = house.by.account_id
    bound = await made(house, account_id=account)
    house.clock.move(1)
    free = await made(house)
    tokens = house.service.operator_tokens
    listed = [await tokens.list(each, Paging.clamped(1, 10)) for each in (None, account)]

    assert [[free.record.id, bound.record.id], [bound.record.id]] == [
        [each.id for each in page.data] for page in listed
    ]


def held(role: TokenRole, account_id: str | None = None) -> Operator:
    """Return an operator with a role."""
    return Operator(Caller("", "tok_1", "req_1", bound_to=account_id), role, "desk", "tok_1")


@pytest.mark.parametrize("role", TokenRole)
@pytest.mark.parametrize("needed", TokenRole)
@pytest.mark.parametrize("account_id", [None, "acc_1"])
@pytest.mark.parametrize("whole_store", [False, True])
def test_an_operator_may_what_role_and_account_allow(
    role: TokenRole, needed: TokenRole, account_id: str | None, whole_store: bool
) -> None:
    """A role does what the lower ones do; a bound token does nothing about the whole store."""
    order = ["auditor", "operator", "admin"]
    may = order.index(role) >= order.index(needed) and not (account_id and whole_store)

    assert may == held(role, account_id).may(needed, whole_store=whole_store)
    if may:
        held(role, account_id).require(needed, whole_store=whole_store)
    else:
        with pytest.raises(ForbiddenError):
            held(role, account_id).require(needed, whole_store=whole_store)


def test_a_refusal_says_what_to_use_instead() -> None:
    """The role that is missing, or a token without an account."""
    with pytest.raises(ForbiddenError, match=r"role auditor, which reads\. Use one .* operator"):
        held(TokenRole.AUDITOR).require(TokenRole.OPERATOR, whole_store=False)
    with pytest.raises(ForbiddenError, match=r"which leaves access and people to admins\. Use one"):
        held(TokenRole.OPERATOR).require(TokenRole.ADMIN, whole_store=False)
    with pytest.raises(ForbiddenError, match=r"Use a token without an account"):
        held(TokenRole.ADMIN, "acc_1").require(TokenRole.ADMIN, whole_store=True)
