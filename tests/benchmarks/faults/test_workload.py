"""What the fault harness counts as wrong."""

from __future__ import annotations

import os

import pytest

from benchmarks.faults.lab import SERVER_HOSTS, Lab
from benchmarks.faults.workload import Ledger
from benchmarks.figure import CannotMeasureError


def test_a_move_sent_again_must_keep_its_number() -> None:
    ledger = Ledger()
    for host in SERVER_HOSTS:
        ledger.acknowledge(host, "table", "move", 7)
    assert ledger.contradictions == []
    assert min(ledger.last.values()) > 0
    ledger.acknowledge(SERVER_HOSTS[0], "table", "move", 8)
    assert len(ledger.contradictions) == 1


def test_a_lab_needs_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(CannotMeasureError, match="root"), Lab.running():
        pass
