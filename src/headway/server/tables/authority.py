"""The authority over all tables: every change of a table is made here.

The database decides. A change is tried on the state that this process has in memory, its event is
committed, and only then the new state replaces the old one and listeners hear of it. If another
process was faster, the event's number is taken: the authority reads what it missed and tries again.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import secrets
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from headway import dealer
from headway.bots import find_bot
from headway.errors import HeadwayError, InputError
from headway.games import box
from headway.games.contract import Move, check_choices
from headway.record import RULES
from headway.server.core import metrics
from headway.server.core.calendar import steady_time
from headway.server.core.errors import (
    RefusedError,
    conflict,
    forbidden,
    invalid,
    not_found,
    unavailable,
)
from headway.server.core.fields import NAME_LENGTH
from headway.server.tables import events
from headway.server.tables.downtime import Downtime
from headway.server.tables.events import TableEvent
from headway.server.tables.quotas import TableQuotas
from headway.server.tables.setup import (
    NewSeat,
    NewTable,
    Occupant,
    Persona,
    Setup,
    against_people,
    choice_of,
    game_of_seats,
)
from headway.server.tables.state import TableState
from headway.server.tables.store import SilentTable, TableStore
from headway.table import Opening

MOST_IDLE_TABLES = 50
"""Tables kept in memory that nobody is connected to; each takes about 250 KB at its end."""
MOST_EVENTS_TO_CATCH_UP = 20
"""With more events missed than this, loading the whole table is quicker."""
ATTEMPTS = 20
RELOADING = (events.UNDO, events.OWNER)
"""Events after which a table is loaded from its beginning."""
_ID_LETTERS = "bcdfghjkmnpqrstvwxz23456789"

Change = Callable[[TableState], tuple[TableEvent, Move | None]]
"""Makes the next event of a table, with its parsed move; raises if it is not allowed."""
Listener = Callable[[TableState], None]


def new_table_id() -> str:
    """Returns an id that nobody guesses and everybody can read out: no vowels, no look-alikes."""
    return "".join(secrets.choice(_ID_LETTERS) for _ in range(10))


class SeedSource:
    """The seeds of new tables; a `fixed` text makes them repeatable, for tests."""

    def __init__(self, fixed: str = "") -> None:
        self.fixed = fixed
        self._made: Counter[str] = Counter()

    def seed(self, host: str, map_name: str) -> int:
        """Returns a new seed; a repeatable one depends on the map and the host's earlier ones."""
        if not self.fixed:
            return dealer.new_seed()
        self._made[f"{host} {map_name}"] += 1
        text = f"{self.fixed} {map_name} {self._made[f'{host} {map_name}']}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6])


