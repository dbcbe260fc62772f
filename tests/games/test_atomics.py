"""Words and arrays that threads of compiled code share."""

from __future__ import annotations

import sys
from threading import Thread
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from headway.games.atomics import (
    address,
    at_address,
    at_addresses,
    fetch_add,
    give_way,
    load,
    pause,
    store,
)
from headway.games.kernel import compiled, kernel


@kernel
def count_up(words: Any, times: int, seen: Any) -> None:
    """Notes every number that it gets."""
    for _ in range(times):
        seen[fetch_add(words, 1)] += 1


@kernel
def hand_over(words: Any, member: int, rounds: int, baton: Any) -> None:
    """Adds one to the baton whenever the word says that it is this member's turn."""
    for turn in range(member, rounds, 2):
        while load(words, 0) != turn:
            pause()
            give_way()
        baton[0] += 1
        store(words, 0, turn + 1)


@kernel
def fill_at(array: Any, place: int, value: int) -> None:
    """Writes into the array at an address."""
    there = at_address(array, place)
    for i in range(there.shape[0]):
        for k in range(there.shape[1]):
            there[i, k] = value + i


class Pair(NamedTuple):
    """Two arrays of different types."""

    first: np.ndarray
    second: np.ndarray


@kernel
def fill_pair(pair: Pair, words: Any) -> None:
    """Writes into the arrays whose addresses are the words from the second on."""
    there = at_addresses(pair, words, 1)
    there.first[0] = 5
    there.second[1] = 6


@kernel
def copy_address(array: Any, out: Any) -> None:
    """Writes where an array is."""
    out[0] = address(array)


def native() -> Any:
    return compiled(sys.modules[__name__])


def both() -> list[Any]:
    here: ModuleType = sys.modules[__name__]
    return [here, native()]


def in_threads(*calls: tuple[Any, ...]) -> None:
    threads = [Thread(target=call, args=args) for call, *args in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_no_two_threads_get_the_same_number() -> None:
    words, times = np.zeros(2, np.int64), 200_000
    seen = np.zeros(3 * times, np.int64)
    in_threads(*[(native().count_up, words, times, seen) for _ in range(3)])
    assert words.tolist() == [0, 3 * times]
    assert (seen == 1).all()


def test_a_thread_sees_what_another_wrote_before_its_word() -> None:
    words, baton = np.zeros(1, np.int64), np.zeros(1, np.int64)
    in_threads(*[(native().hand_over, words, member, 1000, baton) for member in (0, 1)])
    assert (words[0], baton[0]) == (1000, 1000)


def test_arrays_by_address_run_both_ways() -> None:
    for rules in both():
        like, target = np.zeros((2, 3), np.int16), np.zeros((2, 3), np.int16)
        place = np.zeros(1, np.int64)
        rules.copy_address(target, place)
        assert place[0] == target.ctypes.data
        rules.fill_at(like, int(place[0]), 7)
        assert target.tolist() == [[7] * 3, [8] * 3]
        assert not like.any()
        like_pair, pair = (Pair(np.zeros(2, np.int8), np.zeros(2)) for _ in range(2))
        rules.fill_pair(like_pair, np.array([0, *(array.ctypes.data for array in pair)]))
        assert [array.tolist() for array in pair] == [[5, 0], [0, 6]]
        assert not any(array.any() for array in like_pair)
    words = np.zeros(1, np.int64)
    store(words, 0, 5)
    assert (fetch_add(words, 0), load(words, 0)) == (5, 6)
