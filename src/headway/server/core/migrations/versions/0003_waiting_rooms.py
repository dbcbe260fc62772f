"""Choices of the host, confirmation before a clock starts, and what lists of games show."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the columns; tables that exist need no confirmation, so their events stay valid."""
    op.add_column("tables", sa.Column("chosen", sa.JSON, nullable=False, server_default="{}"))
    off = sa.false()
    op.add_column("tables", sa.Column("confirm", sa.Boolean, nullable=False, server_default=off))
    op.add_column("tables", sa.Column("progress", sa.JSON))
    op.add_column("seats", sa.Column("hidden", sa.Boolean, nullable=False, server_default=off))
