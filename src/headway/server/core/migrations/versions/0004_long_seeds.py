"""Seeds of 128 bits, which have up to 39 digits."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Widens the column; SQLite cannot, so a new column takes its place."""
    if op.get_bind().dialect.name != "sqlite":
        op.alter_column("tables", "seed", type_=sa.String(40))
        return
    wide = sa.Column("wide_seed", sa.String(40), nullable=False, server_default="")
    op.add_column("tables", wide)
    op.execute("UPDATE tables SET wide_seed = seed")
    op.drop_column("tables", "seed")
    op.execute("ALTER TABLE tables RENAME COLUMN wide_seed TO seed")
