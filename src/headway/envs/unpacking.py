"""Unpacks the words of an observation into bytes, one for each bit, eight at a time."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from headway.games.kernel import kernel

BYTE = np.uint64(255)
EIGHT = np.uint64(8)
SPREAD = np.array(
    [int.from_bytes(bytes(byte >> i & 1 for i in range(8)), "little") for byte in range(256)],
    np.uint64,
)
"""By byte: its eight bits as eight bytes, the lowest bit first in memory."""


class Field(NamedTuple):
    """A named part of an observation: elements `start` to `stop`, and what they say."""

    name: str
    start: int
    stop: int
    meaning: str


class Plane(NamedTuple):
    """A field before it has its place: its words, and the number of bits in use."""

    name: str
    word: int
    bits: int
    meaning: str


def layout(planes: list[Plane]) -> tuple[tuple[Field, ...], np.ndarray]:
    """Returns the fields of an observation and the bytes that they are unpacked from.

    A field takes whole bytes of its words, so its last elements may always be 0. A row of the array
    is a word and the number of its bytes.
    """
    fields: list[Field] = []
    parts: list[tuple[int, int]] = []
    start = 0
    for plane in planes:
        size = -(-plane.bits // 8)
        parts += [(plane.word + i // 8, min(size - i, 8)) for i in range(0, size, 8)]
        fields.append(Field(plane.name, start, start + 8 * size, plane.meaning))
        start += 8 * size
    return tuple(fields), np.array(parts, np.int64)


@kernel
def unpack(words: Any, parts: Any, out: Any, row: int) -> None:
    """Writes each bit of the parts of some words as a byte; an element of `out` holds 8 of them."""
    at = 0
    for i in range(parts.shape[0]):
        word = words[parts[i, 0]]
        for _ in range(parts[i, 1]):
            out[row, at] = SPREAD[word & BYTE]
            word >>= EIGHT
            at += 1
