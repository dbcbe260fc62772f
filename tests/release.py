"""Builds the packages of a release and checks them: `make release`.

The sdist and the wheel are built twice and have to be equal, byte by byte. The wheel is then
installed into a fresh environment with what the lock names, without Node: the command, a server
with a game over its API, and an environment step have to work there.
"""

from __future__ import annotations

import contextlib
import filecmp
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
import venv
from collections.abc import Iterator
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
MOST_MOVES = 200
OF_ENVIRONMENTS = ("gymnasium", "pettingzoo", "farama-notifications", "cloudpickle")
STEP = """
import gymnasium, headway.envs
env = gymnasium.make("Headway/NextStation-v0", map="london")
observation, info = env.reset(seed=7)
env.step(observation["action_mask"].argmax())
"""


def main() -> None:
    """Builds into `dist/` and tells what was checked."""
    with tempfile.TemporaryDirectory(prefix="headway-release-") as folder:
        first, second = (build(Path(folder) / name) for name in ("first", "second"))
        for package in first:
            twin = second[0].parent / package.name
            if not filecmp.cmp(package, twin, shallow=False):
                sys.exit(f"{package.name} is not the same when it is built twice")
        (wheel,) = (package for package in first if package.suffix == ".whl")
        programs = install(wheel, Path(folder) / "fresh")
        check(programs, Path(folder) / "data")
        (ROOT / "dist").mkdir(exist_ok=True)
        for package in first:
            shutil.copy(package, ROOT / "dist")
            tell(f"dist/{package.name}: twice the same bytes")
    tell("Checked in a fresh environment without Node: command, game over the API, environment.")


def tell(sentence: str) -> None:
    """Writes a line."""
    sys.stdout.write(f"{sentence}\n")


def build(folder: Path) -> list[Path]:
    """Builds the sdist and the wheel; returns both."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", "sdist", "--target", "wheel"]
    subprocess.run([*command, "-d", str(folder)], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return sorted(folder.iterdir())


def install(wheel: Path, folder: Path) -> Path:
    """Installs a wheel with what the lock names, and removes Node; returns the programs' folder."""
    venv.create(folder, with_pip=True)
    pip = [str(folder / "bin/pip"), "--quiet", "--disable-pip-version-check"]
    locked = ["--require-hashes", "--no-deps", "--only-binary", ":all:", "--no-compile"]
    lock = ["--requirement", str(ROOT / "locks/play.txt")]
    subprocess.run([*pip, "install", *locked, *lock], check=True)
    text = (ROOT / "locks/test.txt").read_text()
    wanted = [re.search(rf"^{name}==.*\n(?: .*\n)*", text, re.M) for name in OF_ENVIRONMENTS]
    more = folder / "environments.txt"
    more.write_text("".join(found[0] for found in wanted if found))
    subprocess.run([*pip, "install", *locked, "--requirement", str(more)], check=True)
    node = re.findall(r"^nodejs[\w-]*", (ROOT / "locks/play.txt").read_text(), re.M)
    subprocess.run([*pip, "uninstall", "--yes", *node], check=True)
    subprocess.run([*pip, "install", "--no-deps", str(wheel)], check=True)
    return folder / "bin"


def check(programs: Path, data: Path) -> None:
    """Runs what a host and a researcher run first."""
    env = {"PATH": str(programs), "HOME": str(data), "HEADWAY_LANG": "en", "HEADWAY_WARM_UP": "0"}
    subprocess.run([programs / "headway", "--help"], env=env, check=True, stdout=subprocess.DEVNULL)
    with serving(programs, env) as url:
        play(url)
    subprocess.run([programs / "python", "-c", STEP], env=env, check=True)


@contextlib.contextmanager
def serving(programs: Path, env: dict[str, str]) -> Iterator[str]:
    """The address of a server that has just been installed."""
    command = [str(programs / "headway"), "serve", "--port", "0"]
    with subprocess.Popen(
        command, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout
        yield re.findall(r"http://\S+", server.stdout.readline())[0].rstrip("/")
        server.terminate()
    assert server.returncode == 0


def play(url: str) -> None:
    """Plays a game for one to its end, and looks at the page."""
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def ask(path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(url + path, data, {"content-type": "application/json"})
        return json.load(browser.open(request, timeout=60))

    assert b"<script" in browser.open(f"{url}/", timeout=60).read()
    ask("/api/me")
    seats = {"game": "next-station", "map": "london", "seats": [{"kind": "me"}], "training": True}
    table = ask("/api/tables", seats)["id"]
    for number in range(MOST_MOVES):
        seen = ask(f"/api/tables/{table}")
        if seen["finished"]:
            return
        move = {"seat": 0, "move": seen["legal"]["0"][-1], "client_id": f"release-{number}"}
        ask(f"/api/tables/{table}/moves", move)
    sys.exit("the game did not end")


if __name__ == "__main__":
    os.environ.pop("PYTHONPATH", None)
    main()
