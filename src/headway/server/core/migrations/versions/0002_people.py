"""Accounts with sessions, results, ratings, tries at the deals of the day."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds all of them; what is there stays as it is."""
    op.add_column("tables", sa.Column("day", sa.String(10), nullable=False, server_default=""))
    op.create_table(
        "accounts",
        sa.Column("guest", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("key", sa.String(200), nullable=False, unique=True),
        sa.Column("password", sa.String(200), nullable=False),
        sa.Column("created", sa.Float, nullable=False),
    )
    op.create_table(
        "sessions",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column(
            "guest", sa.String(32), sa.ForeignKey("accounts.guest"), nullable=False, index=True
        ),
        sa.Column("created", sa.Float, nullable=False),
    )
    _results()
    _days()


def _results() -> None:
    op.create_table(
        "results",
        sa.Column("table_id", sa.String(16), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("guest", sa.String(32), index=True),
        sa.Column("bot", sa.String(40)),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("map", sa.String(40), nullable=False),
        sa.Column("modules", sa.String(200), nullable=False),
        sa.Column("seats", sa.Integer, nullable=False),
        sa.Column("total", sa.Integer, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("day", sa.String(10), nullable=False),
    )
    op.create_index("results_of_a_day", "results", ["day", "game", "map"])
    op.create_table(
        "ratings",
        sa.Column("who", sa.String(50), primary_key=True),
        sa.Column("game", sa.String(40), primary_key=True),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
    )


def _days() -> None:
    op.create_table(
        "tries",
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("game", sa.String(40), primary_key=True),
        sa.Column("map", sa.String(40), primary_key=True),
        sa.Column("guest", sa.String(32), primary_key=True),
        sa.Column(
            "table_id", sa.String(16), sa.ForeignKey("tables.id"), nullable=False, unique=True
        ),
    )
    op.create_table(
        "bot_tries",
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("game", sa.String(40), primary_key=True),
        sa.Column("map", sa.String(40), primary_key=True),
        sa.Column("bot", sa.String(60), primary_key=True),
        sa.Column("total", sa.Integer, nullable=False),
    )
