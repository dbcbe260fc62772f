"""Builds the packages of a release and checks them: `make release`.

The changelog's heading gets the day. The wheel is installed into a fresh environment with what the
lock names, without Node: the command, a server with games over its API, and an environment step
have to work there. What this server has stored is kept for tests of later versions. Then sdist and
wheel are built twice and have to be equal, byte by byte. Whoever runs it again changes nothing.
"""

from __future__ import annotations

import contextlib
import filecmp
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
import venv
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from support.release_database import RELEASES, dump, fill

ROOT = Path(__file__).parents[1]
OF_ENVIRONMENTS = ("gymnasium", "pettingzoo", "farama-notifications", "cloudpickle")
STEP = """
import gymnasium, headway.envs
env = gymnasium.make("Headway/NextStation-v0", map="london")
observation, info = env.reset(seed=7)
env.step(observation["action_mask"].argmax())
"""


def main() -> None:
    """Builds into `dist/` and tells what was checked."""
    date_changelog()
    with tempfile.TemporaryDirectory(prefix="headway-release-") as name:
        folder = Path(name)
        (wheel,) = build(folder / "checked", "wheel")
        database = check(install(wheel, folder / "fresh"), folder / "data")
        keep(database, wheel.name.split("-")[1])
        first, second = (build(folder / name, "sdist", "wheel") for name in ("first", "second"))
        for package, twin in [
            *zip(first, second, strict=True),
            (wheel, first[0].parent / wheel.name),
        ]:
            if not filecmp.cmp(package, twin, shallow=False):
                sys.exit(f"{package.name} is not the same when it is built twice")
        (ROOT / "dist").mkdir(exist_ok=True)
        for package in first:
            shutil.copy(package, ROOT / "dist")
            tell(f"dist/{package.name}: twice the same bytes")
    tell("Checked in a fresh environment without Node: command, games over the API, environment.")


def date_changelog() -> None:
    """Writes the day into the heading of a version that is not released yet."""
    file = ROOT / "CHANGELOG.md"
    text = file.read_text("utf-8")
    today = datetime.now(UTC).date().isoformat()
    dated = re.sub(r"^(## [\d.]+) \(unreleased\)$", rf"\1 ({today})", text, flags=re.M)
    if dated != text:
        file.write_text(dated, "utf-8")
        tell(f"CHANGELOG.md: released on {today}")


def keep(database: str, version: str) -> None:
    """Keeps the database of a version for tests of upgrades, unless one is kept already."""
    file = RELEASES / f"{version}.sql"
    if not file.exists():
        file.write_text(database, "utf-8")
        tell(f"{file.relative_to(ROOT)}: a database of this version")


def tell(sentence: str) -> None:
    """Writes a line."""
    sys.stdout.write(f"{sentence}\n")


def build(folder: Path, *kinds: str) -> list[Path]:
    """Builds packages of these kinds; returns them in the order of their names."""
    targets = [word for kind in kinds for word in ("--target", kind)]
    command = [sys.executable, "-m", "hatchling", "build", *targets, "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
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


def check(programs: Path, data: Path) -> str:
    """Runs what a host and a researcher run first; returns the server's database as SQL."""
    file = data / "release.sqlite"
    env = {"PATH": str(programs), "HOME": str(data), "HEADWAY_LANG": "en", "HEADWAY_WARM_UP": "0"}
    env["HEADWAY_DATABASE_URL"] = f"sqlite:///{file}"
    data.mkdir()
    subprocess.run([programs / "headway", "--help"], env=env, check=True, stdout=subprocess.DEVNULL)
    with serving(programs, env) as url:
        page = urllib.request.urlopen(f"{url}/", timeout=60).read()
        assert b"<script" in page
        fill(url)
    subprocess.run([programs / "headway", "doctor"], env=env, check=True, stdout=subprocess.DEVNULL)
    subprocess.run([programs / "python", "-c", STEP], env=env, check=True)
    return dump(file)


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


if __name__ == "__main__":
    os.environ.pop("PYTHONPATH", None)
    main()
