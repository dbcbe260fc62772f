"""Puzzles, and who has answered which."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds two tables; what is there stays as it is."""
    op.create_table(
        "puzzles",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("map", sa.String(40), nullable=False),
        sa.Column("table_id", sa.String(16), nullable=False, index=True),
        sa.Column("made", sa.Float, nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "answers",
        sa.Column("guest", sa.String(32), primary_key=True),
        sa.Column("puzzle", sa.String(16), sa.ForeignKey("puzzles.id"), primary_key=True),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("solved", sa.Boolean, nullable=False),
    )
    op.create_index("ix_answers_puzzle", "answers", ["puzzle"])
