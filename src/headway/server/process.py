"""A server process: everything it is made of, wired, opened and closed in one place."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from headway.server.admin.acts import ActFollower, Bans, StandingNotice
from headway.server.backups.backups import BackupSchedule
from headway.server.content.pictures import Drawings
from headway.server.core.calendar import Calendar
from headway.server.core.database import Database, open_engine
from headway.server.core.migrations import upgrade
from headway.server.core.workers import Workers, running
from headway.server.daily.deals import DailyDeals
from headway.server.lobby.hub import Lobby
from headway.server.lobby.seeks import SeekStore
from headway.server.notices.outbound import Outbound
from headway.server.notices.service import Notices
from headway.server.notices.store import NoticeStore
from headway.server.notices.web_push import Vapid, new_key
from headway.server.people.accounts import Accounts
from headway.server.people.acquaintances import Acquaintances
from headway.server.people.chat import Chat
from headway.server.people.guests import Guests
from headway.server.people.store import AccountStore
from headway.server.people.ways_in import Invitations, OneTimeSecrets, Passkeys
from headway.server.practice.service import Practice
from headway.server.reviews.service import Reviewing
from headway.server.tables.authority import TableAuthority
from headway.server.tables.bots import BotCompiler, BotRunner
from headway.server.tables.bus import ProcessBus
from headway.server.tables.connections import WatcherNames
from headway.server.tables.news import ConnectionHub
from headway.server.tables.setup import SeedSource
from headway.server.tables.store import TableStore
from headway.server.tables.watchdog import TableWatchdog
from headway.settings import ServerSettings

NO_CONTACT = "mailto:nobody@example.invalid"
"""What push services are told where the host names neither a contact nor an origin."""


class ServerProcess:
    """The parts of a server process; `running` makes one and closes it."""

    def __init__(
        self, settings: ServerSettings, database: Database, secret: bytes, push_key: bytes
    ) -> None:
        self.settings = settings
        self.draining = False
        """Whether it is to end, and others should serve what comes."""
        self.database = database
        self.calendar = Calendar(settings.today, settings.time_zone, settings.idle_work)
        self.store = TableStore(database, self.calendar)
        self.guests = Guests(database, secret)
        self.authority = TableAuthority(self.store, SeedSource(settings.seed), settings.rate)
        self.authority.countdown = settings.countdown
        self.bus = ProcessBus(settings.channels, secrets.token_hex(8))
        names = WatcherNames(self.guests.chosen_personas)
        self.connections = ConnectionHub(self.authority, self.bus, settings.away, names)
        self.workers = Workers(settings.bot_workers, settings.processes)
        self.compiler = BotCompiler()
        pool, seconds = self.workers.bots, settings.bot_seconds
        self.bot_runner = BotRunner(self.authority, pool, self.compiler, seconds)
        self.one_time = OneTimeSecrets(database)
        self.passkeys = Passkeys(database, self.one_time)
        self.invitations = Invitations(database)
        self.accounts = Accounts(AccountStore(database), self.guests, self.authority)
        self.drawings = Drawings(self.workers.pages)
        budget = settings.review_budget
        self.reviewing = Reviewing(self.authority, pool, self.compiler, budget, settings.rate)
        deals = settings.seed.encode() or secret
        self.daily = DailyDeals(self.authority, self.reviewing, self.bot_runner, deals)
        self.practice = Practice(self.reviewing, self.workers.pages, self.calendar, budget)
        vapid = Vapid(push_key, settings.contact or settings.origin or NO_CONTACT)
        outbound, origin = Outbound(settings.notice_networks), settings.origin
        store = NoticeStore(database)
        self.notices = Notices(store, self.authority, self.connections, outbound, vapid, origin)
        self.backups = BackupSchedule(database, settings.database_url, settings.backups)
        self.bans, self.operator_notice = Bans(database), StandingNotice(database)
        self.acts = ActFollower(
            database, self.authority, self.connections, self.bans, self.operator_notice
        )
        self.acquaintances = Acquaintances(
            self.store, self.authority, self.connections.everybody, self.notices.invite
        )
        self.chat = Chat(database, self.authority, self.connections, self.acquaintances)
        seeks, apart = SeekStore(database), self.acquaintances.apart
        self.lobby = Lobby(self.authority, self.connections, self.bus, seeks, apart)
        self.watchdog = TableWatchdog(self.authority, self.bot_runner, self.connections)
        # Who listens: the pages and the watchdog to every new state, other processes to ours.
        self.authority.on_change = (
            self.connections.table_changed,
            self.watchdog.table_changed,
            self.lobby.table_changed,
        )
        self.authority.on_commit = (
            self.connections.announce,
            self.daily.table_changed,
            self.notices.table_changed,
        )
        self.authority.on_deleted = (
            self.connections.table_deleted,
            self.watchdog.table_deleted,
        )
        self.bus.on_message = self.connections.receive
        self.connections.on_lobby = self.lobby.receive
        self.connections.on_close = self.lobby.close_guest
        self.bot_runner.online = self.connections.online
        self.connections.compile_waits = self.bot_runner.compile_waits
        self.bot_runner.on_compile_wait = self.connections.presence_changed
        self.connections.on_guest = self.bot_runner.guests_changed

    @classmethod
    @asynccontextmanager
    async def running(cls, settings: ServerSettings) -> AsyncIterator[ServerProcess]:
        """Brings the database up to date, reads the secret, and runs a process until the end."""
        async with AsyncExitStack() as stack:
            database = Database(open_engine(settings.database_url))
            stack.push_async_callback(database.close)
            await upgrade(database.engine)
            secret = settings.secret.encode() or await database.secret(secrets.token_bytes(32))
            push_key = await database.secret(new_key(), "push")
            process = cls(settings, database, secret, push_key)
            await process._start(stack)
            yield process

    async def _start(self, stack: AsyncExitStack) -> None:
        """Starts everything; the stack stops it in reverse order. What is committed stays."""
        await stack.enter_async_context(running(self.store.run, "event writer"))
        self.bus.open()
        self.workers.open()
        if self.settings.warm_up:
            self.compiler.start()
        for part in (self.bus, self.workers, self.compiler, self.drawings):
            stack.push_async_callback(part.close)
        stack.push_async_callback(self.bot_runner.close)
        await self.acts.start()
        self.connections.notice = self.operator_notice.number
        services = {
            "reviews": self.reviewing.run,
            "practice": self.practice.run,
            "deals of the day": self.daily.run,
            "notices": self.notices.run,
            "lobby": self.lobby.run,
            "watchdog": self.watchdog.run,
            "acts of operators": self.acts.run,
            "backups": self.backups.run,
            "handovers": self.accounts.store.finish_handovers,
        }
        for name, run in services.items():
            await stack.enter_async_context(running(run, name))
