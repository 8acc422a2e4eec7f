"""Read the request that a config describes; every wrong member is noted by its path (C-63)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from attrs import field, frozen
from yarl import URL

from .....domain.errors import FieldProblem
from .....domain.limits import NO_CONTROLS, has_controls
from ....callable_urls import host_of
from ....public_addresses import address_in, is_address, is_public_or_own
from ..paths import text_of
from .bodies import Fields, FormBody, JsonBody, read_body, read_fields
from .placeholders import Filling, Placeholders, has_placeholder
from .requests import RequestTemplate, UrlTemplate, basic

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}")
# These headers belong to the connection, or frame the body.
_OURS = frozenset(
    {
        *("connection", "content-length", "expect", "host", "keep-alive", "te", "trailer"),
        *("transfer-encoding", "upgrade", "proxy-authorization", "proxy-connection"),
    }
)
_PATH_SAFE = "%!$&'()*+,;=:@-._~"
_NOT_THERE = "must have no placeholder in its scheme, host and port"


@frozen
class RequestReader:
    """Reads the members of a config that describe the request; notes what is wrong in `problems`."""

    config: Mapping[str, Any] = field(repr=False)
    placeholders: Placeholders
    problems: list[FieldProblem]

    def request(self) -> RequestTemplate | None:
        """Return the template of the request; None if it has no URL that can be called."""
        body = self._body()
        url = self._url()
        headers = self._headers(None if body is None else body.content_type)
        if url is None:
            return None
        return RequestTemplate(method=self.config["method"], url=url, headers=headers, body=body)

    def _url(self) -> UrlTemplate | None:
        text, place = str(self.config["url"]), "config.url"
        scheme, _, rest = text.partition("://")
        authority = re.split("[/?#]", rest, maxsplit=1)[0]
        origin = f"{scheme}://{authority}"
        if has_placeholder(origin):
            self._note(place, _NOT_THERE)
            return None
        try:
            host = host_of(text)
        except UnicodeError:
            self._note(place, "must be a URL")
            return None
        except ValueError as error:
            self._note(place, str(error))
            return None
        if is_address(host) and not is_public_or_own(address_in(host)):
            self._note(place, "must not be a link-local or metadata address")
        if "#" in text:
            self._note(place, "must not have a fragment")
        path, _, query = text[len(origin) :].partition("?")
        pieces = [self._piece(each) for each in (path or "/").split("/")]
        fields = read_fields(query, place, self.placeholders, self.problems) if query else ()
        return UrlTemplate(
            origin=str(URL(origin).origin()),
            pieces=tuple(pieces),
            query=(*(fields or ()), *self._query()),
        )

    def _piece(self, text: str) -> Filling:
        read = self.placeholders.read(text, "config.url", self.problems)
        return Filling(tuple(quote(each, safe=_PATH_SAFE) for each in read.literals), read.names)

    def _query(self) -> Fields:
        found = []
        for name, value in self._object("query").items():
            for each in value if isinstance(value, list | tuple) else [value]:
                found.append((name, self._value(each, f"config.query.{name}")))
            if has_placeholder(name):
                self._note("config.query", "must have placeholders in values, not in names")
        return found

    def _headers(self, content_type: str | None) -> Mapping[str, Filling]:
        found: dict[str, Filling] = {}
        for name, value in self._object("headers").items():
            place = f"config.headers.{name}"
            if not _TOKEN.fullmatch(name):
                self._note(
                    "config.headers", "must have names that HTTP allows, and no placeholders"
                )
            elif name.lower() in _OURS:
                self._note(place, "is a header that the HTTP client sets itself")
            elif name.lower() in (each.lower() for each in found):
                self._note(place, "is there twice")
            else:
                found[name] = self._value(value, place)
        names = {each.lower() for each in found}
        authorization = self._authorization()
        if authorization is not None and "authorization" in names:
            self._note("config.auth", "must not be there together with a header Authorization")
        elif authorization is not None:
            found["Authorization"] = Filling((authorization,))
        if content_type is not None and "content-type" not in names:
            found["Content-Type"] = Filling((content_type,))
        return found

    def _authorization(self) -> str | None:
        auth = self.config.get("auth")
        if auth is None:
            return None
        if len(auth) != 1:
            self._note("config.auth", "must have either basic or bearer")
            return None
        if "bearer" in auth:
            return f"Bearer {auth['bearer']}"
        username, password = auth["basic"]["username"], auth["basic"]["password"]
        if ":" in username:
            self._note("config.auth.basic.username", "must not have a colon")
        return basic(username, password)

    def _body(self) -> JsonBody | FormBody | None:
        method, place = self.config["method"], "config.body"
        if "body" not in self.config:
            if method != "GET":
                self._note(place, f"is required for {method}")
            return None
        if method == "GET":
            self._note(place, "must be left out: a GET has no body")
            return None
        return read_body(self.config["body"], place, self.placeholders, self.problems)

    def _object(self, name: str) -> Mapping[str, Any]:
        value = self.config.get(name, {})
        if isinstance(value, Mapping):
            return value
        self._note(f"config.{name}", "must be an object")
        return {}

    def _value(self, value: object, place: str) -> Filling:
        text = value if isinstance(value, str) else text_of(value)
        if text is None:
            self._note(place, "must be a text or a number")
        elif has_controls(text):
            self._note(place, NO_CONTROLS)
        return self.placeholders.read(text or "", place, self.problems)

    def _note(self, place: str, problem: str) -> None:
        self.problems.append(FieldProblem(place, problem))
