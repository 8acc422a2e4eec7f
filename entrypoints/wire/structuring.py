"""Builds requests from plain data strictly, and reports every wrong field at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime
from enum import StrEnum
from functools import partial
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

import attrs
import cattrs
from cattrs import (
    AttributeValidationNote,
    ClassValidationError,
    IterableValidationError,
    IterableValidationNote,
)
from cattrs.gen import make_dict_structure_fn, override

from ...domain.errors import MOST_PROBLEMS, FieldProblem, ValidationFailedError, camel
from ...domain.rate_limit import Duration, Rate
from .known_members import Remembering
from .lenient_values import LENIENT
from .tagged_unions import is_tagged_union, tagged_union_hook
from .value_hooks import day, exactly, member, number, one_of, rate_or_duration, text, time

T = TypeVar("T")

# By request type: cattrs' own look-up of a hook takes a quarter of the hook's time (measured).
_hooks: dict[type, Callable[[Any, Any], Any]] = {}


def structure(value: Any, kind: type[T], path: str = "") -> T:
    """
    Build a request, or its part at `path`, from data in the documented spelling.

    Raises `ValidationFailedError`, which names every wrong field. Unknown members are ignored (C-9).
    """
    if not isinstance(value, dict):
        raise ValidationFailedError([FieldProblem(path or "body", "must be an object")])
    try:
        hook = _hooks.get(kind) or _hooks.setdefault(kind, _requests.get_structure_hook(kind))
        made: T = hook(value, kind)
    except (ClassValidationError, IterableValidationError) as group:
        raise ValidationFailedError(_problems(group, path)) from None
    return made


def _problems(error: BaseException, path: str) -> list[FieldProblem]:
    """Flatten cattrs' tree of errors into one problem per wrong field."""
    match error:
        case ClassValidationError() | IterableValidationError():
            noted, others = error.group_exceptions()
            found = [
                problem
                for inner, note in noted
                for problem in _problems(inner, _below(path, _step(note)))
            ]
            return found + [problem for inner in others for problem in _problems(inner, path)]
        case ValidationFailedError():
            return [
                FieldProblem(_below(path, p.field) if p.field else path, p.message)
                for p in error.problems
            ]
        case KeyError():
            return [FieldProblem(path, "is required")]
        case _:
            said = str(error.args[0]) if error.args else "is not valid"
            return [FieldProblem(path or "body", said)]


def _step(note: AttributeValidationNote | IterableValidationNote) -> str | int:
    return note.name if isinstance(note, AttributeValidationNote) else note.index


def _below(path: str, step: str | int) -> str:
    if isinstance(step, int):
        return f"{path}[{step}]"
    if step.startswith("["):
        return f"{path}{step}"
    return f"{path}.{step}" if path else step


def _is_choice(kind: Any) -> bool:
    return get_origin(kind) is Literal


def _choice_hook(kind: Any) -> Callable[[Any, Any], Any]:
    return partial(one_of, get_args(kind))


def _is_optional(kind: Any) -> bool:
    given = get_args(kind)
    return get_origin(kind) in (Union, UnionType) and len(given) == 2 and type(None) in given


def _optional_hook(kind: Any, converter: cattrs.Converter) -> Callable[[Any, Any], Any]:
    # cattrs' own hook would look up the inner hook for every value.
    given = next(each for each in get_args(kind) if each is not type(None))
    structure_given = converter.get_structure_hook(given)

    def hook(value: Any, _: Any) -> Any:
        return None if value is None else structure_given(value, given)

    return hook


def _is_sequence(kind: Any) -> bool:
    return get_origin(kind) is tuple


def _sequence_hook(kind: Any, converter: cattrs.Converter) -> Callable[[Any, Any], Any]:
    element = get_args(kind)[0]
    structure_element = converter.get_structure_hook(element)

    def hook(value: Any, _: Any) -> Any:
        if not isinstance(value, list | tuple):
            raise ValueError("must be a list")
        made, wrong = [], []
        for index, each in enumerate(value):
            try:
                made.append(structure_element(each, element))
            except Exception as error:
                error.__notes__ = [
                    *getattr(error, "__notes__", ()),
                    IterableValidationNote(f"at index {index}", index, element),
                ]
                wrong.append(error)
                if len(wrong) == MOST_PROBLEMS:
                    break
        if wrong:
            raise IterableValidationError("wrong entries", wrong, kind)
        return tuple(made)

    return hook


def _is_text_map(kind: Any) -> bool:
    origin = get_origin(kind)
    return isinstance(origin, type) and issubclass(origin, Mapping)


