"""Marks tables whose host chose the seed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the mark; nobody knows it of older tables."""
    column = sa.Column("seed_chosen", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("tables", column)
