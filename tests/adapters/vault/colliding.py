"""Prepares a text that AES-GCM alone opens under two keys."""

from __future__ import annotations

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

BLOCK = 16
# The polynomial of GCM's field, in its order of bits: x^128 + x^7 + x^2 + x + 1.
POLYNOMIAL = 0xE1 << 120
INVERTING = 2**128 - 2


def text_for_two_keys(one: bytes, two: bytes, associated: bytes) -> tuple[bytes, bytes]:
    """
    Return a nonce, and an encrypted text with its tag that both keys accept.

    The first block is free. It is chosen so that the tag, a polynomial in a value of the key, comes out
    the same for both keys.
    """
    nonce, fixed = bytes(12), b"any second block"
    starts = b"".join(each.ljust(BLOCK, b"\0") for each in (associated[:BLOCK],))
    lengths = (8 * len(associated)).to_bytes(8, "big") + (8 * 2 * BLOCK).to_bytes(8, "big")
    tags, weights = [], []
    for key in (one, two):
        at = _number(_block(key, bytes(BLOCK)))
        # The blocks of a tag: what is associated, the free one, the fixed one, the lengths.
        tag = _number(_block(key, nonce + b"\0\0\0\1"))
        for power, block in ((4, starts), (2, fixed), (1, lengths)):
            tag ^= _times(_number(block), _power(at, power))
        tags.append(tag)
        weights.append(_power(at, 3))
    free = _times(tags[0] ^ tags[1], _power(weights[0] ^ weights[1], INVERTING))
    tag = tags[0] ^ _times(free, weights[0])
    return nonce, free.to_bytes(BLOCK, "big") + fixed + tag.to_bytes(BLOCK, "big")


def _block(key: bytes, block: bytes) -> bytes:
    bare = Cipher(algorithms.AES(key), modes.ECB())  # noqa: S305  GCM is made of single blocks of it
    return bare.encryptor().update(block)


def _number(block: bytes) -> int:
    return int.from_bytes(block, "big")


def _times(left: int, right: int) -> int:
    product = 0
    for bit in range(127, -1, -1):
        if left >> bit & 1:
            product ^= right
        right = right >> 1 ^ (POLYNOMIAL if right & 1 else 0)
    return product


def _power(base: int, exponent: int) -> int:
    result = 1 << 127
    while exponent:
        if exponent & 1:
            result = _times(result, base)
        base, exponent = _times(base, base), exponent >> 1
    return result
