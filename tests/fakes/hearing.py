"""A courier with an answer of its own for each post, and one address for the posts of several accounts."""

from __future__ import annotations

import hmac
import json
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import attrs

from tests.fakes.signing import SIGNATURE, SigningProvider, signature, told
from watchword.application.ports.channels import (
    Heard,
    Post,
    Report,
    Setting,
    checked_config,
)
from watchword.domain.accounts.api_key import UnauthorizedError
from watchword.domain.errors import FieldProblem, ValidationFailedError

ANSWER = b"<Response/>"


class HearingProvider(SigningProvider):
    """A courier whose accounts share a secret and differ in their phone; it notes each post."""

    def __init__(self) -> None:
        super().__init__()
        self.posts: list[Post] = []

    @property
    def settings(self) -> Sequence[Setting]:
        """A secret, and a phone that everybody may see."""
        return (
            Setting(name="secret", required=True),
            Setting(name="phone", secret=False),
        )

    @property
    def signing_setting(self) -> str:
        """The secret checks posts."""
        return "secret"

    def check_config(self, config: Mapping[str, Any]) -> Mapping[str, Any]:
        """Check the settings as they are declared."""
        return checked_config(self.settings, config)

    async def hear(self, config: Mapping[str, Any], post: Post) -> Heard:
        """Answer a challenge in a GET; read a letter in a POST."""
        self.posts.append(post)
        if post.method == "GET":
            return _challenged(config, post)
        given = post.headers.get(SIGNATURE, "").encode(errors="replace")
        if not hmac.compare_digest(given, signature(post.body, config["secret"]).encode()):
            raise UnauthorizedError
        try:
            news = json.loads(post.body)["news"]
        except (ValueError, LookupError, TypeError):
            raise ValidationFailedError([FieldProblem("body", "is no letter")]) from None
        reports, unreadable = _read(news)
        return Heard(
            reports=reports,
            unreadable=unreadable,
            content_type="text/xml",
            body=ANSWER,
        )


def about(phone: str, news: Mapping[str, Any]) -> dict[str, Any]:
    """Address news to the account with this phone."""
    return {**news, "phone": phone}


def _challenged(config: Mapping[str, Any], post: Post) -> Heard:
    query = dict(parse_qsl(urlsplit(post.url).query))
    if query.get("token") != config["secret"]:
        return Heard(status=403, content_type="text/plain", body=b"Wrong token.")
    return Heard(content_type="text/plain", body=query["challenge"].encode())


def _read(news: Sequence[Mapping[str, Any]]) -> tuple[Sequence[Report], int]:
    reports: list[Report] = []
    unreadable = 0
    for each in news:
        try:
            addressed_to = {"phone": each["phone"]} if "phone" in each else {}
            reports.append(attrs.evolve(told(each), addressed_to=addressed_to))
        except (LookupError, TypeError, ValueError):
            unreadable += 1
    return reports, unreadable
