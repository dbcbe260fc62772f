"""Reviews of finished games, and those that are being made."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the table; what is there stays as it is."""
    op.create_table(
        "reviews",
        sa.Column("key", sa.String(80), primary_key=True),
        sa.Column("engine", sa.String(40), primary_key=True),
        sa.Column("owner", sa.String(50), nullable=False),
        sa.Column("asked", sa.Float, nullable=False),
        sa.Column("record", sa.LargeBinary, nullable=False),
        sa.Column("holder", sa.String(32), nullable=False),
        sa.Column("lease", sa.Float, nullable=False),
        sa.Column("done", sa.Integer, nullable=False),
        sa.Column("total", sa.Integer, nullable=False),
        sa.Column("failed", sa.Integer, nullable=False),
        sa.Column("finished", sa.Boolean, nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
    )
    op.create_index("reviews_to_make", "reviews", ["engine", "finished", "asked"])