class TableAuthority:
    """The tables of a server.

    `on_change` hears every state that is new to this process, `on_commit` those that this process
    itself committed, `on_deleted` the ids of tables that are gone. `process.py` says who listens.
    """

    def __init__(
        self, store: TableStore, seeds: SeedSource | None = None, quota_factor: float = 0.0
    ) -> None:
        self.store = store
        self.seeds = seeds or SeedSource()
        self.quotas = TableQuotas(store, quota_factor)
        self.countdown = 0.0
        """What new tables have; `process.py` sets it."""
        self.on_change: tuple[Listener, ...] = ()
        self.on_commit: tuple[Listener, ...] = ()
        self.on_deleted: tuple[Callable[[str], None], ...] = ()
        self._states: OrderedDict[str, TableState] = OrderedDict()
        self._locks: dict[str, asyncio.Lock] = {}
        self.downtime = Downtime(store, self._give_back, self.catch_up_all)

    # Reading

    def cached(self, table_id: str) -> TableState | None:
        """Returns the table if it is in memory, perhaps some events behind."""
        return self._states.get(table_id)

    def count(self) -> int:
        """Returns how many tables are in memory."""
        return len(self._states)

    async def get(self, table_id: str) -> TableState:
        """Returns the table, from memory if it is there."""
        state = self._states.get(table_id)
        if state is not None:
            self._states.move_to_end(table_id)
            return state
        loaded = await self.store.load(table_id)
        if loaded is None:
            raise not_found("server.no_table")
        state = self._states.get(table_id)
        if state is not None and state.number >= loaded.number:
            return state
        self._cache(loaded)
        return loaded

    async def refresh(self, table_id: str) -> TableState:
        """Returns the table with everything that any process has committed."""
        if table_id not in self._states:
            return await self.get(table_id)
        state = await self.get(table_id)
        number = await self.store.number(table_id)
        if number < 0:
            self._forget(table_id)
            raise not_found("server.no_table")
        if number <= state.number:
            return self._states.get(table_id, state)
        async with self._lock(table_id):
            return await self._catch_up(table_id)

    async def _catch_up(self, table_id: str) -> TableState:
        state = await self.get(table_id)
        missed = await self.store.events_since(table_id, state.number)
        if not missed:
            return state
        reload = any(event.kind in RELOADING for event in missed)
        if reload or len(missed) > MOST_EVENTS_TO_CATCH_UP:
            loaded = await self.store.load(table_id)
            if loaded is None:
                self._forget(table_id)
                raise not_found("server.no_table")
            state = loaded
        else:
            for event in missed:
                state = state.after(event)
        self._publish(state)
        return state

    async def catch_up_all(self) -> None:
        """Reads what other processes wrote about the tables in memory."""
        for table_id in await self.behind(self._states):
            with contextlib.suppress(RefusedError):
                await self.refresh(table_id)

    async def behind(self, table_ids: Iterable[str]) -> list[str]:
        """Returns those of some tables in memory of which the database knows more, or nothing."""
        asked = list(table_ids)
        numbers = await self.store.numbers(asked)
        states = ((self._states.get(table_id), numbers.get(table_id)) for table_id in asked)
        return [s.setup.id for s, number in states if s and (number is None or number > s.number)]

    def _forget(self, table_id: str) -> None:
        """Drops a table that somebody has deleted."""
        self._states.pop(table_id, None)
        for listen in self.on_deleted:
            listen(table_id)

    def apply_committed(self, event: TableEvent) -> bool:
        """Takes an event that another process committed; False if it has to be read instead.

        That process has checked the move in the state before the event, which is the same here.
        """
        state = self._states.get(event.table_id)
        if state is None or event.number <= state.number:
            return True
        if event.number > state.number + 1 or event.kind in RELOADING:
            return False
        try:
            after = state.after(event, checked=True)
        except HeadwayError:
            return False
        self._publish(after)
        return True

    def evict_idle(self, watched: set[str]) -> None:
        """Frees finished games and the tables not used for longest, except the watched ones."""
        idle = [table_id for table_id in self._states if table_id not in watched]
        over = {
            table for table in idle if self._states[table].finished or self._states[table].ended
        }
        running = [table_id for table_id in idle if table_id not in over]
        self.evict([*over, *running[: max(0, len(running) - MOST_IDLE_TABLES)]])

    def evict(self, table_ids: Iterable[str]) -> None:
        """Frees tables, except those that are being changed."""
        for table_id in table_ids:
            lock = self._locks.get(table_id)
            if not (lock and lock.locked()):
                self._states.pop(table_id, None)
                self._locks.pop(table_id, None)

    def _cache(self, state: TableState) -> None:
        self._states[state.setup.id] = state
        self._states.move_to_end(state.setup.id)

    def _publish(self, state: TableState) -> None:
        self._cache(state)
        for listen in self.on_change:
            listen(state)

    def _commit(self, state: TableState) -> None:
        self._publish(state)
        for listen in self.on_commit:
            listen(state)

    def _lock(self, table_id: str) -> asyncio.Lock:
        return self._locks.setdefault(table_id, asyncio.Lock())

    # Writing

    async def change(
        self,
        table_id: str,
        change: Change,
        client_id: str | None = None,
        guest: str = "",
        seat: int = -1,
        seen: int | None = None,
    ) -> TableState:
        """Makes an event and commits it; the same `client_id` again changes nothing.

        `seen` is the number of the last event that its sender knew. Only the guest who used a
        `client_id`, or who holds the seat, hears that it was used.
        """
        await self.get(table_id)  # a table that does not exist gets no lock
        async with self._lock(table_id):
            for _ in range(ATTEMPTS):
                state = await self.get(table_id)
                used = state.by_client_id.get(client_id) if client_id else None
                if used and (used.guest == guest or seat in state.held_by(guest)):
                    if used.seat != seat:
                        raise conflict("server.id_used")
                    return state
                try:
                    event, move = change(state)
                    after = state.after(event, move)
                except HeadwayError:
                    if seen is not None and seen <= state.number:
                        raise
                    # This process may be behind: only what the database knows counts.
                    if (await self._catch_up(table_id)).number == state.number:
                        raise
                    continue
                if await self.store.append(event, after):
                    metrics.events(event.kind).inc()
                    self._commit(after)
                    return after
                metrics.CONFLICTS.inc()
                await self._catch_up(table_id)
        raise unavailable()

    async def set_up(
        self, request: NewTable, guest: str, name: str, network: str = "", face: str = ""
    ) -> TableState:
        """Sets up a table; its deal is fixed and committed to from now on."""
        chosen = request.seed
        if isinstance(chosen, str):
            chosen = dealer.parse_seed(chosen)
        seed = self.seeds.seed(guest, request.map) if chosen is None else chosen
        return await self._open(new_setup(request, guest, name, seed, face), network)

    async def _open(self, setup: Setup, network: str) -> TableState:
        state = TableState.new(msgspec.structs.replace(setup, countdown=self.countdown))
        async with self.quotas.admit(setup, network):
            counted_id = await self.store.set_up(state)
        if counted_id != setup.id:
            return await self.refresh(counted_id)
        self._publish(state)
        return state

    async def bring_together(
        self, request: NewTable, people: Sequence[Occupant], network: str = ""
    ) -> TableState:
        """Sets up a table with some people on its first seats; the first of them is its host."""
        host = people[0].guest or ""
        setup = new_setup(request, host, people[0].name, self.seeds.seed(host, request.map))
        occupants = (*people, *setup.occupants[len(people) :])
        return await self._open(msgspec.structs.replace(setup, occupants=occupants), network)

    async def continue_game(
        self,
        request: NewTable,
        opening: Opening,
        guest: str,
        persona: Persona,
        network: str = "",
    ) -> TableState:
        """Sets up a table that continues another game; it promises nothing about its deal."""
        seed = self.seeds.seed(guest, request.map)
        setup = new_setup(request, guest, persona.name, seed, persona.face)
        chosen = bool(opening.deals)
        setup = msgspec.structs.replace(setup, opening=opening, commitment="", seed_chosen=chosen)
        return await self._open(setup, network)

    async def begin_try(
        self,
        request: NewTable,
        guest: str,
        persona: Persona,
        day: str,
        seed: int,
        network: str = "",
    ) -> TableState:
        """Returns the guest's one table for a deal of the day, new or begun before."""
        setup = new_setup(request, guest, persona.name, seed, persona.face)
        setup = msgspec.structs.replace(setup, day=day)
        return await self._open(setup, network)

    async def join(
        self,
        table_id: str,
        guest: str,
        seat: int | None,
        name: str,
        pick: str = "",
        face: str = "",
    ) -> TableState:
        """Seats a guest on a free seat, or on the one that they have left.

        A guest holds one seat, except at a table set up for several people at one screen. With a
        `pick` such as `pencils=green` they take that too, or neither.
        """

        def change(state: TableState) -> tuple[TableEvent, None]:
            place = _free_seat(state, guest) if seat is None else seat
            _refuse_daily(state)
            _refuse_seat(state, guest, place)
            state.require_patience(guest, events.SIT)
            _refuse_finished(state)
            if pick:
                _refuse_pick(state, guest, place, pick)
            return new_event(state, events.SIT, place, guest, name, pick=pick, face=face), None

        return await self.change(table_id, change)

    async def pick(self, table_id: str, guest: str, seat: int, pick: str) -> TableState:
        """Picks something for a seat while its table waits: the holder, or the host for a bot.

        What is for all seats (seat -1) only the host picks. The first who picks something has it.
        """

        def change(state: TableState) -> tuple[TableEvent, None]:
            hosted = seat < 0 or state.occupant(seat).bot
            if hosted and guest != state.host:
                raise forbidden("server.host_only")
            if not hosted:
                state.require_holder(guest, seat)
            _refuse_pick(state, guest, seat, pick)
            return new_event(state, events.PICK, seat, guest, pick=pick), None

        return await self.change(table_id, change)

    async def leave(self, table_id: str, guest: str, seat: int) -> TableState:
        """Frees a guest's seat."""

        def change(state: TableState) -> tuple[TableEvent, None]:
            state.require_holder(guest, seat)
            _refuse_daily(state)
            _refuse_finished(state)
            return new_event(state, events.LEAVE, seat, guest), None

        return await self.change(table_id, change)

    async def ready(self, table_id: str, guest: str) -> TableState:
        """Notes that a guest is there, so that the clock may start; again changes nothing."""
        state = await self.refresh(table_id)
        if not state.held_by(guest):
            raise forbidden("server.not_at_table")
        if state.free_seats():
            raise conflict("server.not_started")

        def change(state: TableState) -> tuple[TableEvent, None]:
            if not _asked_to_confirm(state, guest):
                raise conflict("server.moved_on")
            state.require_patience(guest, events.READY)
            return new_event(state, events.READY, -1, guest), None

        return await self.change(table_id, change) if _asked_to_confirm(state, guest) else state

    async def hold(self, table_id: str, guest: str) -> TableState:
        """Stops the time before the game: it begins when everybody has confirmed."""

        def change(state: TableState) -> tuple[TableEvent, None]:
            if not state.held_by(guest):
                raise forbidden("server.not_at_table")
            if state.starts_at is None:
                raise conflict("server.moved_on")
            return new_event(state, events.HOLD, -1, guest), None

        return await self.change(table_id, change)

    async def start(self, table_id: str, here: Callable[[TableState], bool]) -> TableState:
        """Begins a game whose time has come; holds it while somebody is not `here`."""

        def change(state: TableState) -> tuple[TableEvent, None]:
            if state.starts_at is None or state.starts_at > steady_time():
                raise conflict("server.moved_on")
            return new_event(state, events.START if here(state) else events.HOLD), None

        return await self.change(table_id, change)

    async def begin(self, table_id: str, guest: str) -> TableState:
        """Takes the free seats away, so that the game begins with fewer players."""

        def change(state: TableState) -> tuple[TableEvent, None]:
            free = state.free_seats()
            if state.started is not None or not free:
                raise conflict("server.full")
            if guest != state.host:
                raise forbidden("server.host_only")
            left = [seat for seat in range(len(state.occupants)) if seat not in free]
            game_of_seats(state.setup, state.game.chosen, left)  # refuses too few players
            _refuse_days_against_bots(state.setup, [state.occupants[seat] for seat in left])
            return new_event(state, events.BEGIN, -1, guest), None

        return await self.change(table_id, change)

    async def remove(self, table_id: str, guest: str) -> None:
        """Removes a table from a guest's list; refuses one where others wait for the guest.

        Strangers do not hear whether there is such a table.
        """
        state = await self.refresh(table_id)
        others = against_people(state.occupants) and state.held_by(guest)
        if others and not state.finished:
            raise conflict("server.leave_first")
        if not await self.store.hide(table_id, guest):
            raise not_found("server.no_table")

    async def move(
        self, table_id: str, guest: str, seat: int, text: str, client_id: str, seen: int | None
    ) -> TableState:
        """Makes a guest's move; `seen` is the number of the last event that the guest saw."""
        await self.downtime.settle(table_id)

        def change(state: TableState) -> tuple[TableEvent, Move]:
            state.require_holder(guest, seat)
            game = state.playing().game
            if seen is not None and seen < state.asked(seat):
                raise conflict("server.moved_on")
            if seat in state.flagged_seats(steady_time()):
                raise conflict("server.time_over")
            move = game.parse_move(text)
            written = game.move_text(move)
            return new_event(state, events.MOVE, seat, guest, written, client_id=client_id), move

        return await self.change(table_id, change, client_id, guest, seat, seen)

    async def bot_move(
        self, table_id: str, seat: int, bot: str, text: str, last_undo: int
    ) -> TableState:
        """Makes a bot's move, unless its seat or the game changed while it thought."""

        def change(state: TableState) -> tuple[TableEvent, None]:
            if state.occupant(seat).bot != bot or state.last_undo != last_undo:
                raise conflict("server.moved_on")
            return new_event(state, events.MOVE, seat, text=text), None

        return await self.change(table_id, change)

    async def _give_back(self, table: SilentTable, seconds: float) -> TableState:
        """Gives everybody who has to move time back, unless the table has changed."""

        def change(state: TableState) -> tuple[TableEvent, None]:
            if state.number != table.number:
                raise conflict("server.moved_on")
            return new_event(state, events.DOWNTIME, text=f"{seconds:.3f}"), None

        return await self.change(table.id, change)

    async def flag(self, table_id: str, seat: int) -> TableState:
        """Makes an idle move for a seat whose time is over."""
        await self.downtime.settle(table_id)

        def change(state: TableState) -> tuple[TableEvent, Move]:
            if seat not in state.flagged_seats(steady_time()):
                raise conflict("server.moved_on")
            game = state.playing().game
            move = game.idle_move(state.position, seat)
            return new_event(state, events.FLAG, seat, text=game.move_text(move)), move

        return await self.change(table_id, change)

    async def end(self, table_id: str) -> TableState:
        """Ends a table for good, without a result; the operator does so."""

        def change(state: TableState) -> tuple[TableEvent, None]:
            _refuse_finished(state)
            return new_event(state, events.END), None

        return await self.change(table_id, change)

    async def undo(self, table_id: str, guest: str, seat: int, client_id: str) -> TableState:
        """Takes a guest's last move back, or asks the other people at the table to allow it."""

        def change(state: TableState) -> tuple[TableEvent, None]:
            state.require_holder(guest, seat)
            drops = state.undo_drops(seat)
            place = state, events.UNDO, seat, guest
            if not state.undo_needs(seat):
                return new_event(*place, drops=drops, client_id=client_id), None
            if state.open_undo_request:
                raise conflict("server.undo_asked")
            state.require_patience(guest, events.UNDO_ASK)
            place = state, events.UNDO_ASK, seat, guest
            return new_event(*place, text=str(drops[0]), client_id=client_id), None

        return await self.change(table_id, change, client_id, guest, seat)

    async def answer_undo(
        self, table_id: str, guest: str, request: tuple[int, int], grant: bool, client_id: str
    ) -> TableState:
        """Lets a seat take its move back, or not; `request` is its seat, and its event's number.

        Nobody answers by saying nothing: a request without an answer ends with its turn.
        """
        seat = request[0]

        def change(state: TableState) -> tuple[TableEvent, None]:
            if not state.held_by(guest):
                raise forbidden("server.not_at_table")
            asked = state.open_undo_request
            if asked is None or (asked.seat, asked.number) != request:
                raise conflict("server.undo_gone")
            waits = state.undo_waits_for(asked)
            if guest not in waits:
                raise forbidden("server.undo_not_asked")
            drops: tuple[int, ...] = ()
            kind = events.UNDO_YES if grant else events.UNDO_NO
            if grant and waits == {guest}:
                kind, drops = events.UNDO, (asked.move,)
            return new_event(state, kind, seat, guest, drops=drops, client_id=client_id), None

        return await self.change(table_id, change, client_id, guest, seat)

    async def give_to_bot(
        self,
        table_id: str,
        guest: str,
        seat: int,
        bot: str,
        away: Callable[[TableState, int], bool],
    ) -> TableState:
        """Gives a seat to a bot: the guest's, a free one, or one whose holder is away."""

        def change(state: TableState) -> tuple[TableEvent, None]:
            occupant = state.occupant(seat)
            find_bot(bot, state.setup.game)
            _refuse_daily(state)
            _refuse_finished(state)
            if not (state.held_by(guest) or state.setup.host == guest):
                raise forbidden("server.not_at_table")
            if occupant.bot:
                raise conflict("server.bot_already")
            if occupant.kind == "open" and state.started is None and guest != state.host:
                raise forbidden("server.host_only")
            if state.started is None:
                others = [who for s, who in enumerate(state.occupants) if s != seat]
                _refuse_days_against_bots(state.setup, others)
            if occupant.kind == "person" and occupant.guest != guest and not away(state, seat):
                raise conflict("server.not_away")
            return new_event(state, events.BOT, seat, guest, text=bot), None

        return await self.change(table_id, change)

    async def rematch(self, table_id: str, guest: str, network: str = "") -> TableState:
        """Returns the next table for the same people, who are there when they ask for it.

        Everybody gets the same one. Its clock starts when all have asked.
        """
        state = await self.refresh(table_id)
        async with self._lock(table_id):
            for _ in range(ATTEMPTS):
                if state.next:
                    break
                if not state.held_by(guest):
                    raise forbidden("server.not_at_table")
                if not state.finished:
                    raise conflict("server.not_over")
                new = TableState.new(_rematch_setup(state, self.seeds))
                event = new_event(state, events.REMATCH, -1, guest, text=new.setup.id)
                after = state.after(event)
                async with self.quotas.admit(new.setup, network):
                    written = await self.store.append(event, after, new)
                if written:
                    self._cache(new)
                    self._commit(after)
                    state = after
                    break
                state = await self._catch_up(table_id)
        assert state.next
        following = await self.get(state.next)
        return await self.ready(state.next, guest) if following.held_by(guest) else following


