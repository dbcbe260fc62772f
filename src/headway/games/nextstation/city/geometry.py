"""Points and line segments on the grid, in exact arithmetic."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

Point = tuple[float, float]
Segment = tuple[Point, Point]

# Coordinates in city files are multiples of this; scaled to integers, all tests are exact.
FINENESS = 1000


def segments(path: Sequence[Point]) -> list[Segment]:
    """Returns the line segments of a polyline."""
    return list(pairwise(path))


def bounds(path: Sequence[Point]) -> tuple[float, float, float, float]:
    """Returns the left, top, right and bottom end of a polyline."""
    across, down = [p[0] for p in path], [p[1] for p in path]
    return min(across), min(down), max(across), max(down)


def meet(first: Sequence[Point], second: Sequence[Point], apart_from: Iterable[Point]) -> bool:
    """Whether two polylines share a point other than the given ones."""
    allowed = {_whole(p) for p in apart_from}
    return any(
        _boxes_touch(a, b) and any(p not in allowed for p in _shared(a, b))
        for a in _pieces(tuple(first))
        for b in _pieces(tuple(second))
    )


IntPoint = tuple[int, int]
Piece = tuple[IntPoint, IntPoint]


def _whole(p: Point) -> IntPoint:
    return round(p[0] * FINENESS), round(p[1] * FINENESS)


@lru_cache(256)
def _pieces(path: tuple[Point, ...]) -> list[Piece]:
    return [(_whole(p), _whole(q)) for p, q in pairwise(path)]


def _boxes_touch(a: Piece, b: Piece) -> bool:
    return all(
        max(min(a[0][i], a[1][i]), min(b[0][i], b[1][i]))
        <= min(max(a[0][i], a[1][i]), max(b[0][i], b[1][i]))
        for i in (0, 1)
    )


def _side(p: IntPoint, q: IntPoint, r: IntPoint) -> int:
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])


def _shared(a: Piece, b: Piece) -> Iterator[IntPoint | None]:
    """Returns shared points of two segments: the intersection, or three points of an overlap.

    None stands for a point with coordinates that are not whole.
    """
    c, d = _side(*a, b[0]), _side(*a, b[1])
    e, f = _side(*b, a[0]), _side(*b, a[1])
    if c == d == 0:
        low, high = sorted((*a, *b))[1:3]
        yield low
        yield high
        yield _divided((low[0] + high[0], low[1] + high[1]), 2)
    elif c * d <= 0 and e * f <= 0:
        (ax, ay), (bx, by) = a
        yield _divided((bx * e - ax * f, by * e - ay * f), e - f)


def _divided(p: IntPoint, by: int) -> IntPoint | None:
    return None if p[0] % by or p[1] % by else (p[0] // by, p[1] // by)
