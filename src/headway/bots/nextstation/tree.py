"""Tree search over cards and moves, with the value network at the leaves.

A node is a sheet between two turns: the move is made and the next card is unknown. Below a node are
all outcomes of the deck with their exact probabilities; a switch and the card after it are one
outcome. Below an outcome are the candidate moves, valued by the network until they have a node. A
node's value is the expectation over its outcomes of the best move's value. A simulation walks down
to a move without a node, creates the node, and updates the values on its path. Values known to the
end of the game are exact and are not searched again.

The same sheet with the same cards shown is one node, whatever the order of moves; so the next turn
can reuse the tree.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from headway.bots.nextstation.evaluator import LOWEST, STEPS, Workspace, candidates, value_after
from headway.bots.nextstation.network import position_bits, refresh
from headway.games.kernel import BIT, NONE, Mask, kernel
from headway.games.nextstation.rules.arrays import (
    DECK,
    REVEAL,
    ROUNDS,
    SHARED,
    SHEET,
    SWITCH_CARD,
    UNDERGROUNDS,
    WORDS,
    SharedRecord,
    SheetRecord,
)
from headway.games.nextstation.rules.building import play
from headway.games.nextstation.rules.engine import end_turn, reveal

MOST_EDGES = 32
"""The number of moves kept per outcome; the best ones by the network."""
MOST_DEPTH = 64
EXPLORATION = 4.0
"""The exploration constant, in points."""
MIX_A, MIX_B = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)
SHIFT_29, SHIFT_32 = np.uint64(29), np.uint64(32)

NODE = np.dtype(
    [
        ("key", "u8"),
        ("shown", "u8"),
        ("undergrounds", "i8"),
        ("round", "i8"),
        ("turn", "i8"),
        ("value", "f8"),
        ("first", "i8"),
        ("outcomes", "i8"),
        ("visits", "i8"),
        ("solved", "i8"),
    ],
    align=True,
)
OUTCOME = np.dtype(
    [
        ("card", "i4"),
        ("switched", "i4"),
        ("probability", "f8"),
        ("value", "f8"),
        ("first", "i4"),
        ("edges", "i4"),
        ("visits", "i4"),
        ("solved", "i4"),
    ],
    align=True,
)
EDGE = np.dtype(
    [
        ("move", "i8"),
        ("value", "f8"),
        ("child", "i4"),
        ("visits", "i4"),
        ("solved", "i4"),
        ("squares", "f8"),
        ("sum", "f8"),
    ],
    align=True,
)


class Tree(NamedTuple):
    """The tree of a solo game, with scratch memory."""

    workspace: Workspace
    """Values moves; the position in it is scratch memory."""
    nodes: Any
    sheets: Any
    outcomes: Any
    edges: Any
    slots: Any
    used: Any  # nodes, outcomes, edges
    path: Any  # node, outcome and edge of each step
    between: Any  # the shared record between the turns
    worth: Any  # value of a total, by undergrounds left; empty: the total itself


@kernel
def node_key(sheet: SheetRecord, shown: Mask, r: int) -> Mask:
    """Returns a hash of a sheet, the cards shown and the round."""
    key = shown + BIT[r] * MIX_B
    for round_ in range(ROUNDS):
        key = _mixed(key, sheet["lines"][round_])
        key = _mixed(key, sheet["circled"][round_])
    for word in range(WORDS):
        key = _mixed(key, sheet["closed"][word])
        key = _mixed(key, sheet["single"][word])
        for round_ in range(ROUNDS):
            if sheet["tracks"][round_, word] != NONE:
                key = _mixed(key ^ BIT[round_], sheet["tracks"][round_, word])
    key = _mixed(key, sheet["ends"])
    if sheet["spent"] != 0:
        key = _mixed(key, MIX_B)
    return key


@kernel
def _mixed(key: Mask, word: Mask) -> Mask:
    key = (key ^ word) * MIX_A
    key ^= key >> SHIFT_29
    key = key * MIX_B
    return key ^ (key >> SHIFT_32)


@kernel
def find(tree: Tree, key: Mask) -> int:
    """Returns the slot of a node in the hash table. It holds the node's index + 1, or 0 if free."""
    size = tree.slots.shape[0]
    at = int(np.int64(key & np.uint64(size - 1)))
    while tree.slots[at] != 0 and tree.nodes[tree.slots[at] - 1]["key"] != key:
        at = (at + 1) & (size - 1)
    return at


