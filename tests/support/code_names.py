"""Finds the modules that documentation names without their folders: `scoring.score`."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from types import ModuleType
from typing import Any


def named(package: ModuleType, name: str) -> Any:
    """Returns what `module.name.name` means in a package, whichever folder the module is in."""
    module, *path = name.split(".")
    thing: Any = import_module(_full_name(package, module))
    for part in path:
        thing = getattr(thing, part)
    return thing


def _full_name(package: ModuleType, module: str) -> str:
    inside = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    names = [info.name for info in inside if not info.ispkg and info.name.endswith(f".{module}")]
    return names[0] if names else f"headway.{module}"
