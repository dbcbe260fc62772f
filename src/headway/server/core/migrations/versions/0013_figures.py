"""What reviews tell of results, and which reviews are to be searched for puzzles."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds columns; a process that starts fills those of results from the reviews that are there.

    The version before searched a review for puzzles as soon as it was finished.
    """
    for name, kind in (
        ("reviewed", sa.String(40)),
        ("measure", sa.String(10)),
        ("worth", sa.Integer),
        ("luck", sa.Integer),
        ("loss", sa.Integer),
        ("kinds", sa.JSON),
    ):
        op.add_column("results", sa.Column(name, kind, nullable=True))
    searched = sa.Column("searched", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("reviews", searched)
    columns = [sa.column(name, sa.Boolean) for name in ("searched", "finished")]
    reviews = sa.table("reviews", *columns)
    op.execute(reviews.update().values(searched=True).where(reviews.c.finished))
    op.create_index("reviews_to_search", "reviews", ["engine", "searched", "finished"])