@kernel
def full(tree: Tree) -> bool:
    """Whether the arrays have no space for another node with its outcomes and edges."""
    return bool(
        tree.used[0] + 1 >= tree.nodes.shape[0]
        or tree.used[1] + 2 * DECK >= tree.outcomes.shape[0]
        or tree.used[2] + 2 * DECK * MOST_EDGES >= tree.edges.shape[0]
    )


@kernel
def half_full(tree: Tree) -> bool:
    """Whether the arrays might fill up within a turn; then the search starts with an empty tree."""
    return bool(
        2 * tree.used[0] > tree.nodes.shape[0]
        or 2 * tree.used[1] > tree.outcomes.shape[0]
        or 2 * tree.used[2] > tree.edges.shape[0]
    )


@kernel
def clear(tree: Tree) -> None:
    """Removes all nodes."""
    tree.used[:] = 0
    tree.slots[:] = 0


@kernel
def worth_of(tree: Tree, total: float, left: int) -> float:
    """Returns the value of a total with `left` undergrounds to come: itself, or its win value."""
    if tree.worth.shape[0] == 0:
        return total
    x = (total - LOWEST) * STEPS
    last = tree.worth.shape[1] - 2
    at = min(max(int(x), 0), last)
    part = min(max(x - at, 0.0), 1.0)
    low, high = tree.worth[left, at], tree.worth[left, at + 1]
    return float(low + (high - low) * part)


@kernel
def add_node(tree: Tree, sheet: SheetRecord, between_turns: SharedRecord) -> int:
    """Returns the node of a sheet between two turns; creates it with all outcomes and moves."""
    key = node_key(sheet, between_turns["shown"], int(between_turns["round"]))
    at = find(tree, key)
    if tree.slots[at] != 0:
        return int(tree.slots[at] - 1)
    index = int(tree.used[0])
    tree.used[0] += 1
    tree.slots[at] = index + 1
    node = tree.nodes[index]
    tree.sheets[index] = sheet
    node["key"], node["shown"] = key, between_turns["shown"]
    node["undergrounds"], node["round"] = between_turns["undergrounds"], between_turns["round"]
    node["turn"], node["visits"] = between_turns["turn"], 0
    node["first"] = tree.used[1]
    _outcomes(tree, index, between_turns)
    return index


@kernel
def _outcomes(tree: Tree, index: int, between_turns: SharedRecord) -> None:
    work, node = tree.workspace, tree.nodes[index]
    position_bits(work.city, between_turns, tree.sheets[index], 0, work.score[0], work.bits[0])
    refresh(work.net, work.bits[0], work.sums[0])
    left = 0
    for card in range(DECK):
        if node["shown"] & BIT[card] == NONE:
            left += 1
    switch = node["shown"] & BIT[SWITCH_CARD] == NONE
    value, solved = 0.0, 1
    for switched in range(2 if switch else 1):
        for card in range(DECK):
            if card != SWITCH_CARD and node["shown"] & BIT[card] == NONE:
                chance = 1.0 / left if switched == 0 else 1.0 / (left * (left - 1))
                at = int(tree.used[1])
                tree.used[1] += 1
                outcome = tree.outcomes[at]
                outcome["card"], outcome["switched"] = card, switched
                outcome["probability"], outcome["visits"] = chance, 0
                _edges(tree, index, at, between_turns)
                value += chance * outcome["value"]
                solved &= int(outcome["solved"])
    node["outcomes"] = tree.used[1] - node["first"]
    node["value"], node["solved"] = value, solved


@kernel
def reveal_outcome(shared: SharedRecord, card: int, switched: int) -> None:
    """Reveals a card, after the switch if it is `switched`."""
    if switched != 0:
        reveal(shared, SWITCH_CARD)
    reveal(shared, card)


