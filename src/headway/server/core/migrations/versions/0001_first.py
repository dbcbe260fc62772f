"""The first version of the database; the next one changes what this one holds."""

from __future__ import annotations

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Does nothing: a new database is made from `schema` and needs no migration."""
