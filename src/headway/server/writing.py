"""Games played with pencils, as they are written down; nothing of them is kept here."""

from __future__ import annotations

from headway.errors import HeadwayError
from headway.games import box
from headway.games.contract import CHANCE
from headway.paper import PaperGame as Written
from headway.paper import lay_out
from headway.server.guests import clean_name
from headway.server.refusals import Refused
from headway.server.schema import Paper, PaperGame, PaperQuestion, PaperSheet
from headway.server.showing import title_of


def paper(told: PaperGame) -> Paper:
    """What is known of a game, and what can come next; at its end its record."""
    written = _read(told)
    names = [clean_name(name) if name.strip() else "" for name in told.names]
    whole = written.record(names if any(names) else ())
    return Paper(
        title=title_of(written.game),
        options=dict(written.game.options),
        view=written.now.view(CHANCE),
        deals=written.deals(),
        sheets=[
            PaperSheet(
                written.where(seat).view(seat),
                [written.game.move_text(move) for move in written.where(seat).legal(seat)],
            )
            for seat in range(written.game.seats)
        ],
        behind=sorted(written.at),
        deal=whole.deal or {},
        moves=whole.moves,
        outcome=written.now.outcome() if written.finished else None,
        record=whole.json().decode() if written.finished else "",
    )


def why_not(asked: PaperQuestion) -> HeadwayError | None:
    """What is wrong with a move that a sheet might show next, if anything is."""
    written = _read(asked)
    try:
        written.where(asked.seat).check(asked.seat, written.game.parse_move(asked.move))
    except HeadwayError as error:
        return error
    return None


def _read(told: PaperGame) -> Written:
    found = box(told.game)
    # What somebody sends must not open a file of this machine.
    if told.map not in found.maps:
        raise Refused(404, "server.no_map", map=told.map, known=", ".join(found.maps))
    game = found.open(told.map, len(told.names), told.options)
    return lay_out(game, told.dealt, told.moves or [[] for _ in told.names])
