"""The clients have every call of an API key, and a class for every documented code."""

from __future__ import annotations

import inspect
import json
import pickle
from pathlib import Path
from typing import Any

import pytest

import watchword.client
from tools.blocking_client import modules
from watchword.client import (
    AnswerLostError,
    ApiError,
    AsyncClient,
    Client,
    PinExpiredError,
    PinIncorrectError,
    UnreadableAnswerError,
    WatchwordError,
)
from watchword.entrypoints.client import calls
from watchword.entrypoints.client.calls import Again, Call
from watchword.entrypoints.client.errors.by_code import ERROR_CLASSES, api_error
from watchword.entrypoints.http.openapi_document import OPENAPI
from watchword.entrypoints.http.statuses import STATUSES

PATHS = json.loads(OPENAPI.read_bytes())["paths"]
# Second addresses of one call. The clients post the filters of a search: logs of addresses hold no numbers.
ALIASES = {
    "fetchTemplatesAtShortPath": "fetchTemplates",
    "reportMessages": "reportMessagesByBody",
    "sendMessagesAtShortPath": "sendMessages",
}
CALLS = [each for each in vars(calls).values() if isinstance(each, Call)]
GROUPS = [
    "media",
    "messages",
    "opt_lists",
    "pin_templates",
    "pins",
    "rcs_templates",
    "whatsapp_templates",
]


def operations() -> dict[str, tuple[str, str, dict[str, Any]]]:
    """Return the described operations by name: method, path, description."""
    return {
        operation["operationId"]: (method.upper(), path, operation)
        for path, item in PATHS.items()
        for method, operation in item.items()
    }


def _needs_api_key(operation: dict[str, Any]) -> bool:
    named = {name for each in operation.get("security", []) for name in each}
    return bool(named & {"ApiKey", "ApiKeyHeader"})


def test_every_route_of_an_api_key_has_a_call() -> None:
    """What `/openapi.json` describes for API keys is in the clients, under one of its addresses."""
    wanted = {name for name, (_, _, each) in operations().items() if _needs_api_key(each)}

    assert len(wanted) > 20
    assert {ALIASES.get(name, name) for name in wanted} == {each.name for each in CALLS}


@pytest.mark.parametrize("call", CALLS, ids=lambda each: f"{each.name}-{each.answer.__name__}")
def test_a_call_is_as_described(call: Call[Any]) -> None:
    """Method and path are those of the operation, and a key goes out where one is described."""
    method, path, operation = operations()[call.name]
    parameters = [str(each.get("$ref", "")) for each in operation["parameters"]]

    assert (method, path.replace("pinId", "pin_id")) == (call.method, call.path)
    assert (call.again is Again.BY_KEY) == any("Idempotency-Key" in each for each in parameters)


def test_every_call_is_made_by_a_method() -> None:
    """No description of a call is there that nothing uses."""
    folder = Path(inspect.getfile(AsyncClient)).parent
    text = "".join(each.read_text() for each in folder.glob("*.py"))
    names = [name for name, each in vars(calls).items() if isinstance(each, Call)]

    assert [] == [name for name in names if f"calls.{name}" not in text]


def test_there_is_a_class_for_each_documented_code() -> None:
    """Each can be caught by name, and its status is the documented one."""
    assert STATUSES.keys() == ERROR_CLASSES.keys()
    public = {each for each in vars(watchword.client).values() if isinstance(each, type)}
    assert {*ERROR_CLASSES.values()} <= public


@pytest.mark.parametrize("code", STATUSES)
def test_a_code_is_raised_as_its_class(code: str) -> None:
    """The class that is named after the code has all that the answer said."""
    error = api_error(
        code,
        "No tea.",
        status=STATUSES[code],
        details={"rule": "tea"},
        request_id="r-1",
        retry_after=3.0,
    )

    assert type(error) is not ApiError
    expected = "".join(word.title() for word in code.split("_")).removesuffix("Error") + "Error"
    assert expected == type(error).__name__
    assert (code, "No tea.", STATUSES[code]) == (error.code, error.message, error.status)
    assert ({"rule": "tea"}, "r-1", 3.0) == (error.details, error.request_id, error.retry_after)
    assert f"{code}: No tea. [request r-1]" == str(error)


def test_an_unknown_code_is_still_an_error() -> None:
    """A newer service may refuse with a code that this client does not know."""
    error = api_error("teapot", "Short.", status=418, details={}, request_id=None, retry_after=None)

    assert (ApiError, "teapot", 418) == (type(error), error.code, error.status)


@pytest.mark.parametrize(
    "error",
    [
        PinIncorrectError("No.", details={"attemptsRemaining": 4}, request_id="r-1"),
        PinExpiredError("No."),
        AnswerLostError("No answer came."),
        UnreadableAnswerError("Too long.", status=200, retry_after=1.5),
    ],
)
def test_an_error_comes_whole_out_of_another_process(error: WatchwordError) -> None:
    """Pools of processes and queues of tasks pickle what a call raised."""
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - pickled here

    assert type(error) is type(again)
    assert (str(error), vars(error)) == (str(again), vars(again))


def test_the_blocking_client_is_up_to_date() -> None:
    """It is what `make client` writes from the asynchronous one (D-531)."""
    written = modules()

    assert written
    assert {} == {path: text for path, text in written.items() if path.read_text() != text}


@pytest.mark.parametrize("group", GROUPS)
def test_both_clients_have_the_same_calls(group: str) -> None:
    """Each method of the one is in the other, with the same parameters."""
    one = getattr(Client("http://tea.example", "k"), group)
    other = getattr(AsyncClient("http://tea.example", "k"), group)
    names = [name for name in dir(one) if not name.startswith("_")]

    assert names
    assert names == [name for name in dir(other) if not name.startswith("_")]
    for name in names:
        parameters = [inspect.signature(getattr(each, name)).parameters for each in (one, other)]
        assert parameters[0] == parameters[1]
        assert "timeout" in parameters[0]


def test_every_public_name_is_exported() -> None:
    """`__all__` has every class that a caller passes, receives or catches."""
    public = {name for name, each in vars(watchword.client).items() if isinstance(each, type)}

    assert public == {*watchword.client.__all__}
