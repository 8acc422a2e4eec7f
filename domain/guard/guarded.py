"""What the guard found about one send of a code, or one guess."""

from __future__ import annotations

from ..conditions import Condition
from ..rate_limit import Rate
from ..value import value


@value(kw_only=True)
class Guarded:
    """
    What the event of a send says of the guard, and the conditions that must hold for it (D-380).

    `counted` names the budgets that count the send, and `flags` the recorded rules that would have
    refused it. `before` are the conditions that are checked before the template's rates, `after` those
    behind them (C-102).
    """

    counted: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    before: tuple[Condition, ...] = ()
    after: tuple[Condition, ...] = ()


UNGUARDED = Guarded()


@value
class GuessesLimit:
    """The budget of wrong guesses that a guess must be within; with `over` it is reached, on the record."""

    subject: str
    rate: Rate
    over: bool = False
