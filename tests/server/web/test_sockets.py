"""What is sent over a socket waits for its reader, and a reader who takes nothing loses it."""

from __future__ import annotations

import asyncio

from support.own_loop import run

from headway.server.web.sockets import MOST_UNSENT, Peer


def test_a_reader_who_takes_nothing_is_closed() -> None:
    async def check() -> None:
        reads, sent = asyncio.Event(), list[bytes]()

        async def send(message: bytes) -> None:
            sent.append(message)
            await reads.wait()

        slow, quick = (Peer(guest, "", send) for guest in ("ann", "ben"))
        tasks = [asyncio.create_task(peer.serve()) for peer in (slow, quick)]
        for number in range(MOST_UNSENT + 1):
            slow.tell(b"%d" % number)
        quick.tell(b"to ben")
        await tasks[0]
        assert sent == [b"to ben"]
        reads.set()
        quick.close()
        await tasks[1]

    run(check())
