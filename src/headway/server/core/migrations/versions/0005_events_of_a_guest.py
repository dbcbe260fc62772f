"""Finds all tables that a guest ever joined, for deleting an account."""

from __future__ import annotations

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds an index."""
    op.create_index("ix_events_guest", "events", ["guest"])
