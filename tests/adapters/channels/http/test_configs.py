"""A config is checked as a whole when it is created; each wrong member is named by its path (C-63)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from tests.adapters.channels.http.counterparts import MESSAGE, Counterpart
from watchword.adapters.channels.http import config as configs
from watchword.adapters.channels.http import settings
from watchword.adapters.channels.http.presets import PRESETS, AnswerPaths, Preset
from watchword.adapters.channels.http.provider import HttpProvider
from watchword.application.ports.channels import Accepted, Setting
from watchword.domain.errors import ValidationFailedError
from watchword.domain.event import MASK

CONFIG: Mapping[str, Any] = {
    "method": "POST",
    "url": "https://api.example.com/messages",
    "body": {"to": "{{destination}}", "text": "{{text}}"},
    "accepted": {"idPath": "id"},
}
GOOD_REJECTED = {"codePath": "code", "messagePath": "words"}


def wrong_members(config: Mapping[str, Any]) -> list[str]:
    """Return the paths of what is wrong with a config."""
    with pytest.raises(ValidationFailedError) as refusal:
        HttpProvider().check_config(config)
    return [each.field for each in refusal.value.problems]


@pytest.mark.parametrize(
    "members",
    [
        {},
        {"method": "PUT", "body": '{"text": "{{text}}"}'},
        {"body": "to={{destination}}&text={{text}}"},
        {"body": {}},
        {"url": "http://127.0.0.1:8080/a%20b/{{reference}}?to={{destination}}"},
        {"url": "https://[::1]/send"},
        {"url": "https://api.example.com"},
        {"url": "https://api.example.com?to={{destination}}"},
        {"auth": {"bearer": "t"}, "headers": {"X-A": "{{text}}", "X-B": 7}},
        {"query": {"a": "{{text}}", "b": ["1", 2]}},
        {"accepted": {"id": "{{reference}}", "status": [202], "whenPath": "/a~1b", "in": [0]}},
        {"rejected": {**GOOD_REJECTED, "faults": {"1": "busy"}}},
    ],
)
def test_a_right_config_is_kept_as_it_is(members: Mapping[str, Any]) -> None:
    """The form to store is the form that came."""
    config = {**CONFIG, **members}

    assert config == HttpProvider().check_config(config)


@pytest.mark.parametrize(
    ("members", "paths"),
    [
        ({"tea": "green"}, ["config.tea"]),
        ({"method": "DELETE"}, ["config.method"]),
        ({"url": "ftp://api.example.com/"}, ["config.url"]),
        ({"url": "{{config.method}}://api.example.com/"}, ["config.url"]),
        ({"url": "https://{{destination}}/"}, ["config.url"]),
        ({"url": "https://{{destination}}.example.com/a"}, ["config.url"]),
        ({"url": "https://api.example.com:{{ttl}}/"}, ["config.url"]),
        ({"url": "https://api.example.com/{{tea}}"}, ["config.url"]),
        ({"url": "https://api.example.com/?a={{tea}}"}, ["config.url"]),
        ({"url": "https://api.example.com/?{{text}}=a"}, ["config.url"]),
        ({"url": "https://api.example.com/#a"}, ["config.url"]),
        ({"url": "https://shop:secret@api.example.com/"}, ["config.url"]),
        ({"url": "http://169.254.169.254/latest"}, ["config.url"]),
        ({"url": "http://[fe80::1]/"}, ["config.url"]),
        ({"url": "http://127.1/"}, ["config.url"]),
        ({"url": "https://api.example.com:0/a"}, ["config.url"]),
        ({"url": "https://api.example.com\\@inside/a"}, ["config.url"]),
        ({"url": "https:///a"}, ["config.url"]),
        ({"query": "a=b"}, ["config.query"]),
        ({"query": {"a": {"b": "c"}}}, ["config.query.a"]),
        ({"query": {"{{text}}": "c"}}, ["config.query"]),
        ({"headers": ["X-A"]}, ["config.headers"]),
        ({"headers": {"X-{{text}}": "a"}}, ["config.headers"]),
        ({"headers": {"X A": "a"}}, ["config.headers"]),
        ({"headers": {"Host": "inside"}}, ["config.headers.Host"]),
        ({"headers": {"content-length": "0"}}, ["config.headers.content-length"]),
        ({"headers": {"Transfer-Encoding": "chunked"}}, ["config.headers.Transfer-Encoding"]),
        ({"headers": {"X-A": "a\r\nX-B: b"}}, ["config.headers.X-A"]),
        ({"headers": {"X-A": "a", "x-a": "b"}}, ["config.headers.x-a"]),
        ({"headers": {"X-A": None}}, ["config.headers.X-A"]),
        ({"auth": {}}, ["config.auth"]),
        ({"auth": "token"}, ["config.auth"]),
        ({"auth": {"bearer": "a\nb"}}, ["config.auth.bearer"]),
        ({"auth": {"basic": {"username": "a"}}}, ["config.auth.basic.password"]),
        (
            {"auth": {"basic": {"username": "a:b", "password": "c"}}},
            ["config.auth.basic.username"],
        ),
        (
            {"auth": {"bearer": "a", "basic": {"username": "a", "password": "c"}}},
            ["config.auth"],
        ),
        ({"auth": {"bearer": "a"}, "headers": {"authorization": "b"}}, ["config.auth"]),
        ({"method": "GET"}, ["config.body"]),
        ({"body": None}, ["config.body"]),
        ({"body": 7}, ["config.body"]),
        ({"body": "to"}, ["config.body"]),
        ({"body": '{"to": {{destination}}}'}, ["config.body"]),
        ({"body": {"list": [{"to": "{{tea}}"}]}}, ["config.body.list[0].to"]),
        ({"body": {"to": "{{text"}}, ["config.body.to"]),
        ({"body": {"{{text}}": "a"}}, ["config.body"]),
        ({"body": "{{text}}=a"}, ["config.body"]),
        ({"body": json.loads("[" * 40 + "]" * 40)}, ["config.body" + "[0]" * 33]),
        ({"accepted": {}}, ["config.accepted"]),
        ({"accepted": "id"}, ["config.accepted"]),
        ({"accepted": {"idPath": "a..b"}}, ["config.accepted.idPath"]),
        ({"accepted": {"idPath": "a", "id": "b"}}, ["config.accepted"]),
        ({"accepted": {"id": "{{tea}}"}}, ["config.accepted.id"] * 2),
        ({"accepted": {"id": "{{text}}"}}, ["config.accepted.id"]),
        ({"accepted": {"id": "{{reference}}-{{destination}}"}}, ["config.accepted.id"]),
        ({"accepted": {"id": "{{config.method}}"}}, ["config.accepted.id"]),
        ({"accepted": {"idPath": "a", "whenPath": "b"}}, ["config.accepted"]),
        ({"accepted": {"idPath": "a", "whenPath": "b", "in": []}}, ["config.accepted.in"]),
        ({"accepted": {"idPath": "a", "whenPath": "b", "in": [{}]}}, ["config.accepted.in[0]"]),
        ({"accepted": {"idPath": "a", "status": 200}}, ["config.accepted.status"]),
        ({"accepted": {"idPath": "a", "status": []}}, ["config.accepted.status"]),
        ({"accepted": {"idPath": "a", "status": [200, 302]}}, ["config.accepted.status[1]"]),
        ({"accepted": {"idPath": "a", "status": [True]}}, ["config.accepted.status[0]"]),
        ({"rejected": {"codePath": "a"}}, ["config.rejected.messagePath"]),
        ({"rejected": {**GOOD_REJECTED, "faults": ["1"]}}, ["config.rejected.faults"]),
        ({"rejected": {**GOOD_REJECTED, "faults": {"1": "tea"}}}, ["config.rejected.faults.1"]),
        ({"preset": "tea"}, ["config.preset"]),
        ({"preset": 7}, ["config.preset"]),
    ],
)
def test_a_wrong_member_is_named_by_its_path(members: Mapping[str, Any], paths: list[str]) -> None:
    """The rest of the config is right."""
    found = wrong_members({**CONFIG, **members})

    assert paths == [each for each in found if not members.get("preset") or each in paths]


@pytest.mark.parametrize("missing", ["method", "url", "body", "accepted"])
def test_a_missing_member_is_named_by_its_path(missing: str) -> None:
    """A described API has these four."""
    config = {name: each for name, each in CONFIG.items() if name != missing}

    assert [f"config.{missing}"] == wrong_members(config)


def test_all_wrong_members_are_named_at_once() -> None:
    """One answer suffices to mend a config."""
    config = {
        **CONFIG,
        "tea": "green",
        "url": "https://{{text}}/",
        "headers": {"Host": "a"},
        "body": {"a": "{{b}}"},
        "accepted": {"idPath": "a..b"},
    }

    assert {
        "config.tea",
        "config.url",
        "config.headers.Host",
        "config.body.a",
        "config.accepted.idPath",
    } == {*wrong_members(config)}


@pytest.mark.parametrize("section", ["receipt", "inbound"])
def test_a_mask_in_the_place_of_a_token_becomes_a_new_token(section: str) -> None:
    """The token was lost with its code key; of a preset, it stands in `callbackToken` (D-260)."""
    sections: Mapping[str, Mapping[str, Any]] = {
        "receipt": {"idPath": "id", "statusPath": "state", "statuses": {"7": "delivered"}},
        "inbound": {"senderPath": "from", "recipientPath": "to", "textPath": "text"},
    }
    masked = {"signature": {"kind": "query_token", "secret": MASK}}
    provider = HttpProvider()
    described = provider.check_config({**CONFIG, section: {**sections[section], **masked}})
    preset = provider.check_config(
        {"preset": "infobip", "baseUrl": "https://x.example", "apiKey": "k", "callbackToken": MASK}
    )

    for made in (described[section]["signature"]["secret"], preset["callbackToken"]):
        assert MASK != made
        assert 32 == len(made)


def test_a_config_is_read_once() -> None:
    """An equal one is not read again, until a thousand others were."""
    read = configs.ReadConfigs()
    first = read.of(dict(CONFIG))
    others = [{**CONFIG, "accepted": {"idPath": f"id{number}"}} for number in range(1_000)]
    for each in others[:-1]:
        read.of(each)

    assert first is read.of(dict(CONFIG))
    read.of(others[-1])
    assert first is not read.of(dict(CONFIG))


PARAMETERS = (
    Setting(name="apiKey", required=True, help="The key."),
    Setting(name="shop", required=True, secret=False, help="The shop."),
)


def _tea(parameters: Mapping[str, Any]) -> Mapping[str, Any]:
    return {
        "method": "POST",
        "url": parameters["url"] + "/{{config.shop}}",
        "auth": {"bearer": parameters["apiKey"]},
        "body": "text={{text}}",
        "accepted": {"idPath": "id"},
    }


async def test_a_preset_stands_for_a_config(
    monkeypatch: pytest.MonkeyPatch, theirs: Counterpart
) -> None:
    """Its parameters alone are its settings; sends go where its config says, with its own codes."""
    url = Setting(name="url", required=True, secret=False, help="The address.")
    public_key = Setting(name="apiKey", secret=False, help="No secret here.")
    known = {
        **PRESETS,
        "tea": Preset(
            settings=(*PARAMETERS, url), expand=_tea, answer_paths=AnswerPaths(segments="parts")
        ),
        "coffee": Preset(settings=(public_key,), expand=_tea),
    }
    monkeypatch.setattr(settings, "PRESETS", known)
    monkeypatch.setattr(configs, "PRESETS", known)
    provider = HttpProvider()
    config = {"preset": "tea", "apiKey": "k3y", "shop": "a/b", "url": theirs.url}
    theirs.body = b'{"id": 7, "parts": "2"}'
    accepted = await provider.send(config, MESSAGE)
    theirs.status = 400
    rejected = await provider.send(config, MESSAGE)
    await provider.close()

    assert Accepted("7", 2) == accepted
    assert "tea_400" == getattr(rejected, "code", None)
    assert ("/a%2Fb", ["Bearer k3y"]) == (
        theirs.seen[0].raw_path,
        theirs.seen[0].header("Authorization"),
    )
    assert ["config.method", "config.shop"] == sorted(
        wrong_members({"preset": "tea", "apiKey": "k3y", "url": theirs.url, "method": "GET"})
    )
    assert [True] == [each.secret for each in provider.settings if each.name == "apiKey"]
