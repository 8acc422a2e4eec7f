"""
Makes calls that wait out of those of the embedding interface, with the same names, arguments and results.

A part names each of its calls in one line. Type checkers see the signature of the original, and at run time
`inspect` and `help` do.
"""

from __future__ import annotations

import functools
from collections.abc import AsyncIterator, Callable, Coroutine, Generator
from contextlib import suppress
from types import MethodType
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar, overload

from ..embedding.leasing import ServiceClosedError
from .service_thread import Waiting

F = TypeVar("F")
P = ParamSpec("P")
R = TypeVar("R")


class Part(Generic[F]):
    """A part of a service, whose calls wait for those of the same part of the embedding interface."""

    def __init__(self, facade: F, waiting: Waiting) -> None:
        self._facade = facade
        self._waiting = waiting


class Call(Generic[F, P, R]):
    """A method that waits for a coroutine."""

    def __init__(self, method: Callable[Concatenate[F, P], Coroutine[Any, Any, R]]) -> None:
        self.method = method

    @overload
    def __get__(self, part: None, owner: type) -> Self: ...

    @overload
    def __get__(self, part: Part[F], owner: type) -> Callable[P, R]: ...

    def __get__(self, part: Part[F] | None, owner: type) -> Self | Callable[P, R]:
        """Bind it to a part."""
        if part is None:
            return self
        facade, waiting = part._facade, part._waiting

        @functools.wraps(MethodType(self.method, facade))
        def wait(*args: P.args, **kwargs: P.kwargs) -> R:
            return waiting.run(lambda: self.method(facade, *args, **kwargs))

        return wait


class Direct(Call[F, P, R]):
    """A method that does not wait; it runs in the service's thread all the same, whose objects it reads."""

    def __init__(self, method: Callable[Concatenate[F, P], R]) -> None:
        @functools.wraps(method)
        async def there(facade: F, /, *args: P.args, **kwargs: P.kwargs) -> R:
            return method(facade, *args, **kwargs)

        super().__init__(there)


class Stream(Generic[F, P, R]):
    """A generator that waits for each piece; with `endless`, for as long as it takes."""

    def __init__(
        self, method: Callable[Concatenate[F, P], AsyncIterator[R]], *, endless: bool = False
    ) -> None:
        self.method = method
        self._endless = endless

    @overload
    def __get__(self, part: None, owner: type) -> Self: ...

    @overload
    def __get__(self, part: Part[F], owner: type) -> Callable[P, Generator[R, None, None]]: ...

    def __get__(
        self, part: Part[F] | None, owner: type
    ) -> Self | Callable[P, Generator[R, None, None]]:
        """Bind it to a part."""
        if part is None:
            return self
        facade, waiting, endless = part._facade, part._waiting, self._endless

        @functools.wraps(MethodType(self.method, facade))
        def pieces(*args: P.args, **kwargs: P.kwargs) -> Generator[R, None, None]:
            begun = self.method(facade, *args, **kwargs)

            async def next_piece() -> tuple[R] | None:
                # A generator of ours may not raise `StopAsyncIteration` into a future.
                async for each in begun:
                    return (each,)
                return None

            begun_well = False
            try:
                while (piece := waiting.run(next_piece, endless=endless)) is not None:
                    begun_well = True
                    yield piece[0]
            except ServiceClosedError:
                # What has no end of its own ends with the service.
                if not (endless and begun_well):
                    raise
            except GeneratorExit:
                # The garbage collector may raise it, and must not wait. A closed service has closed `begun`.
                with suppress(RuntimeError):
                    waiting.thread.submit(lambda: _close(begun))
                raise

        return pieces


async def _close(begun: AsyncIterator[Any]) -> None:
    close = getattr(begun, "aclose", None)
    if close is not None:
        await close()
