"""Access: API keys, operators' tokens, users of the legacy platform (C-6, C-84, C-42)."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable

import pytest

from tests.entrypoints.caller import Caller
from tests.entrypoints.console.conftest import ConsoleAs
from tests.entrypoints.console.visitor import Shown, Visitor
from watchword.domain.accounts.token_role import TokenRole
from watchword.entrypoints.wired import Wired

# What pages do is the same on every store.
pytestmark = pytest.mark.stores("memory")

KEY = {"account": "demo", "name": "Web shop", "scopes": "pins", "expiresAt": "30d"}
TOKEN = {"name": "Iris", "role": "auditor", "account": "", "expiresAt": "90d"}
USER = {"account": "demo", "email": "asha@tea.example", "password": " a tea "}
NEW = ["/access/keys/new", "/access/tokens/new", "/access/users/new"]
LISTS = ["/access/keys", "/access/tokens", "/access/users"]


def secret_in(page: Shown) -> str:
    """Return the key or the token that a page shows for copying."""
    (secret,) = re.findall(r'data-copy="(ww[^"]+)"', page.html)
    return str(secret)


async def record(caller: Caller, path: str, name: str, value: str) -> dict[str, object]:
    """Return the one record of a list whose member has a value."""
    (found,) = [
        each for each in (await caller.operated("GET", path))["data"] if each[name] == value
    ]
    return dict(found)


async def test_the_area_begins_with_keys(console: Visitor) -> None:
    """The menu leads to the list of keys, and tabs to the other two."""
    page = await console.get("/access")

    assert "API keys" == page.heading
    assert {f"/console{each}" for each in LISTS} <= set(page.links)


async def test_a_key_is_shown_once_and_works(console: Visitor, caller: Caller) -> None:
    """It has the name, the scope and the end of the form; lists show its beginning alone."""
    page = await console.post("/access/keys/new", KEY)
    key = secret_in(page)
    made = await record(caller, "/api-keys", "name", "Web shop")

    assert (201, "The key of Web shop") == (page.status, page.heading)
    assert ["pins"] == made["scopes"]
    assert made["expiresAt"] is not None
    assert 200 == (await caller.using(key).templates()).status
    listed = await console.get("/access/keys")
    assert "Web shop" in listed.text
    assert key not in listed.html


async def test_a_revoked_key_opens_nothing(console: Visitor, caller: Caller) -> None:
    """Its row says so, and offers no second revocation; the token is the actor."""
    key = secret_in(await console.post("/access/keys/new", KEY))
    made = await record(caller, "/api-keys", "name", "Web shop")
    revoke = f"/access/keys/{made['id']}/revoke"
    assert f"/console{revoke}" in [
        each.action for each in (await console.get("/access/keys")).forms
    ]
    page = await console.post(revoke)

    assert "API keys" == page.heading
    assert "Revoked." in page.text
    assert f"/console{revoke}" not in [each.action for each in page.forms]
    assert 401 == (await caller.using(key).templates()).status


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"name": ""}, "name"),
        ({"scopes": []}, "scopes"),
        ({"expiresAt": "soon"}, "must be a duration"),
    ],
)
async def test_a_wrong_key_is_asked_for_again(
    console: Visitor, caller: Caller, wrong: dict[str, str | list[str]], said: str
) -> None:
    """Each problem stands beside its field, what was typed stays, and nothing is created."""
    before = (await caller.operated("GET", "/api-keys"))["total"]
    fields = [(name, str(value)) for name, value in {**KEY, **wrong}.items() if value != []]
    page = await console.post("/access/keys/new", fields)

    assert (400, "Create an API key") == (page.status, page.heading)
    assert said in page.text
    assert before == (await caller.operated("GET", "/api-keys"))["total"]


async def test_a_token_is_shown_once_and_signs_in(
    console: Visitor, caller: Caller, visitors: Callable[[], Awaitable[Visitor]]
) -> None:
    """It is an auditor's: the menu is there, and no list offers a form."""
    page = await console.post("/access/tokens/new", TOKEN)
    token = secret_in(page)
    made = await record(caller, "/tokens", "name", "Iris")
    iris = await visitors()
    await iris.sign_in(token)
    listed = await iris.get("/access/tokens")

    assert (201, "The token of Iris") == (page.status, page.heading)
    assert ("auditor", False, None) == (made["role"], made["clear"], made["accountId"])
    assert "Iris yours" in listed.text
    assert token not in listed.html
    assert ["/console/logout"] == [each.action for each in listed.forms]


async def test_a_token_of_an_account_is_bound_to_it(console: Visitor, caller: Caller) -> None:
    """The form and the answer name the account by its name; the answer shows the token."""
    page = await console.post("/access/tokens/new", {**TOKEN, "account": "demo", "clear": "true"})
    made = await record(caller, "/tokens", "name", "Iris")
    (demo,) = (await caller.operated("GET", "/accounts"))["data"]

    assert (demo["id"], True) == (made["accountId"], made["clear"])
    assert secret_in(page)
    assert "Account demo" in page.text


