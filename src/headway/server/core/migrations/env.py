"""What Alembic runs: the migrations on the connection that `upgrade` hands over."""

from __future__ import annotations

from alembic import context

from headway.server.core.schema import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    transactional_ddl=False,
)
context.run_migrations()
