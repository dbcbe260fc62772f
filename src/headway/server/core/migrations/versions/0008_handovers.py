"""Guests who became accounts and whose tables still change; tables by host."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds both; what is there stays as it is."""
    op.create_table(
        "handovers",
        sa.Column("guest", sa.String(32), primary_key=True),
        sa.Column("account", sa.String(32), nullable=False),
    )
    op.create_index("ix_tables_host", "tables", ["host"])
