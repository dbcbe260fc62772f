"""The arena: many games between bots on the same deals, and their evaluation."""

from __future__ import annotations

from headway.arena.job import Job, Result, open_job, run
from headway.arena.report import ArenaReport, report

__all__ = ["ArenaReport", "Job", "Result", "open_job", "report", "run"]
