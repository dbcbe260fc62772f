"""Reads and writes users' files, with a sentence for every failure."""

from __future__ import annotations

import os
from pathlib import Path

from headway.errors import InputError


def read_text(path: Path) -> str:
    """Returns the content of a text file; raises `InputError` if it cannot be read."""
    try:
        return path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError("format.not_text", file=path) from error
    except OSError as error:
        raise InputError("format.no_file", file=path, reason=error.strerror) from error


def write_whole(path: Path, content: bytes) -> None:
    """Writes a file atomically: an interruption leaves the old file or none, never a part."""
    import tempfile  # slow to load, and rarely needed

    try:
        handle, scratch = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise InputError("format.not_writable", file=path, reason=error.strerror) from error
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())  # without it a power cut may leave an empty file with this name
        os.chmod(scratch, 0o644)
        os.replace(scratch, path)
    except OSError as error:
        raise InputError("format.not_writable", file=path, reason=error.strerror) from error
    finally:
        Path(scratch).unlink(missing_ok=True)  # what is left of a failure
