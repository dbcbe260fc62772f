"""Rules run both ways: what is compiled plays the same games as what is interpreted."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from headway.errors import InputError
from headway.games import kernel as kernels
from headway.games.kernel import BIT, compiled, count, has, kernel, lowest, put
from headway.games.nextstation.game import NextStation
from headway.games.nextstation.rules import building, engine
from headway.games.nextstation.rules.arrays import ROUNDS
from headway.games.simulation import CHUNK, simulate

MODULES = [
    {},
    {"objectives": True},
    {"powers": True},
    {"special_stations": True, "objectives": True},
]


def test_functions_on_bits_agree_with_native_ones() -> None:
    for mask in (BIT[0], BIT[63], BIT[5] | BIT[40], ~np.uint64(0)):
        assert compiled(engine).count(mask) == count(mask) == bin(int(mask)).count("1")
        assert compiled(engine).lowest(mask) == lowest(mask)
    words = np.zeros(4, np.uint64)
    for index in (0, 63, 64, 255):
        assert not has(words, index)
        put(words, index)
        assert has(words, index)
        assert compiled(engine).has(words, index)


@pytest.mark.parametrize("city", ["london", "tokyo"])
@pytest.mark.parametrize("options", MODULES, ids=str)
@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_compiled_and_interpreted_play_the_same_games(
    city: str, options: dict[str, bool], policy: str
) -> None:
    game = NextStation(city, 2, options)
    fast = simulate(game, 4, policy=policy, seed=3)
    slow = simulate(game, 4, policy=policy, seed=3, kernels=engine)
    assert fast.tolist() == slow.tolist()
    assert fast.any()


def test_games_do_not_depend_on_the_number_of_threads() -> None:
    game = NextStation("london", 1, {})
    one, two = (game.simulate(3 * CHUNK, seed=4, threads=threads) for threads in (1, 2))
    assert (one == two).all()
    assert len(set(one[:, 0].tolist())) > 50
    assert (one != game.simulate(3 * CHUNK, seed=5)).any()


def test_unknown_policy_is_refused() -> None:
    with pytest.raises(InputError, match="greedy"):
        NextStation("london", 1, {}).simulate(1, policy="clever")


def test_marked_function_stays_plain_python() -> None:
    @kernel
    def double(n: int) -> int:
        return 2 * n

    assert double(4) == 8


def test_a_number_from_elsewhere_is_in_the_name_of_compiled_code(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = kernels._fingerprint([engine], "1")
    assert kernels._fingerprint([engine], "1") == before
    monkeypatch.setattr(engine, "ROUNDS", ROUNDS + 1)
    assert kernels._fingerprint([engine], "1") != before


def test_nothing_is_compiled_twice() -> None:
    assert compiled(engine).play is compiled(building).play


def test_a_kernel_that_is_asked_for_is_not_hidden_by_one_that_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = "from headway.games.kernel import kernel\n"
    asked = "from used_kernels import inner\n@kernel\ndef shared_name():\n    return inner() + 1\n"
    used = "@kernel\ndef inner():\n    return 1\n@kernel\ndef shared_name():\n    return 0\n"
    for name, code in (("asked_kernels", asked), ("used_kernels", used)):
        (tmp_path / f"{name}.py").write_text(start + code)
    monkeypatch.syspath_prepend(tmp_path)
    found = compiled(import_module("asked_kernels"))
    assert found.inner() == 1
    assert found.shared_name() == 2


@pytest.mark.parametrize("module", [engine, building])
def test_callers_share_an_inner_kernel(module: ModuleType) -> None:
    calls = kernels._namespace(module)
    for name, value in vars(module).items():
        if hasattr(value, "__kernel__"):
            assert calls[name] is kernels._inner(value), name


def test_inner_kernels_are_not_compiled_for_each_literal_number() -> None:
    assert compiled(engine).controller is not kernels._inner(engine.controller)
    for inner in (kernels._inner(has), kernels._inner(engine.controller)):
        assert all("Literal" not in str(args) for args in inner.overloads)


@pytest.mark.parametrize("blocked", [True, False])
def test_compiled_code_is_kept_where_it_can_be(blocked: bool, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    if blocked:
        cache.write_text("a file where the folder should be")
    program = (
        "from headway.games.kernel import compiled\n"
        "from headway.games.nextstation.rules import engine\n"
        "import numpy as np\n"
        "from headway.games.nextstation.rules.arrays import SHARED\n"
        "shared = np.zeros(1, SHARED)[0]; shared['seats'] = 3; shared['round'] = 2\n"
        "assert compiled(engine).controller(shared) == 2"
    )
    variables = os.environ | {"HEADWAY_CACHE_DIR": str(cache)}
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], env=variables, capture_output=True
    )
    assert result.returncode == 0, result.stderr
    assert cache.is_file() if blocked else list(cache.glob("*/*/*.nbc"))