def _map_hook(kind: Any, converter: cattrs.Converter) -> Callable[[Any, Any], Any]:
    _, held = get_args(kind)
    structure_held = converter.get_structure_hook(held)

    def hook(value: Any, _: Any) -> Any:
        if not isinstance(value, dict):
            raise ValueError("must be an object")
        if held is Any:
            return value
        made, problems = {}, []
        for key, each in value.items():
            try:
                made[key] = structure_held(each, held)
            except ValueError as error:
                problems.append(FieldProblem(key, str(error)))
                if len(problems) == MOST_PROBLEMS:
                    break
        if problems:
            raise ValidationFailedError(problems)
        return made

    return hook


def _class_hook(kind: Any, converter: cattrs.Converter) -> Callable[[Any, Any], Any]:
    """Structure a class field by field with each field's validator, so that all errors are reported."""
    attrs.resolve_types(kind)
    overrides = {
        each.name: override(rename=camel(each.name), struct_hook=_field_hook(converter, each))
        for each in attrs.fields(kind)
    }
    whole = make_dict_structure_fn(kind, converter, _cattrs_detailed_validation=True, **overrides)  # type: ignore[arg-type]  # overrides are keyword arguments by field name
    most = _without_paths(kind, converter) if _is_flat(kind) else whole

    def hook(value: Any, to: Any) -> Any:
        # The most frequent case first.
        if type(value) is dict:
            try:
                return most(value, to)
            except Exception:
                if most is whole:
                    raise
                return whole(value, to)
        if isinstance(value, kind):
            return value
        if not isinstance(value, dict):
            raise ValueError("must be an object")
        if isinstance(value, Remembering):
            value.complete = True
        return whole(value, to)

    return hook


def _is_flat(kind: Any) -> bool:
    """
    Return whether a second reading of a class costs little.

    No field of it is a list or a mapping of classes, and a class that a field is of is flat, too.
    """
    return all(_is_small(each.type) for each in attrs.fields(kind))


def _is_small(kind: Any) -> bool:
    if _is_optional(kind):
        return all(_is_small(each) for each in get_args(kind))
    if attrs.has(kind):
        return _is_flat(attrs.resolve_types(kind))
    return not any(attrs.has(each) for each in get_args(kind))


def _without_paths(kind: Any, converter: cattrs.Converter) -> Callable[[Any, Any], Any]:
    """
    Structure a class at a third of the cost; its error says nothing, so the value is then read again.

    The class runs its own validators, and no others run before.
    """
    overrides = {each.name: override(rename=camel(each.name)) for each in attrs.fields(kind)}
    return make_dict_structure_fn(kind, converter, _cattrs_detailed_validation=False, **overrides)  # type: ignore[arg-type]  # overrides are keyword arguments by field name


def _field_hook(
    converter: cattrs.Converter, attribute: attrs.Attribute[Any]
) -> Callable[[Any, Any], Any]:
    structure_value = converter.get_structure_hook(attribute.type)
    validate = attribute.validator
    if validate is None:
        return structure_value

    def hook(value: Any, to: Any) -> Any:
        structured = structure_value(value, to)
        validate(None, attribute, structured)
        return structured

    return hook


def _request_converter() -> cattrs.Converter:
    converter = cattrs.Converter(detailed_validation=True)
    converter.register_structure_hook(str, text)
    # Registered after `str`, so that it takes precedence for enumerations.
    converter.register_structure_hook(StrEnum, member)
    converter.register_structure_hook(int, partial(exactly, int, "must be an integer"))
    converter.register_structure_hook(float, number)
    converter.register_structure_hook(bool, partial(exactly, bool, "must be true or false"))
    converter.register_structure_hook(date, day)
    # Registered after `date`, of which it is a kind.
    converter.register_structure_hook(datetime, time)
    for spelled, hook in LENIENT.items():
        converter.register_structure_hook(spelled, hook)
    converter.register_structure_hook(Rate, rate_or_duration)
    converter.register_structure_hook(Duration, rate_or_duration)
    converter.register_structure_hook_factory(_is_choice, _choice_hook)
    converter.register_structure_hook_factory(_is_optional, _optional_hook)
    converter.register_structure_hook_factory(_is_sequence, _sequence_hook)
    converter.register_structure_hook_factory(_is_text_map, _map_hook)
    converter.register_structure_hook_factory(is_tagged_union, tagged_union_hook)
    converter.register_structure_hook_factory(
        lambda kind: attrs.has(kind) and kind not in (Rate, Duration), _class_hook
    )
    return converter


_requests = _request_converter()