def new_event(
    state: TableState,
    kind: str,
    seat: int = -1,
    guest: str | None = None,
    text: str = "",
    **fields: Any,
) -> TableEvent:
    """Returns the next event of a table; `fields` are the others of `TableEvent`."""
    # A process whose clock is behind must not write a time before the turn began.
    at = max(steady_time(), *state.clock.since.values(), 0.0)
    place: dict[str, Any] = {"table_id": state.setup.id, "number": state.number + 1, "at": at}
    return TableEvent(**place, kind=kind, seat=seat, guest=guest, text=text, **fields)


def _refuse_daily(state: TableState) -> None:
    """Refuses changes of seats at a deal of the day: its player plays it alone to the end."""
    if state.setup.day:
        raise conflict("server.today_alone")


def _refuse_pick(state: TableState, guest: str, seat: int, pick: str) -> None:
    """Refuses a pick when the game has begun, or of what another seat has."""
    if state.started is not None:
        raise conflict("server.begun")
    state.require_patience(guest, events.PICK)
    part, _, value = pick.partition("=")
    if choice_of(state.game, part).each_seat != (seat >= 0):
        raise invalid("choice.seats", part=part, seats=state.game.seats)
    taken = state.game.chosen.get(part) or []
    if seat >= 0 and any(one == value for s, one in enumerate(taken) if one and s != seat):
        raise conflict("server.picked")