async def test_a_revoked_token_ends_its_sessions(
    console: Visitor, caller: Caller, console_as: ConsoleAs
) -> None:
    """Whoever is signed in with it is asked to sign in at the next request."""
    operator = await console_as(TokenRole.OPERATOR)
    assert "Overview" in (await operator.get("")).text
    made = await record(caller, "/tokens", "role", "operator")
    await console.post(f"/access/tokens/{made['id']}/revoke")

    assert "Sign in" == (await operator.get("")).heading


async def test_a_legacy_user_logs_in_until_removed(
    console: Visitor, caller: Caller, service: Wired
) -> None:
    """Blanks belong to the password; a second user of the e-mail is refused beside the field."""
    page = await console.post("/access/users/new", USER)
    again = await console.post("/access/users/new", USER)
    made = await record(caller, "/legacy-users", "email", "asha@tea.example")

    assert "asha@tea.example" in page.text
    assert (400, "Create a legacy user") == (again.status, again.heading)
    assert "Somebody logs in with this e-mail already." in again.text
    given = await service.legacy_logins.log_in("asha@tea.example", " a tea ", "req_1", client="")
    assert given.token
    out = await console.post(f"/access/users/{made['id']}/log-out")
    assert "Every token of the user has ended." in out.text
    gone = await console.post(f"/access/users/{made['id']}/remove")
    assert "Nobody logs in to the legacy platform." in gone.text


async def test_an_empty_password_is_asked_for_again(console: Visitor) -> None:
    """The e-mail that was typed stays, and the password does not."""
    page = await console.post("/access/users/new", {**USER, "password": ""})

    assert 400 == page.status
    assert ("asha@tea.example", "") == (page.values["email"], page.values["password"])


async def test_a_masked_auditor_sees_no_address(console: Visitor, console_as: ConsoleAs) -> None:
    """Unless the token was made with `clear`; nowhere on the page, unseen texts included."""
    await console.post("/access/users/new", USER)
    masked = await (await console_as(TokenRole.AUDITOR)).get("/access/users")
    clear = await (await console_as(TokenRole.AUDITOR, clear=True)).get("/access/users")

    assert "asha@" not in masked.html
    assert "asha@tea.example" in clear.text


@pytest.mark.parametrize("role", [TokenRole.AUDITOR, TokenRole.OPERATOR])
async def test_only_admins_give_access(console_as: ConsoleAs, role: TokenRole) -> None:
    """Others see the lists without a link to a form, and every form is 403."""
    visitor = await console_as(role)
    for each in LISTS:
        page = await visitor.get(each)
        assert 200 == page.status
        assert not [link for link in page.links if link.endswith("/new")]
        assert ["/console/logout"] == [form.action for form in page.forms]
    for each in NEW:
        assert 403 == (await visitor.get(each)).status
        assert 403 == (await visitor.post(each, {**KEY, **TOKEN, **USER})).status


async def test_a_bound_admin_gives_access_to_the_own_account(
    console_as: ConsoleAs, caller: Caller
) -> None:
    """Keys and users are of the account; tokens are about the whole store, and 403."""
    await caller.operated("POST", "/accounts", {"name": "fern"})
    await caller.operated("POST", "/api-keys", {"account": "fern", "name": "Fern's"})
    visitor = await console_as(TokenRole.ADMIN, "demo")
    page = await visitor.get("/access/keys")

    assert "Fern's" not in page.text
    assert "/console/access/tokens" not in page.links
    assert 403 == (await visitor.get("/access/tokens")).status
    theirs = await record(caller, "/api-keys", "name", "Fern's")
    assert 404 == (await visitor.post(f"/access/keys/{theirs['id']}/revoke")).status
    assert 404 == (await visitor.post("/access/keys/new", {**KEY, "account": "fern"})).status
    own = {name: value for name, value in KEY.items() if name != "account"}
    assert 201 == (await visitor.post("/access/keys/new", own)).status
    made = await record(caller, "/api-keys", "name", "Web shop")
    (demo,) = [
        each
        for each in (await caller.operated("GET", "/accounts"))["data"]
        if each["name"] == "demo"
    ]
    assert demo["id"] == made["accountId"]


async def test_lists_page_as_the_api_does(console: Visitor) -> None:
    """The address of a page can be shared; one behind the end is empty, and says where it is."""
    for number in range(3):
        await console.post("/access/keys/new", {**KEY, "name": f"key {number}"})
    first = await console.get("/access/keys?pageSize=2")
    second = await console.get("/access/keys?pageSize=2&page=2")

    assert "key 2" in first.text
    assert "key 0" not in first.text
    assert "key 0" in second.text
    assert "/console/access/keys?pageSize=2&page=2" in first.links
