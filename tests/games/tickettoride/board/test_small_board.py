"""The contract on a board so small that cards, tickets and routes run out."""

from __future__ import annotations

import pytest
from conformance import conform, walk
from games.tickettoride.playing import TINY, opened

from headway.games.tickettoride.state import TicketToRideState


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("seed", range(6))
def test_a_small_board_keeps_the_contract(seats: int, seed: int) -> None:
    conform(opened(seats, TINY), seed)


@pytest.mark.rule("TR-04", "TR-09", "TR-14", "TR-15")
def test_rare_things_happen_there() -> None:
    """Empty piles, gaps, single tickets, passes: what London hardly ever shows."""
    seen: set[str] = set()
    for seed in range(60):
        for state, (seat, move) in walk(opened(3, TINY), seed):
            assert isinstance(state, TicketToRideState)
            view = state.view(0)
            if seat >= 0:
                seen.add(state.game.move_text(move).split()[0])
            if seat >= 0 and None in view.display:
                seen.add("a gap")
            if view.redealt:
                seen.add(f"redeal {view.redealt}")
            if view.phase == "keep" and max(view.offers) == 1:
                seen.add("one ticket")
            if view.turns_left is not None:
                seen.add("the last turns")
            if view.reshuffles > 2:
                seen.add("many reshuffles")
    expected = {"take", "claim", "tickets", "keep", "a gap", "redeal 1", "one ticket"}
    assert expected | {"the last turns", "many reshuffles"} <= seen, seen
