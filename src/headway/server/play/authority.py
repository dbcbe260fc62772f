"""The authority over all tables: every change of a table is made here.

The database decides. A change is tried on the sitting that this process remembers, its event is
committed, and only then the new sitting takes the old one's place and everybody is told. If
somebody else was faster, the number is taken: what was missed is read and the change tried again.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import time
from collections import Counter, OrderedDict
from collections.abc import Callable

import msgspec

from headway import dealer
from headway.bots import find_bot
from headway.errors import HeadwayError, InputError
from headway.games import box
from headway.record import RULES
from headway.server.database.tables import Store
from headway.server.errors import Refused, no_table
from headway.server.fields import NAME_LENGTH
from headway.server.http.schema.tables import NewMove, Undo
from headway.server.metrics import METRICS
from headway.server.table import clocks
from headway.server.table import state as sitting
from headway.server.table.setup import NewTable
from headway.server.table.state import Chair, Happening, Setup, Sitting

MOST_IDLE = 50
"""Tables kept in memory that nobody is connected to; each takes some 250 KB at its end."""
ATTEMPTS = 20
ANEW = (sitting.UNDO, sitting.OWNER)
"""Events after which a table is read from its beginning."""

Change = Callable[[Sitting], Happening]
Told = Callable[[Sitting], None]


def new_id() -> str:
    """An id that nobody guesses and that can be read out: no vowels, nothing that looks alike."""
    return "".join(secrets.choice("bcdfghjkmnpqrstvwxz23456789") for _ in range(10))


class Deals:
    """The seeds of new tables: nobody can guess them, unless they shall be repeatable."""

    def __init__(self, chosen: str = "") -> None:
        self.chosen = chosen
        self._made: Counter[str] = Counter()

    def seed(self, host: str, what: str) -> int:
        """A seed; with a chosen one it follows from what is played and how many the host made."""
        if not self.chosen:
            return dealer.new_seed()
        self._made[f"{host} {what}"] += 1
        text = f"{self.chosen} {what} {self._made[f'{host} {what}']}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6])


UNGUESSED = Deals()


class Tables:
    """The tables of a server; `told` hears of every sitting that is new to this process."""

    def __init__(self, store: Store, deals: Deals = UNGUESSED) -> None:
        self.store = store
        self.deals = deals
        self.told: list[Told] = []
        self._kept: OrderedDict[str, Sitting] = OrderedDict()
        self._locks: dict[str, asyncio.Lock] = {}

    # Reading

    def remembered(self, table: str) -> Sitting | None:
        """The table if it is in memory, perhaps some events behind."""
        return self._kept.get(table)

    def count(self) -> int:
        """How many tables are in memory."""
        return len(self._kept)

    async def get(self, table: str) -> Sitting:
        """The table, from memory if it is there."""
        found = self._kept.get(table)
        if found is None:
            found = await self.store.load(table)
            if found is None:
                raise no_table()
            known = self._kept.get(table)
            if known is not None and known.number >= found.number:
                return known
            self._keep(found)
        else:
            self._kept.move_to_end(table)
        return found

    async def fresh(self, table: str) -> Sitting:
        """The table with everything that any process has committed."""
        known = await self.get(table)
        missed = await self.store.events_since(table, known.number)
        if not missed:
            return self._kept.get(table, known)
        async with self._lock(table):
            return await self._catch_up(table)

    async def _catch_up(self, table: str) -> Sitting:
        known = await self.get(table)
        missed = await self.store.events_since(table, known.number)
        if len(missed) > 20 or any(event.kind in ANEW for event in missed):
            loaded = await self.store.load(table)
            assert loaded
            known = loaded
        else:
            for event in missed:
                known = known.after(event)
        if missed:
            self._take(known)
        return known

    def forget(self, keep: set[str]) -> None:
        """Lets go of finished games, and of the tables not used for longest, except these."""
        idle = [table for table in self._kept if table not in keep]
        over = {table for table in idle if self._kept[table].finished}
        running = [table for table in idle if table not in over]
        for table in [*over, *running[: max(0, len(running) - MOST_IDLE)]]:
            lock = self._locks.get(table)
            if not (lock and lock.locked()):
                del self._kept[table]
                self._locks.pop(table, None)

    def drop(self, tables: list[str]) -> None:
        """Forgets tables that are gone."""
        for table in tables:
            self._kept.pop(table, None)

    def _keep(self, found: Sitting) -> None:
        self._kept[found.setup.id] = found
        self._kept.move_to_end(found.setup.id)

    def _take(self, new: Sitting) -> None:
        self._keep(new)
        for tell in self.told:
            tell(new)

    def _lock(self, table: str) -> asyncio.Lock:
        return self._locks.setdefault(table, asyncio.Lock())

    # Writing

    async def change(
        self, table: str, change: Change, client_id: str | None = None, seat: int = -1
    ) -> Sitting:
        """Makes an event of the table and commits it; the same `client_id` again does nothing."""
        await self.get(table)  # a table that is not there gets no lock
        async with self._lock(table):
            for _ in range(ATTEMPTS):
                now = await self.get(table)
                if client_id in now.done:
                    return _again(now, now.done[client_id], seat)
                try:
                    event = change(now)
                    after = now.after(event)
                except HeadwayError:
                    # Perhaps this process is behind: only what the database knows counts.
                    if (await self._catch_up(table)).number == now.number:
                        raise
                    continue
                if await self.store.append(event, after):
                    METRICS.count("headway_events_total", kind=event.kind)
                    self._take(after)
                    return after
                METRICS.count("headway_conflicts_total")
                await self._catch_up(table)
        raise Refused(503, "server.busy")

    async def set_up(self, wanted: NewTable, guest: str, name: str) -> Sitting:
        """A new table, its deal fixed and promised."""
        new = Sitting.new(_setup(wanted, guest, name, self.deals))
        await self.store.set_up(new)
        self._take(new)
        return new

    async def begin_try(
        self, wanted: NewTable, guest: str, name: str, day: str, seed: int
    ) -> Sitting:
        """The guest's one table for a deal of the day, new or begun before."""
        promise = dealer.promise(seed)
        setup = msgspec.structs.replace(
            _setup(wanted, guest, name),
            seed=seed,
            salt=promise.salt or "",
            commitment=promise.commitment,
            day=day,
        )
        new = Sitting.new(setup)
        counts = await self.store.set_up_try(new)
        if counts != setup.id:
            return await self.fresh(counts)
        self._take(new)
        return new

    async def join(self, table: str, guest: str, seat: int | None, name: str) -> Sitting:
        """Seats a guest on a free seat, or on one that a bot keeps for them."""

        def change(now: Sitting) -> Happening:
            place = _free_seat(now, guest) if seat is None else seat
            chair = now.chair(place)
            _not_of_a_day(now)
            if chair.guest == guest:
                raise Refused(409, "server.yours")
            if chair.kind != "open" and chair.former != guest:
                raise Refused(409, "server.taken")
            if now.finished:
                raise Refused(409, "server.over")
            return new_event(now, sitting.SIT, place, guest, text=name)

        return await self.change(table, change)

    async def leave(self, table: str, guest: str, seat: int) -> Sitting:
        """Frees a guest's seat."""

        def change(now: Sitting) -> Happening:
            _own(now, guest, seat)
            _not_of_a_day(now)
            if now.finished:
                raise Refused(409, "server.over")
            return new_event(now, sitting.LEAVE, seat, guest)

        return await self.change(table, change)

    async def move(self, table: str, guest: str, wanted: NewMove) -> Sitting:
        """A guest's move."""

        def change(now: Sitting) -> Happening:
            _own(now, guest, wanted.seat)
            game = now.playing()
            if wanted.number is not None and wanted.number < now.asked(wanted.seat):
                raise Refused(409, "server.moved_on")
            if wanted.seat in now.flags(time.time()):
                raise Refused(409, "server.time_over")
            text = game.game.move_text(game.game.parse_move(wanted.move))
            return new_event(now, sitting.MOVE, wanted.seat, guest, wanted.client_id, text)

        return await self.change(table, change, wanted.client_id, wanted.seat)

    async def bot_move(self, table: str, seat: int, bot: str, move: str, undone: int) -> Sitting:
        """A bot's move, unless its seat or the game changed while it thought."""

        def change(now: Sitting) -> Happening:
            if now.chair(seat).bot != bot or now.undone != undone:
                raise Refused(409, "server.moved_on")
            return new_event(now, sitting.MOVE, seat, text=move)

        return await self.change(table, change)

    async def flag(self, table: str, seat: int) -> Sitting:
        """The flag of a seat falls: an idle move is made for it."""

        def change(now: Sitting) -> Happening:
            if seat not in now.flags(time.time()):
                raise Refused(409, "server.moved_on")
            game = now.playing().game
            move = game.move_text(game.idle_move(now.state, seat))
            return new_event(now, sitting.FLAG, seat, text=move)

        return await self.change(table, change)

    async def undo(self, table: str, guest: str, wanted: Undo) -> Sitting:
        """Takes a guest's last move back."""

        def change(now: Sitting) -> Happening:
            _own(now, guest, wanted.seat)
            made = new_event(now, sitting.UNDO, wanted.seat, guest, wanted.client_id)
            return msgspec.structs.replace(made, drops=now.drops(wanted.seat))

        return await self.change(table, change, wanted.client_id, wanted.seat)

    async def give_to_bot(
        self, table: str, guest: str, seat: int, bot: str, away: Callable[[Sitting, int], bool]
    ) -> Sitting:
        """Gives a seat to a bot: one's own, a free one, or one that was left for long."""

        def change(now: Sitting) -> Happening:
            chair = now.chair(seat)
            find_bot(bot, now.setup.game)
            _not_of_a_day(now)
            if now.finished:
                raise Refused(409, "server.over")
            host = now.setup.host == guest
            if not (now.held_by(guest) or host):
                raise Refused(403, "server.not_at_table")
            if chair.bot:
                raise Refused(409, "server.bot_already")
            if chair.kind == "person" and chair.guest != guest and not away(now, seat):
                raise Refused(409, "server.not_away")
            return new_event(now, sitting.BOT, seat, guest, text=bot)

        return await self.change(table, change)

    async def rematch(self, table: str, guest: str) -> Sitting:
        """A new table for the same people; whoever asks second gets the same one."""
        now = await self.fresh(table)
        async with self._lock(table):
            for _ in range(ATTEMPTS):
                if now.next:
                    break
                if not now.held_by(guest):
                    raise Refused(403, "server.not_at_table")
                if not now.finished:
                    raise Refused(409, "server.not_over")
                new = Sitting.new(_again_setup(now, self.deals))
                event = new_event(now, sitting.REMATCH, -1, guest, text=new.setup.id)
                after = now.after(event)
                if await self.store.append(event, after, new):
                    self._keep(new)
                    self._take(after)
                    return new
                now = await self._catch_up(table)
        assert now.next
        return await self.get(now.next)


