"""What names look like, so that nobody takes one that looks like an account's."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the columns; the server fills those of accounts when it starts."""
    for column in ("small_look", "look"):
        for table in ("accounts", "guests"):
            op.add_column(table, sa.Column(column, sa.String(200)))
            op.create_index(f"ix_{table}_{column}", table, [column], unique=table == "accounts")
