"""When a process was last alive, and what players pick while a table waits."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the row that processes update; until they do, the last events of tables count."""
    heartbeat = op.create_table("heartbeat", sa.Column("at", sa.Float, primary_key=True))
    op.bulk_insert(heartbeat, [{"at": 0.0}])
    pick = sa.Column("pick", sa.String(80), nullable=False, server_default="")
    op.add_column("events", pick)