@kernel
def _edges(tree: Tree, index: int, at: int, between_turns: SharedRecord) -> None:
    """Values every candidate move of an outcome and keeps the best ones."""
    work, outcome = tree.workspace, tree.outcomes[at]
    work.shared[0], work.sheets[0] = between_turns, tree.sheets[index]
    work.shared[0]["phase"] = REVEAL
    reveal_outcome(work.shared[0], int(outcome["card"]), int(outcome["switched"]))
    n = candidates(work)
    first = int(tree.used[2])
    outcome["first"] = first
    kept = 0
    best, solved = -1.0e9, 1
    for i in range(n):
        move = int(work.moves[i])
        value, final = _value_after(tree, move)
        if kept < MOST_EDGES:
            place = first + kept
            kept += 1
        else:
            place = first
            for edge_at in range(first + 1, first + MOST_EDGES):
                if tree.edges[edge_at]["value"] < tree.edges[place]["value"]:
                    place = edge_at
            if tree.edges[place]["value"] >= value:
                continue
        edge = tree.edges[place]
        edge["move"], edge["value"], edge["child"], edge["visits"] = move, value, -1, 0
        edge["solved"], edge["sum"], edge["squares"] = final, 0.0, 0.0
        best = max(best, value)
        solved &= final
    tree.used[2] = first + kept
    outcome["edges"], outcome["value"], outcome["solved"] = kept, best, solved


@kernel
def _value_after(tree: Tree, move: int) -> tuple[float, int]:
    """Returns the value of a move in the workspace's position, and whether it is final."""
    total, after = value_after(tree.workspace, move, False), tree.workspace.shared[1]
    if after["round"] >= ROUNDS:
        return worth_of(tree, total, 0), 1
    # Do not search past the deal of special stations: it has too many outcomes.
    final = 1 if after["use_special"] != 0 and after["turn"] == 0 else 0
    return worth_of(tree, total, UNDERGROUNDS - int(after["undergrounds"])), final


@kernel
def _pick_outcome(tree: Tree, index: int) -> int:
    """Returns the unsolved outcome with the fewest visits relative to its probability."""
    node = tree.nodes[index]
    first, visits = int(node["first"]), float(node["visits"])
    best, most = -1, -1.0e18
    for at in range(first, first + int(node["outcomes"])):
        outcome = tree.outcomes[at]
        if outcome["solved"] == 0:
            lack = outcome["probability"] * (visits + 1.0) - outcome["visits"]
            if lack > most:
                best, most = at, lack
    return best


@kernel
def _pick_edge(tree: Tree, at: int) -> int:
    """Returns the unsolved move with the highest upper confidence bound."""
    outcome = tree.outcomes[at]
    first = int(outcome["first"])
    spread = EXPLORATION * math.sqrt(math.log(outcome["visits"] + 2.0))
    # If all are solved, return any of them; the update of the path then marks the outcome solved.
    best, most = first, -1.0e18
    for i in range(first, first + int(outcome["edges"])):
        edge = tree.edges[i]
        if edge["child"] >= 0:
            edge["value"] = tree.nodes[edge["child"]]["value"]
            edge["solved"] = tree.nodes[edge["child"]]["solved"]
        if edge["solved"] != 0:
            continue
        hope = edge["value"] + spread / math.sqrt(edge["visits"] + 1.0)
        if hope > most:
            best, most = i, hope
    return best


@kernel
def set_between_turns(tree: Tree, index: int, shared: SharedRecord) -> None:
    """Sets `shared` to the state of the game at a node, between two turns."""
    node = tree.nodes[index]
    shared["shown"], shared["undergrounds"] = node["shown"], node["undergrounds"]
    shared["round"], shared["turn"] = node["round"], node["turn"]
    shared["switched"], shared["card"], shared["card_id"] = 0, 0, 0
    shared["phase"] = REVEAL


@kernel
def grow(tree: Tree, index: int, at: int, edge: int) -> int:
    """Creates the node that a move of a node leads to."""
    work, outcome = tree.workspace, tree.outcomes[at]
    shared, between = work.shared, tree.between
    set_between_turns(tree, index, between[0])
    shared[0], work.sheets[0] = between[0], tree.sheets[index]
    reveal_outcome(shared[0], int(outcome["card"]), int(outcome["switched"]))
    play(work.city, shared[0], work.sheets[0], int(tree.edges[edge]["move"]))
    end_turn(shared[0], work.sheets[0:1])
    between[0] = shared[0]
    between[0]["phase"] = REVEAL
    return add_node(tree, work.sheets[0], between[0])


