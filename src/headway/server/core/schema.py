"""The database's tables. A change here needs a migration for databases of older versions."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    UniqueConstraint,
    false,
)
from sqlalchemy.schema import SchemaItem

METADATA = MetaData()


def _table(name: str, *parts: SchemaItem) -> Table:
    return Table(name, METADATA, *parts)


TABLES = _table(
    "tables",
    Column("id", String(16), primary_key=True),
    Column("created", Float, nullable=False),
    Column("host", String(32), nullable=False, index=True),
    Column("game", String(40), nullable=False),
    Column("map", String(40), nullable=False),
    Column("map_hash", String(80), nullable=False),
    Column("rules", Integer, nullable=False),
    Column("options", JSON, nullable=False),
    Column("chairs", JSON, nullable=False),
    Column("seed", String(40), nullable=False),
    Column("salt", String(64), nullable=False),
    Column("commitment", String(64), nullable=False),
    Column("clock", JSON, nullable=False),
    Column("training", Boolean, nullable=False),
    Column("public", Boolean, nullable=False),
    # Whether players may write to each other in their own words.
    Column("chat", Boolean, nullable=False, server_default=false()),
    Column("day", String(10), nullable=False, server_default=""),
    Column("chosen", JSON, nullable=False, server_default="{}"),
    Column("confirm", Boolean, nullable=False, server_default=false()),
    Column("countdown", Float, nullable=False, server_default="0"),
    Column("seed_chosen", Boolean, nullable=False, server_default=false()),
    Column("opening", JSON(none_as_null=True)),
    # What follows from the events, written with each of them, for lists and the watchdog.
    Column("number", Integer, nullable=False),
    Column("changed", Float, nullable=False),
    Column("started", Float),
    Column("finished", Boolean, nullable=False),
    Column("ended", Boolean, nullable=False, server_default=false()),
    Column("free", Boolean, nullable=False, index=True),
    Column("wake", Float, index=True),
    Column("progress", JSON),
)

# One row: when a process last wrote that it is alive, while any clock ran.
HEARTBEAT = _table("heartbeat", Column("at", Float, primary_key=True))

EVENTS = _table(
    "events",
    Column("table_id", String(16), ForeignKey("tables.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", Float, nullable=False),
    Column("kind", String(10), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("guest", String(32), index=True),
    Column("client_id", String(64)),
    Column("text", String(200), nullable=False),
    Column("drops", JSON, nullable=False),
    Column("pick", String(80), nullable=False, server_default=""),
    Column("face", String(5), nullable=False, server_default=""),
    UniqueConstraint("table_id", "client_id"),
)

SEATS = _table(
    "seats",
    Column("table_id", String(16), ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("name", String(40), nullable=False),
    Column("guest", String(32), index=True),
    Column("bot", String(40)),
    Column("former", String(32)),
    Column("face", String(5), nullable=False, server_default=""),
    # Whether the holder has removed the table from the list of games.
    Column("hidden", Boolean, nullable=False, server_default=false()),
    # When its holder was last sent a notice about the table.
    Column("noticed", Float),
)

GUESTS = _table(
    "guests",
    Column("id", String(32), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("small_look", String(200), index=True),
    Column("look", String(200), index=True),
    Column("face", String(5), nullable=False, server_default=""),
    Column("created", Float, nullable=False),
)

TOKENS = _table(
    "tokens",
    Column("hash", String(64), primary_key=True),
    Column("guest", String(32), nullable=False, index=True),
    Column("name", String(40), nullable=False),
    Column("created", Float, nullable=False),
)

SECRETS = _table(
    "secrets",
    Column("name", String(20), primary_key=True),
    Column("value", LargeBinary, nullable=False),
)

ACCOUNTS = _table(
    "accounts",
    Column("guest", String(32), primary_key=True),
    Column("name", String(40), nullable=False),
    # The name without regard to case and look: nobody can take one that reads the same.
    Column("key", String(200), nullable=False, unique=True),
    # What it looks like in small letters, and as written: nobody can take a name that looks so.
    Column("small_look", String(200), unique=True, index=True),
    Column("look", String(200), unique=True, index=True),
    Column("password", String(200), nullable=False),
    # The hash of the code with which somebody who lost the password sets another one.
    Column("recovery", String(200), nullable=False, server_default=""),
    Column("created", Float, nullable=False),
)

PASSKEYS = _table(
    "passkeys",
    Column("id", String(400), primary_key=True),
    Column("guest", String(32), nullable=False, index=True),
    Column("public_key", LargeBinary, nullable=False),
    Column("count", Integer, nullable=False),
    Column("name", String(40), nullable=False),
    Column("created", Float, nullable=False),
    Column("used", Float),
)

# Secrets that work once and for a few minutes, for passkeys and second devices.
CHALLENGES = _table(
    "challenges",
    Column("hash", String(64), primary_key=True),
    Column("use", String(10), nullable=False),
    Column("guest", String(32), nullable=False, index=True),
    Column("until", Float, nullable=False),
)

# What somebody decided about open data; who is not here appears under a pseudonym.
SHARING = _table(
    "sharing",
    Column("guest", String(32), primary_key=True),
    Column("choice", String(10), nullable=False),
)

# Guests who became accounts, until all their tables are the account's; or nobody ("").
HANDOVERS = _table(
    "handovers",
    Column("guest", String(32), primary_key=True),
    Column("account", String(32), nullable=False),
)

SESSIONS = _table(
    "sessions",
    Column("hash", String(64), primary_key=True),
    Column("guest", String(32), ForeignKey("accounts.guest"), nullable=False, index=True),
    Column("created", Float, nullable=False),
)

# The browsers that somebody lets us call, each with the session in which that was allowed.
SUBSCRIPTIONS = _table(
    "subscriptions",
    Column("hash", String(64), primary_key=True),
    Column("guest", String(32), nullable=False, index=True),
    Column("session", String(64), nullable=False, index=True),
    Column("endpoint", String(500), nullable=False),
    Column("p256dh", String(100), nullable=False),
    Column("auth", String(30), nullable=False),
    Column("lang", String(20), nullable=False),
    Column("created", Float, nullable=False),
)

# The kinds of notices that somebody does not want.
UNWANTED_NOTICES = _table(
    "unwanted_notices",
    Column("guest", String(32), primary_key=True),
    Column("kind", String(10), primary_key=True),
)

# The secret addresses of calendars.
CALENDARS = _table(
    "calendars",
    Column("guest", String(32), primary_key=True),
    Column("hash", String(64), nullable=False, unique=True),
    Column("lang", String(20), nullable=False),
)

WEBHOOKS = _table(
    "webhooks",
    Column("guest", String(32), primary_key=True),
    Column("url", String(500), nullable=False),
    Column("secret", String(64), nullable=False),
    Column("lang", String(20), nullable=False),
    # Notices in a row that did not arrive.
    Column("failures", Integer, nullable=False),
)

# Whom somebody does not want to hear, or to play with, and what the other was called.
AVOIDED = _table(
    "avoided",
    Column("guest", String(32), primary_key=True),
    Column("other", String(32), primary_key=True, index=True),
    Column("how", String(5), primary_key=True),
    Column("name", String(40), nullable=False),
)

# Tables that somebody was asked to by somebody they had played with.
DUELS = _table(
    "duels",
    Column("table_id", String(16), ForeignKey("tables.id"), primary_key=True),
    Column("guest", String(32), nullable=False, index=True),
    Column("other", String(32), nullable=False, index=True),
    Column("at", Float, nullable=False),
)

# What players wrote to each other at tables whose hosts allow it.
REMARKS = _table(
    "remarks",
    Column("id", Integer, primary_key=True),
    Column("table_id", String(16), ForeignKey("tables.id"), nullable=False, index=True),
    Column("seat", Integer, nullable=False),
    Column("guest", String(32), nullable=False, index=True),
    Column("name", String(40), nullable=False),
    Column("text", String(200), nullable=False),
    Column("at", Float, nullable=False),
)

# Remarks that somebody (guest) finds an operator should see, with who wrote them (other).
REPORTS = _table(
    "reports",
    Column("id", Integer, primary_key=True),
    Column("guest", String(32), nullable=False, index=True),
    Column("other", String(32), nullable=False, index=True),
    # What the writer was called; the report outlives the table.
    Column("name", String(40), nullable=False),
    Column("table_id", String(16), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("text", String(200), nullable=False),
    # When it was written, when it was reported, and when an operator was done with it.
    Column("said", Float, nullable=False),
    Column("at", Float, nullable=False),
    Column("handled", Float),
)

# Who looks for somebody to play with, as long as their page is open.
SEEKS = _table(
    "seeks",
    Column("guest", String(32), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("face", String(5), nullable=False),
    # Equal for the seeks of one address; only the process that wrote it can tell of which.
    Column("network", String(16), nullable=False),
    Column("game", String(40), nullable=False),
    # Empty for any of the game's.
    Column("map", String(40), nullable=False),
    Column("clock", JSON, nullable=False),
    Column("points", Integer, nullable=False),
    Column("asked", Float, nullable=False),
    # Until when it counts if nobody renews it, and the table that was found.
    Column("lease", Float, nullable=False),
    Column("table_id", String(16), nullable=False),
)

# The result of each seat of a finished game; training games have none.
RESULTS = _table(
    "results",
    Column("table_id", String(16), ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("guest", String(32), index=True),
    Column("bot", String(40)),
    Column("game", String(40), nullable=False),
    Column("map", String(40), nullable=False),
    Column("modules", String(200), nullable=False),
    Column("seats", Integer, nullable=False),
    Column("total", Integer, nullable=False),
    Column("place", Integer, nullable=False),
    Column("at", Float, nullable=False),
    # The day whose deal it was, if it was finished on that day.
    Column("day", String(10), nullable=False),
    # The rating before the game, if the seat was rated, and the version of Headway at its end.
    Column("mu", Float),
    Column("sigma", Float),
    # And after it.
    Column("mu_after", Float),
    Column("sigma_after", Float),
    Column("version", String(40)),
    # Once the game is reviewed: by which engine, and the figures of the seat in thousandths.
    Column("reviewed", String(40)),
    Column("measure", String(10)),
    Column("worth", Integer),
    Column("luck", Integer),
    Column("loss", Integer),
    Column("kinds", JSON(none_as_null=True)),
    Index("results_of_a_day", "day", "game", "map"),
)

# What somebody was the first time proud of, and at which table.
FEATS = _table(
    "feats",
    Column("guest", String(32), primary_key=True),
    Column("feat", String(40), primary_key=True),
    Column("table_id", String(16), ForeignKey("tables.id"), nullable=False, index=True),
    Column("at", Float, nullable=False),
)

RATINGS = _table(
    "ratings",
    Column("who", String(50), primary_key=True),
    Column("game", String(40), primary_key=True),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("games", Integer, nullable=False),
)

# Everybody has one try at a deal of the day.
TRIES = _table(
    "tries",
    Column("day", String(10), primary_key=True),
    Column("game", String(40), primary_key=True),
    Column("map", String(40), primary_key=True),
    Column("guest", String(32), primary_key=True),
    Column("table_id", String(16), ForeignKey("tables.id"), nullable=False, unique=True),
)

BOT_TRIES = _table(
    "bot_tries",
    Column("day", String(10), primary_key=True),
    Column("game", String(40), primary_key=True),
    Column("map", String(40), primary_key=True),
    Column("bot", String(60), primary_key=True),
    Column("total", Integer, nullable=False),
)

# Reviews, each made once for a game and a version of the engine; those not finished are to be made.
REVIEWS = _table(
    "reviews",
    # A table's id, or the hash of a record that somebody sent.
    Column("key", String(80), primary_key=True),
    Column("engine", String(40), primary_key=True),
    Column("owner", String(50), nullable=False),
    # Equal for reviews of one address while they wait; only a running process can tell of which.
    Column("network", String(16), nullable=False, server_default=""),
    Column("asked", Float, nullable=False),
    Column("record", LargeBinary, nullable=False),
    # Who makes it, and until when nobody else may.
    Column("holder", String(32), nullable=False),
    Column("lease", Float, nullable=False),
    Column("done", Integer, nullable=False),
    Column("total", Integer, nullable=False),
    Column("failed", Integer, nullable=False),
    Column("finished", Boolean, nullable=False),
    # The first figures, or the whole report.
    Column("content", LargeBinary, nullable=False),
    # Whether it is, or need not be, searched for puzzles.
    Column("searched", Boolean, nullable=False, server_default=false()),
    Index("reviews_to_make", "engine", "finished", "asked"),
    Index("reviews_to_search", "engine", "searched", "finished"),
)

# The results of a review's tasks, until it is finished.
REVIEW_RESULTS = _table(
    "review_results",
    Column("key", String(80), primary_key=True),
    Column("engine", String(40), primary_key=True),
    Column("task", Integer, primary_key=True, autoincrement=False),
    Column("result", LargeBinary, nullable=False),
    ForeignKeyConstraint(["key", "engine"], ["reviews.key", "reviews.engine"], ondelete="CASCADE"),
)

# Positions in which somebody looks for the best move; those that come with Headway have no table.
PUZZLES = _table(
    "puzzles",
    Column("id", String(16), primary_key=True),
    Column("game", String(40), nullable=False),
    Column("map", String(40), nullable=False),
    Column("table_id", String(16), nullable=False, index=True),
    Column("made", Float, nullable=False),
    Column("content", LargeBinary, nullable=False),
)

# The first answer of everybody to a puzzle.
ANSWERS = _table(
    "answers",
    Column("guest", String(32), primary_key=True),
    Column("puzzle", String(16), ForeignKey("puzzles.id"), primary_key=True, index=True),
    Column("at", Float, nullable=False),
    Column("solved", Boolean, nullable=False),
)

# What operators did, numbered without gaps: every process reads what is new, and obeys.
ACTS = _table(
    "acts",
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", Float, nullable=False),
    Column("operator", String(80), nullable=False),
    Column("act", String(40), nullable=False),
    Column("subject", String(80), nullable=False),
    Column("details", JSON, nullable=False),
)

# People who may look on but change nothing; without an end it is for good.
BANS = _table(
    "bans",
    Column("guest", String(32), primary_key=True),
    Column("at", Float, nullable=False),
    Column("until", Float),
    Column("reason", String(200), nullable=False),
)

# What the operator tells everybody on every page; the last one counts.
NOTICES = _table(
    "notices",
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("text", String(300), nullable=False),
    Column("until", Float, nullable=False),
)

# Links that let somebody in where strangers may not enter.
INVITATIONS = _table(
    "invitations",
    Column("hash", String(64), primary_key=True),
    Column("note", String(80), nullable=False),
    Column("made", Float, nullable=False),
    Column("until", Float, nullable=False),
    Column("uses_left", Integer, nullable=False),
)

# What one process at a time does for all: who has begun keeps others off until then.
DUTIES = _table(
    "duties",
    Column("name", String(20), primary_key=True),
    Column("until", Float, nullable=False),
    Column("done", Float, nullable=False),
)
