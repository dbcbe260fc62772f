"""Who may ask for a hint; `BotRunner.hint` makes it, and `web/limits.py` says how fast.

No table counts its hints: they are no events.
"""

from __future__ import annotations

from headway.server.core.errors import conflict
from headway.server.tables.state import TableState


def require_hint(state: TableState, guest: str | None, seat: int) -> None:
    """Refuses a hint unless the seat's holder trains alone and has to move."""
    table = state.playing()
    state.require_holder(guest, seat)
    if not state.setup.training:
        raise conflict("server.hint_training")
    if not state.alone_with_bots:
        raise conflict("server.hint_people")
    if table.finished():
        raise conflict("server.over")
    if seat not in table.actors():
        raise conflict("server.hint_not_now")
