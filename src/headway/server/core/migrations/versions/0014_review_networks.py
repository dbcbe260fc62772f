"""Whose turn it is among addresses that wait for reviews."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds a column; reviews that wait already count as those of one address."""
    network = sa.Column("network", sa.String(16), nullable=False, server_default="")
    op.add_column("reviews", network)
