"""`Prefer: handling=strict` on every route with a body (C-93): unknown members are 400 by name."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from typing import Any

import pytest
from aiohttp.test_utils import TestClient, TestServer

from tests.entrypoints.message_templates.creating_rcs import BOUNDARY, TEXT, form, text, texts
from tests.entrypoints.messaging.sends import SMS
from tests.entrypoints.openapi.described import Document, Operation
from tests.entrypoints.openapi.test_answers import PIN, sent, shortly_before
from tests.entrypoints.openapi.test_sends import BODIES, SEND, WITH_SMS
from tests.fakes.providers import ScriptedProvider
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.demo.seeding import API_KEY
from watchword.entrypoints.http.app import Exposure, build_app
from watchword.entrypoints.http.route import ALL
from watchword.entrypoints.http.routes import OPERATOR_ROUTES
from watchword.entrypoints.settings import SANDBOX_ADMIN_TOKEN, Settings

STRICTLY = {"Prefer": "handling=strict"}
DOCUMENT = Document.read()
EXAMPLES = list(DOCUMENT.request_examples())
# Objects whose authors choose the names of the members.
FREE = ("templateParams", "paramDefaults", "customParams", "config", "Variables", "custRef")
# Members of sends that no reader asks for.
UNREAD = re.compile(r"^unheardOf$|interactive|audio\.caption")
UPLOAD = Operation("post", "/rcs/mediaupload")
# Others may send these, which replace, rebuild, find or tell all unless they say less.
ALWAYS_STRICT = {
    Operation("put", "/admin/v1/guard"),
    Operation("post", "/messages/search"),
    *(
        Operation("post", f"/admin/v1/{each}")
        for each in (
            "callbacks",
            "rebuild",
            "guard/replay",
            "messages/search",
            "verifications/search",
        )
    ),
}
ROWS = {(each.method, each.path): each for each in OPERATOR_ROUTES}
# An adapter reads its provider's posts, in that provider's own form.
BY_PROVIDERS = "/callbacks/{channelAccountId}"


def objects(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every object in a body, with its path."""
    if isinstance(value, dict):
        if (
            not any(path.rpartition(".")[2].endswith(name) for name in FREE)
            and "custRef" not in path
        ):
            yield path, value
        for name, each in value.items():
            yield from objects(each, f"{path}.{name}" if path else name)
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield from objects(each, f"{path}[{index}]")


def problems_in(told: Any) -> list[Any]:
    """Return the wrong fields that a refusal names, in the form of any area."""
    if "responseCode" in told:
        return list((told.get("data") or {}).get("fields", []))
    held = told.get("error", told)
    return list(held.get("errors") or held.get("details", {}).get("fields", []))


@pytest.mark.parametrize(
    ("operation", "body"), [pytest.param(o, body, id=f"{o} {name}") for o, name, body in EXAMPLES]
)
async def test_a_known_body_is_handled_as_ever(
    client: TestClient, operation: Operation, body: Any
) -> None:
    """The document's examples are accepted, and the answer says how they were handled."""
    await shortly_before(client, body)
    answer = await sent(client, operation, body, STRICTLY)

    assert "is not known here" not in await answer.text()
    assert answer.status < 400 or answer.status == 422
    if operation.path != BY_PROVIDERS:
        assert "handling=strict" == answer.headers["Preference-Applied"]


@pytest.mark.parametrize(
    ("operation", "body"),
    [
        pytest.param(o, body, id=f"{o} {name}")
        for o, name, body in EXAMPLES
        if o.path != BY_PROVIDERS
    ],
)
async def test_an_unknown_member_is_named_wherever_it_stands(
    client: TestClient, operation: Operation, body: Any
) -> None:
    """In every object of every example, by its path; several of them at once."""
    wrong = copy.deepcopy(body)
    paths = []
    for path, each in list(objects(wrong)):
        each["unheardOf"] = {"inner": 1}
        paths.append(f"{path}.unheardOf" if path else "unheardOf")
    answer = await sent(client, operation, wrong, STRICTLY)
    told = problems_in(await answer.json())

    assert sorted(paths)[:20] == sorted(each["field"] for each in told)
    assert {"is not known here"} == {each["message"] for each in told}
    assert "handling=strict" == answer.headers["Preference-Applied"]


