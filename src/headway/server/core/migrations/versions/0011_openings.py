"""Tables that continue another game."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the column; no table so far continues another game."""
    op.add_column("tables", sa.Column("opening", sa.JSON, nullable=True))