@kernel
def simulate_once(tree: Tree, root: int, fixed: int) -> None:
    """Runs one simulation: walks down the tree and updates the values on the path."""
    index, depth = root, 0
    at = fixed
    while True:
        if at < 0:
            at = _pick_outcome(tree, index)
            if at < 0:
                break
        edge = _pick_edge(tree, at)
        tree.path[depth, 0], tree.path[depth, 1], tree.path[depth, 2] = index, at, edge
        depth += 1
        if tree.edges[edge]["solved"] != 0 or depth >= MOST_DEPTH:
            break
        child = int(tree.edges[edge]["child"])
        if child < 0:
            tree.edges[edge]["child"] = grow(tree, index, at, edge)
            break
        index, at = child, -1
    _back_up(tree, depth)


@kernel
def _back_up(tree: Tree, depth: int) -> None:
    last = 0.0
    for step in range(depth - 1, -1, -1):
        node, outcome = tree.nodes[tree.path[step, 0]], tree.outcomes[tree.path[step, 1]]
        edge = tree.edges[tree.path[step, 2]]
        if edge["child"] >= 0:
            child = tree.nodes[edge["child"]]
            edge["value"], edge["solved"] = child["value"], child["solved"]
        if step == depth - 1:
            last = edge["value"]
        edge["visits"] += 1
        edge["sum"] += last
        edge["squares"] += last * last
        first = int(outcome["first"])
        best, solved = -1.0e18, 1
        for i in range(first, first + int(outcome["edges"])):
            best = max(best, tree.edges[i]["value"])
            solved &= int(tree.edges[i]["solved"])
        node["value"] += outcome["probability"] * (best - outcome["value"])
        outcome["value"], outcome["solved"] = best, solved
        outcome["visits"] += 1
        node["visits"] += 1
        if solved != 0:
            done = 1
            begin = int(node["first"])
            for outcome_at in range(begin, begin + int(node["outcomes"])):
                done &= int(tree.outcomes[outcome_at]["solved"])
            node["solved"] = done


@kernel
def root_outcome(tree: Tree, root: int, card: int, switched: int) -> int:
    """Returns the outcome of a node in which this card came up, or -1."""
    node = tree.nodes[root]
    first = int(node["first"])
    for at in range(first, first + int(node["outcomes"])):
        outcome = tree.outcomes[at]
        if outcome["card"] == card and outcome["switched"] == switched:
            return at
    return -1


@kernel
def search(
    tree: Tree,
    sheet: SheetRecord,
    between_turns: SharedRecord,
    card: int,
    switched: int,
    known: bool,
    simulations: int,
) -> tuple[int, int, int]:
    """Searches from before a card was revealed; if it is `known`, only what follows this card.

    Stops early where that is solved or the tree is full. Returns the node, the outcome of the card,
    -1 without one, and the number of simulations. The one entry to the tree for Python: each
    further one would be compiled with everything that it uses.
    """
    tree.between[0] = between_turns
    root = add_node(tree, sheet, tree.between[0])
    at, done = root_outcome(tree, root, card, switched), 0
    fixed = at if known else -1
    while done < simulations and not full(tree):
        if fixed >= 0 and tree.outcomes[fixed]["solved"] != 0:
            break
        simulate_once(tree, root, fixed)
        done += 1
    return root, at, done


def new_tree(workspace: Workspace, nodes: int) -> Tree:
    """Creates an empty tree for this many nodes; the system commits its memory on first use."""
    slots = 1 << (2 * nodes - 1).bit_length()
    return Tree(
        workspace=workspace,
        nodes=np.zeros(nodes, NODE),
        sheets=np.zeros(nodes, SHEET),
        outcomes=np.zeros(nodes * 20, OUTCOME),
        edges=np.zeros(nodes * 120, EDGE),
        slots=np.zeros(slots, np.int32),
        used=np.zeros(3, np.int64),
        path=np.zeros((MOST_DEPTH, 3), np.int64),
        between=np.zeros(1, SHARED),
        worth=np.zeros((0, 2)),
    )