def test_every_operation_that_takes_json_has_an_example() -> None:
    """Without one, the tests above would leave a route out."""
    operations = {o for o in DOCUMENT.operations if DOCUMENT.takes_json(o)}

    assert {UPLOAD} == operations - {operation for operation, _, _ in EXAMPLES}


async def test_forms_and_uploads_name_what_is_unknown(client: TestClient) -> None:
    """Fields of a form, members of its `data`, and of an upload's JSON, are as exact."""
    headers = STRICTLY | {"apikey": API_KEY}
    kind = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}
    reply = {"suggestionType": "reply", "displayText": "Yes", "postback": "yes", "unheardOf": 1}
    parts = *texts({**TEXT, "unheardOf": 1, "suggestions": [reply]}), text("more", "1")
    made = await client.post("/rcs/templates?tea=1", data=form(*parts), headers=headers | kind)
    url = {"message_type": "image", "senderProfileName": "Tea", "url": "http://127.0.0.1:9/x"}
    upload = await client.post(UPLOAD.path, json={**url, "urls": 1}, headers=headers)

    assert {"tea", "more", "data.unheardOf", "data.suggestions[0].unheardOf"} == {
        each["field"] for each in problems_in(await made.json())
    }
    assert "urls" in await upload.text()
    assert "handling=strict" == made.headers["Preference-Applied"]


async def test_query_parameters_are_named_beside_members(client: TestClient) -> None:
    """All that is unknown of a request is in one answer; of a list it is the parameters."""
    pins = STRICTLY | {"Authorization": f"Bearer {API_KEY}"}
    body = {"destination": "", "templatId": "tpl_demo"}
    created = await client.post("/v1/pins?tea=1", json=body, headers=pins)
    fields = problems_in(await created.json())
    listed = await client.get("/v1/templates?serch=tea&page=1", headers=pins)
    history = await client.get(
        "/history?recipent=1&limit=x", headers=STRICTLY | {"apikey": API_KEY}
    )

    assert {"destination", "templateId", "templatId", "tea"} == {each["field"] for each in fields}
    assert {"field": "templatId", "message": "is not known here; did you mean templateId"} in fields
    assert ["serch"] == [each["field"] for each in problems_in(await listed.json())]
    assert ["limit", "recipent"] == [each["field"] for each in problems_in(await history.json())]


@pytest.mark.parametrize(
    "operation",
    [
        o
        for o in DOCUMENT.operations
        if o.method == "get" and DOCUMENT.wants_a_key(o) and o.path != BY_PROVIDERS
    ],
    ids=str,
)
async def test_every_route_that_is_asked_something_names_unknown_parameters(
    client: TestClient, operation: Operation
) -> None:
    """Before it looks anything up, and for any caller."""
    path = re.sub(r"\{\w+\}", "id_0", operation.path)
    key = SANDBOX_ADMIN_TOKEN if path.startswith("/admin/") else API_KEY
    headers = STRICTLY | {"apikey": API_KEY, "Authorization": f"Bearer {key}"}
    answer = await client.get(f"{path}?unheardOf=1", headers=headers)

    assert 400 == answer.status
    assert ["unheardOf"] == [each["field"] for each in problems_in(await answer.json())]
    assert "handling=strict" == answer.headers["Preference-Applied"]


async def test_without_the_preference_the_unknown_is_ignored(client: TestClient) -> None:
    """It is ignored by default (C-9), and no answer names a preference that was not applied."""
    for prefer in ({}, {"Prefer": "handling=lenient"}, {"Prefer": "respond-async"}):
        answer = await client.post(
            "/v1/pins?tea=1",
            json={**PIN, "unheardOf": 1},
            headers={"Authorization": f"Bearer {API_KEY}", **prefer},
        )

        assert 201 == answer.status
        assert "Preference-Applied" not in answer.headers


@pytest.mark.parametrize(
    ("operation", "body"),
    [
        pytest.param(o, body, id=f"{o} {name}")
        for o, name, body in EXAMPLES
        if o.path != BY_PROVIDERS and "unheardOf" not in body
    ],
)
async def test_what_admins_alone_may_do_takes_nothing_unknown(
    client: TestClient, operation: Operation, body: Any
) -> None:
    """A misspelt member of what opens or closes the store is 400, whoever asks (D-547)."""
    await shortly_before(client, body)
    row = ROWS.get((operation.method.upper(), operation.path))
    for_admins = row is not None and row.needs == ALL
    answer = await sent(client, operation, {**body, "unheardOf": 1}, {})
    unknown = {"field": "unheardOf", "message": "is not known here"}
    refused = answer.status == 400 and unknown in problems_in(await answer.json())

    assert refused == (for_admins or operation in ALWAYS_STRICT)