def new_event(
    now: Sitting,
    kind: str,
    seat: int = -1,
    guest: str | None = None,
    client_id: str | None = None,
    text: str = "",
) -> Happening:
    """The next event of a table."""
    return Happening(
        table=now.setup.id,
        number=now.number + 1,
        at=time.time(),
        kind=kind,
        seat=seat,
        guest=guest,
        client_id=client_id,
        text=text,
    )


def _again(now: Sitting, event: Happening, seat: int) -> Sitting:
    if event.seat != seat:
        raise Refused(409, "server.id_used")
    return now


def _own(now: Sitting, guest: str, seat: int) -> None:
    if now.chair(seat).guest != guest:
        raise Refused(403, "server.not_yours")


def _not_of_a_day(now: Sitting) -> None:
    """Whoever begins a deal of the day plays it alone to its end."""
    if now.setup.day:
        raise Refused(409, "server.today_alone")


def _free_seat(now: Sitting, guest: str) -> int:
    kept = [seat for seat, chair in enumerate(now.chairs) if chair.former == guest]
    free = [seat for seat, chair in enumerate(now.chairs) if chair.kind == "open"]
    if not kept + free:
        raise Refused(409, "server.full")
    return (kept + free)[0]


def _setup(wanted: NewTable, guest: str, name: str, deals: Deals = UNGUESSED) -> Setup:
    found = box(wanted.game)
    if wanted.map not in found.maps:
        raise InputError("server.no_map", map=wanted.map, known=", ".join(found.maps))
    game = found.open(wanted.map, len(wanted.seats), wanted.options)
    if wanted.seed is not None and not wanted.training:
        raise Refused(400, "server.seed_training")
    chairs = []
    for seat in wanted.seats:
        if seat.kind == "bot":
            find_bot(seat.bot or "", found.name)
        chairs.append(_chair(seat.kind, seat.bot, seat.name, guest, name))
    seed = deals.seed(guest, game.map) if wanted.seed is None else wanted.seed
    promise = dealer.promise(seed)
    return Setup(
        id=new_id(),
        created=time.time(),
        host=guest,
        game=found.name,
        map=game.map,
        map_hash=game.map_hash,
        rules=RULES,
        options=dict(game.options),
        chairs=tuple(chairs),
        seed=seed,
        salt=promise.salt or "",
        commitment=promise.commitment,
        clock=clocks.checked(wanted.clock, wanted.training),
        training=wanted.training,
        public=wanted.public,
    )


def _chair(kind: str, bot: str | None, chosen: str | None, guest: str, name: str) -> Chair:
    if kind == "open":
        return Chair()
    if kind == "bot":
        return Chair((chosen or bot or "")[:NAME_LENGTH], None, bot)
    return Chair(chosen or name, guest)


def _again_setup(now: Sitting, deals: Deals) -> Setup:
    """The set-up of a rematch: the same people and bots, another deal."""
    seed = deals.seed(now.setup.host, now.setup.map)
    promise = dealer.promise(seed)
    return msgspec.structs.replace(
        now.setup,
        id=new_id(),
        created=time.time(),
        chairs=now.chairs,
        day="",
        seed=seed,
        salt=promise.salt or "",
        commitment=promise.commitment,
    )
