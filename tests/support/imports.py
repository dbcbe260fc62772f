"""Which packages a Python file imports."""

from __future__ import annotations

import ast
from pathlib import Path


def imports(file: Path) -> set[str]:
    """The top-level packages that a file imports."""
    modules = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            modules |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            modules.add(node.module.split(".")[0])
    return modules
