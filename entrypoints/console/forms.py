"""Fields that a page's form posts, or is filled with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import islice
from urllib.parse import parse_qsl

from aiohttp import web

from ...domain.errors import FieldProblem, ValidationFailedError
from ..http.listener.bodies import MAX_BODY, read_body
from ..http.listener.large_bodies import LARGE, LARGE_BODIES

_TYPE = "application/x-www-form-urlencoded"
# A PIN template has up to 100 entries, each with more than a dozen fields (D-528).
_MOST_FIELDS = 2000
# A form with more is not read further down than this by whoever corrects it, and its page has to end.
_MOST_PROBLEMS = 200


class Form:
    """
    The texts of a form's fields, and what is wrong with them.

    A problem belongs to the field of its path in the documented spelling (`channels[0].contentText`).
    """

    def __init__(
        self, given: Mapping[str, Sequence[str]], problems: Iterable[FieldProblem] = ()
    ) -> None:
        self._given = given
        self.problems = tuple(islice(problems, _MOST_PROBLEMS))

    @classmethod
    def of(cls, **values: str | Sequence[str] | None) -> Form:
        """Return a form that is filled with values; None leaves a field empty."""
        return cls(
            {
                name: [value] if isinstance(value, str) else list(value)
                for name, value in values.items()
                if value is not None
            }
        )

    @classmethod
    def of_query(cls, request: web.Request) -> Form:
        """Return the form that an address fills in."""
        return cls({name: request.query.getall(name) for name in request.query})

    def get(self, name: str, default: str = "") -> str:
        """Return the text of a field without blanks around it; the default for an absent one."""
        given = self._given.get(name)
        return given[-1].strip() if given else default

    def optional(self, name: str) -> str | None:
        """Return the text of a field; None for an empty one."""
        return self.get(name) or None

    def all(self, name: str) -> list[str]:
        """Return the texts of a field that comes several times."""
        return list(self._given.get(name, ()))

    def checked(self, name: str) -> bool:
        """Return whether a box is ticked."""
        return name in self._given

    def names(self) -> list[str]:
        """Return the names of the fields that there are."""
        return list(self._given)

    def problem(self, name: str) -> str:
        """Return what is wrong with a field; nothing if it is right."""
        return "; ".join(each.message for each in self.problems if each.path == name)

    def with_fields(self, given: Mapping[str, str]) -> Form:
        """Return the form with further fields, or others of the same names."""
        added = {name: [text] for name, text in given.items()}
        return Form({**self._given, **added}, self.problems)

    def with_problems(self, refusal: ValidationFailedError) -> Form:
        """Return the same fields with the problems of a refusal."""
        return Form(self._given, refusal.problems)


async def posted(request: web.Request, most: int = MAX_BODY) -> Form:
    """
    Read the form of at most so many bytes that a request posts.

    Raises `HTTPUnsupportedMediaType` for another type, `BodyTooLarge`, and `ValidationFailedError` for what
    is no UTF-8 or has too many fields.
    """
    if request.content_type != _TYPE:
        raise web.HTTPUnsupportedMediaType
    body = await read_body(request, most)
    if len(body) <= LARGE:
        return _read(body)
    # Each quoted byte is a piece of work, and a form can have 300,000 of them (D-571).
    return await request.app[LARGE_BODIES].do(partial(_read, body))


def _read(body: bytes) -> Form:
    try:
        pairs = parse_qsl(
            body.decode(),
            keep_blank_values=True,
            max_num_fields=_MOST_FIELDS,
            errors="strict",
        )
    except ValueError:
        rule = f"must be a form in UTF-8 with at most {_MOST_FIELDS} fields"
        raise ValidationFailedError([FieldProblem("body", rule)]) from None
    given: dict[str, list[str]] = {}
    for name, value in pairs:
        given.setdefault(name, []).append(value.replace("\r\n", "\n"))
    return Form(given)