async def test_a_key_is_asked_for_first(client: TestClient) -> None:
    """A caller without a key learns nothing, and the preference is not applied."""
    answer = await client.post("/v1/pins?tea=1", json={"unheardOf": 1}, headers=STRICTLY)

    assert 401 == answer.status
    assert "Preference-Applied" not in answer.headers


async def test_an_embedders_object_goes_on_as_it_is() -> None:
    """Only an embedder's adapter knows the members of its object (C-52)."""
    settings = Settings(store="memory://", sandbox=True)
    providers = {"viber": ScriptedProvider()}
    fallback = {**WITH_SMS, "fallback_id": "v", "viber": {"sender": "x", "tea": {"more": 1}}}
    body = {"sms": [SMS], "fallback": fallback}
    configured = {"fallback_id": "v", "steps": ["sms", "viber"]}
    account = {"channelType": "viber", "provider": "viber", "name": "v", "sender": "x"}
    admin = STRICTLY | {"Authorization": f"Bearer {SANDBOX_ADMIN_TOKEN}"}
    async with wired(settings, providers=providers, run_due=False) as service:
        app = build_app(service, Exposure(admin_token=SANDBOX_ADMIN_TOKEN))
        async with TestClient(TestServer(app)) as opened:
            await opened.post("/admin/v1/channel-accounts", json=account, headers=admin)
            root = "/admin/v1/fallback-configurations"
            await opened.post(root, json=configured, headers=admin)
            key = {"apikey": API_KEY}
            loose = await opened.post(SEND.path, json=body, headers=key)
            strict = await opened.post(SEND.path, json=body, headers=key | STRICTLY)
            told = await loose.text() + await strict.text()

    assert (200, 200) == (loose.status, strict.status), told


async def test_sends_without_unknown_members_are_judged_alike(client: TestClient) -> None:
    """Strict handling refuses no send for an ignored member, or for a third party's."""
    key = {"apikey": API_KEY}
    for body in BODIES:
        loose = await client.post(SEND.path, json=body, headers=key)
        strict = await client.post(SEND.path, json=body, headers=key | STRICTLY)
        unknown = [
            each["field"]
            for each in problems_in(await strict.json())
            if each["message"].startswith("is not known here")
        ]

        assert loose.status == strict.status or unknown, body
        assert all(UNREAD.search(each) for each in unknown), (body, unknown)


@pytest.mark.parametrize(
    "operation",
    [
        each
        for each in DOCUMENT.operations
        if each.path.startswith("/admin/v1/")
        and "/sandbox/" not in each.path
        and each.method != "get"
        and not DOCUMENT.takes_json(each)
    ],
    ids=str,
)
async def test_what_reads_no_body_refuses_one(client: TestClient, operation: Operation) -> None:
    """An operators' route without a documented body names its members, and does nothing."""
    path = re.sub(r"\{\w+\}", "id_0", operation.path)
    headers = {**STRICTLY, "Authorization": f"Bearer {SANDBOX_ADMIN_TOKEN}"}
    answer = await client.request(operation.method, path, json={"unheardOf": 1}, headers=headers)

    assert ["unheardOf"] == [each["field"] for each in problems_in(await answer.json())]
    assert "handling=strict" == answer.headers["Preference-Applied"]


async def test_answers_that_are_no_json_say_it_too(client: TestClient) -> None:
    """A head, a tile, and the lines of a rebuild also name the preference that was applied."""
    headers = {**STRICTLY, "Authorization": f"Bearer {SANDBOX_ADMIN_TOKEN}"}
    log = "/admin/v1/log"
    await client.post(f"{log}/seal", headers=headers)
    answers = [
        await client.get(f"{log}/{each}", headers=headers)
        for each in ("checkpoint", "tile/0/000.p/1")
    ]
    lines = {**headers, "Accept": "application/x-ndjson"}
    answers.append(await client.post("/admin/v1/rebuild", json={}, headers=lines))

    assert ["text/plain", "application/octet-stream", "application/x-ndjson"] == [
        each.content_type for each in answers
    ]
    assert ["handling=strict"] * 3 == [each.headers.get("Preference-Applied") for each in answers]