def _asked_to_confirm(state: TableState, guest: str) -> bool:
    return bool(set(state.held_by(guest)) & set(state.unready()))


def _refuse_days_against_bots(setup: Setup, occupants: Sequence[Occupant]) -> None:
    if setup.clock.kind == "days" and not against_people(occupants):
        raise conflict("server.clock_days")


def _refuse_finished(state: TableState) -> None:
    if state.finished:
        raise conflict("server.over")


def _refuse_seat(state: TableState, guest: str, seat: int) -> None:
    """Refuses a seat to a guest; one who left it may always come back."""
    occupant = state.occupant(seat)
    if occupant.guest == guest:
        raise conflict("server.yours")
    if occupant.former == guest:
        return
    if occupant.kind != "open":
        raise conflict("server.taken")
    if state.started is not None:
        raise conflict("server.seat_left")
    if state.held_by(guest):
        raise conflict("server.one_seat")


def _free_seat(state: TableState, guest: str) -> int:
    kept = [seat for seat, occupant in enumerate(state.occupants) if occupant.former == guest]
    free = state.free_seats()
    if not kept + free:
        raise conflict("server.full")
    return (kept + free)[0]


def new_setup(request: NewTable, guest: str, name: str, seed: int, face: str = "") -> Setup:
    """Returns the set-up of a new table; refuses what cannot be played."""
    game_box = box(request.game)
    if request.map not in game_box.maps:
        raise InputError("server.no_map", map=request.map, known=", ".join(game_box.maps))
    game = game_box.open(request.map, len(request.seats), request.options)
    if request.seed is not None and not request.training:
        raise invalid("server.seed_training")
    for seat in request.seats:
        if seat.kind == "bot":
            find_bot(seat.bot or "", game_box.name)
    if request.chosen:
        check_choices(game, request.chosen)
        game.choose(request.chosen)
    occupants = tuple(_occupant(seat, guest, name, face) for seat in request.seats)
    if request.clock.kind == "days" and not against_people(occupants):
        raise invalid("server.clock_days")
    promise = dealer.promise(seed)
    return Setup(
        id=new_table_id(),
        created=steady_time(),
        host=guest,
        game=game_box.name,
        map=game.map,
        map_hash=game.map_hash,
        rules=RULES,
        options=dict(game.options),
        occupants=occupants,
        seed=seed,
        salt=promise.salt or "",
        commitment=promise.commitment,
        clock=request.clock.checked(request.training),
        training=request.training,
        seed_chosen=request.seed is not None,
        public=request.public,
        chosen=dict(request.chosen),
        # Nobody loses days by not being there when a game of days begins.
        confirm=request.clock.kind not in ("none", "days"),
    )


def _occupant(seat: NewSeat, guest: str, name: str, face: str) -> Occupant:
    if seat.kind == "open":
        return Occupant()
    if seat.kind == "bot":
        return Occupant((seat.name or seat.bot or "")[:NAME_LENGTH], None, seat.bot)
    # Who else plays at the same screen has a name of their own, and with it a face.
    return Occupant(seat.name, guest) if seat.name else Occupant(name, guest, face=face)


def _rematch_setup(state: TableState, seeds: SeedSource) -> Setup:
    """Returns the set-up of a rematch: the same people and bots, another deal."""
    seed = seeds.seed(state.setup.host, state.setup.map)
    promise = dealer.promise(seed)
    return msgspec.structs.replace(
        state.setup,
        id=new_table_id(),
        created=steady_time(),
        occupants=tuple(who if who.kind != "open" else Occupant() for who in state.occupants),
        chosen=dict(state.game.chosen),
        day="",
        opening=None,
        seed_chosen=False,
        seed=seed,
        salt=promise.salt or "",
        commitment=promise.commitment,
    )
