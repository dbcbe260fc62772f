"""What people decide about open data, and what data sets tell of a result."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds both; nobody knows the ratings before older games, nor the version of their bots."""
    op.create_table(
        "sharing",
        sa.Column("guest", sa.String(32), primary_key=True),
        sa.Column("choice", sa.String(10), nullable=False),
    )
    for name, kind in (("mu", sa.Float), ("sigma", sa.Float), ("version", sa.String(40))):
        op.add_column("results", sa.Column(name, kind, nullable=True))
