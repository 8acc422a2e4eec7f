"""Ten thousand texts of all scripts, with characters of two codes where segments end."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

_SEED = 22
_GSM = (
    "@\u00a3$\u00a5\u00e8\u00e9\u00f9\u00ec\u00f2\u00c7\n\u00d8\u00f8\r\u00c5\u00e5"
    "\u0394_\u03a6\u0393 !#\u00a4%&?aZ\u00a7\u00bf09"
)
_ESCAPED = "\f^{}\\[~]|\u20ac"
_EMOJI = "\U0001f600\U0001f44d\U0001f3fd\U0001f468\u200d\U0001f469\U0001f1ee\U0001f1f3\u2764\ufe0f"
# First and last characters of blocks without unassigned ones.
_BLOCKS = (
    (0x20, 0x7E),
    (0xA1, 0xFF),
    (0x100, 0x17F),
    (0x300, 0x36F),
    (0x3B1, 0x3C9),
    (0x400, 0x45F),
    (0x561, 0x586),
    (0x5D0, 0x5EA),
    (0x621, 0x64A),
    (0x905, 0x939),
    (0x995, 0x9A8),
    (0xA05, 0xA0A),
    (0xA95, 0xAA8),
    (0xBAE, 0xBB9),
    (0xC15, 0xC28),
    (0xC95, 0xCA8),
    (0xD15, 0xD28),
    (0xE01, 0xE3A),
    (0x10D0, 0x10F0),
    (0x1200, 0x1248),
    (0x1780, 0x17B3),
    (0x2010, 0x2027),
    (0x3041, 0x3096),
    (0x30A1, 0x30FA),
    (0x4E00, 0x9FA5),
    (0xAC00, 0xD7A3),
    (0x10400, 0x1044F),
    (0x1D400, 0x1D454),
    (0x1F600, 0x1F64F),
    (0x20000, 0x2A6D6),
)
# The octets, or pairs of octets, of one SMS and of parts of several, in all alphabets.
_ENDS = (66, 67, 70, 133, 134, 140, 152, 153, 160)


def texts(count: int = 10_000) -> Iterator[str]:
    """Yield texts that are the same in every run."""
    random = Random(_SEED)
    for at in range(count):
        match at % 4:
            case 0:
                yield _of_one_script(random)
            case 1:
                yield _at_an_end(random, _ESCAPED, _GSM)
            case 2:
                yield _at_an_end(random, _EMOJI, _GSM + _characters(random, 5))
            case _:
                yield _mixed(random)


def _length(random: Random) -> int:
    return max(1, random.choice((1, 40, *_ENDS, 306, 459, 600)) + random.randint(-3, 3))


def _characters(random: Random, count: int) -> str:
    first, last = random.choice(_BLOCKS)
    return "".join(chr(random.randint(first, last)) for _ in range(count))


def _of_one_script(random: Random) -> str:
    return _characters(random, _length(random))


def _at_an_end(random: Random, pairs: str, filling: str) -> str:
    """Return a text with a character of two codes around each place where a segment may end."""
    text = "".join(random.choices(filling, k=_length(random)))
    for end in random.sample(_ENDS, 3):
        at = end * random.randint(1, 3) + random.randint(-2, 1)
        text = text[:at] + random.choice(pairs) * random.randint(1, 3) + text[at:]
    return text


def _mixed(random: Random) -> str:
    pieces = [_GSM, _ESCAPED, _EMOJI, _characters(random, 9), _characters(random, 9)]
    return "".join(random.choice(random.choice(pieces)) for _ in range(_length(random)))
