"""The house: everything that a server process is made of, opened and closed in order."""

from __future__ import annotations

import secrets
import signal
from multiprocessing import resource_tracker

from headway.server.calendar import Days
from headway.server.daily.deals import DailyDeals
from headway.server.database.migrations import upgrade
from headway.server.database.tables import Store, open_engine
from headway.server.http.limits import Limits
from headway.server.metrics import METRICS
from headway.server.people.accounts import Accounts
from headway.server.people.guests import Guests
from headway.server.play.authority import Deals, Tables
from headway.server.play.bot_runner import Bots
from headway.server.play.connections import Live
from headway.server.play.process_bus import Notes
from headway.server.play.watchdog import Keeper
from headway.settings import ServerSettings


class House:
    """A server process: its store, tables, sockets, bots and keeper."""

    def __init__(self, settings: ServerSettings) -> None:
        self.settings = settings
        self.days = Days(settings.today)
        self.store = Store(open_engine(settings.database_url), self.days)
        self.guests = Guests(self.store, b"")
        self.limits = Limits(settings.rate, settings.channels)
        self.tables = Tables(self.store, Deals(settings.seed))
        self.notes = Notes(settings.channels, secrets.token_hex(8))
        self.live = Live(self.tables, self.notes, settings.away)
        self.bots = Bots(self.tables, settings)
        self.accounts = Accounts(self.guests.register, self.guests, self.tables, self.limits)
        self.today = DailyDeals(self.tables, self.bots, self.guests, settings.seed)
        self.keeper = Keeper(self.tables, self.bots, self.live)

    async def open(self) -> None:
        """Brings the database up to date and starts everything."""
        await upgrade(self.store.engine)
        await self.store.open()
        chosen = self.settings.secret.encode()
        self.guests.secret = chosen or await self.store.secret(secrets.token_bytes(32))
        self.notes.open()
        # A worker that Ctrl-C reaches while it starts would complain; the server is told in time.
        resource_tracker.ensure_running()  # starting it would let Ctrl-C through again
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        self.bots.open()
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        self.keeper.open()
        METRICS.gauge("headway_sockets", lambda: sum(map(len, self.live.lines.values())))
        METRICS.gauge("headway_tables_in_memory", self.tables.count)

    async def close(self) -> None:
        """Stops everything; what is committed stays."""
        await self.keeper.close()
        await self.today.close()
        await self.bots.close()
        await self.notes.close()
        await self.limits.close()
        await self.store.close()
