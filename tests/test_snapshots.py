"""What must stay the same for users, records and databases; `tests/snapshots` explains how."""

from __future__ import annotations

import pytest
from snapshots import FOLDER, SNAPSHOTS


@pytest.mark.parametrize("name", SNAPSHOTS)
def test_nothing_changed_for_users(name: str) -> None:
    assert SNAPSHOTS[name]() == (FOLDER / name).read_text("utf-8")
