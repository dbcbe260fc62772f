"""How threads share the games of a step, in compiled code.

The games are cut into chunks, and each thread has a share of them, so that it finds its games in
the cache of its core. A thread that has done its share takes chunks of others. So nobody waits for
a thread that wakes up late, and games that take longer are made up for.

A step is an order. Its number and the next chunk of a share are one word: a thread that takes a
chunk knows which order it is of, and until this chunk is done, the arrays of the order stay.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from headway.envs.episodes import Outputs
from headway.games.atomics import address, fetch_add, give_way, load, pause, store
from headway.games.kernel import kernel
from headway.games.simulation import apart

CHUNKS_OF_A_SHARE = 32
ORDER_AT = 32
"""The number of an order is in the bits from here on; those below are the next chunk."""
CHUNK_BITS = (1 << ORDER_AT) - 1
NO_CHUNK, ALL_DONE = -1, -2
LOOKS = 1024
"""Looks of a thread that waits, about 30 us, before it gives way to other threads of its core. One
that always uses all of its time is interrupted in the middle of a chunk, and the others wait."""

# The words of a team. Those that threads write while others read have cache lines of their own.
THREADS, GAMES, CHUNK, CHUNKS = range(4)
ARRAYS = 4
"""The addresses of actions and outputs."""
DONE = 16
"""The number of chunks that are done."""
SHARES = 32
"""For each share, the order and the next chunk of it."""
SHARE_WORDS = 16


def new_team(games: int, threads: int) -> np.ndarray:
    """Returns the words of a team without an order."""
    team = apart(SHARES + SHARE_WORDS * threads, np.int64)
    team[THREADS], team[GAMES] = threads, games
    team[CHUNK] = max(1, games // (threads * CHUNKS_OF_A_SHARE))
    team[CHUNKS] = team[DONE] = -(-games // team[CHUNK])
    team[SHARES::SHARE_WORDS] = team[CHUNKS]
    return team


@kernel
def give_order(team: Any, actions: Any, out: Outputs) -> None:
    """Lets all threads begin with the next order; the last one must be done."""
    team[ARRAYS] = address(actions)
    team[ARRAYS + 1] = address(out.observations)
    team[ARRAYS + 2] = address(out.masks)
    team[ARRAYS + 3] = address(out.rewards)
    team[ARRAYS + 4] = address(out.over)
    team[ARRAYS + 5] = address(out.illegal)
    order = (load(team, SHARES) >> ORDER_AT) + 1
    store(team, DONE, 0)
    for share in range(int(team[THREADS])):
        store(team, SHARES + share * SHARE_WORDS, order << ORDER_AT)


@kernel
def first_chunk(team: Any, share: int) -> int:
    """Returns the first chunk of a share."""
    return int(team[CHUNKS]) * share // int(team[THREADS])


@kernel
def left(team: Any, share: int) -> bool:
    """Whether a share has chunks that nobody has taken."""
    taken = load(team, SHARES + share * SHARE_WORDS) & CHUNK_BITS
    return first_chunk(team, share) + taken < first_chunk(team, share + 1)


@kernel
def take_chunk(team: Any, member: int) -> int:
    """Takes a chunk of the thread's share, or else of another one; returns NO_CHUNK without."""
    threads = int(team[THREADS])
    for i in range(threads):
        share = (member + i) % threads
        if left(team, share):
            taken = fetch_add(team, SHARES + share * SHARE_WORDS) & CHUNK_BITS
            if first_chunk(team, share) + taken < first_chunk(team, share + 1):
                return first_chunk(team, share) + taken
    return NO_CHUNK


@kernel
def all_done(team: Any, patience: int) -> bool:
    """Waits until all chunks are done; returns False if that takes too many looks."""
    for look in range(1, patience + 1):
        if load(team, DONE) == team[CHUNKS]:
            return True
        pause()
        if look % LOOKS == 0:
            give_way()
    return False


@kernel
def next_order(team: Any, member: int, patience: int) -> bool:
    """Waits until the thread's share has chunks; returns False if that takes too many looks."""
    for look in range(1, patience + 1):
        if left(team, member):
            return True
        pause()
        if look % LOOKS == 0:
            give_way()
    return False


@kernel
def first_game(team: Any, chunk: int) -> int:
    """Returns the first game of a chunk; of the one after the last, the number of games."""
    return min(chunk * int(team[CHUNK]), int(team[GAMES]))


@kernel
def next_chunk(team: Any, member: int, patience: int, done: int) -> int:
    """Notes that a chunk is done, if any, and takes the next one, of a later order if need be.

    The caller, member 0, gets ALL_DONE at the end of its order. Returns NO_CHUNK after waiting in
    vain.
    """
    if done != NO_CHUNK:
        fetch_add(team, DONE)
    chunk = take_chunk(team, member)
    if chunk == NO_CHUNK and member == 0:
        return ALL_DONE if all_done(team, patience) else NO_CHUNK
    while chunk == NO_CHUNK and next_order(team, member, patience):
        chunk = take_chunk(team, member)
    return chunk
