"""The files in `deploy/`, read by the programs that they are for."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from server.services import require

from headway import settings

DEPLOY = Path(__file__).parents[1] / "deploy"
MOST_EXPOSURE = 30
"""In tenths, as systemd counts."""


def run(program: str, *words: object) -> None:
    """Runs a program that has to be content."""
    done = subprocess.run(
        [require(program, program), *map(str, words)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_unit_is_right_and_exposes_little(tmp_path: Path) -> None:
    unit = tmp_path / "headway.service"
    text = (DEPLOY / unit.name).read_text("utf-8")
    unit.write_text(text.replace("/opt/headway/bin/headway", sys.executable))
    run("systemd-analyze", "verify", unit)
    run("systemd-analyze", "security", "--offline=true", f"--threshold={MOST_EXPOSURE}", unit)


def test_the_alerts_can_be_read() -> None:
    run("promtool", "check", "rules", DEPLOY / "alerts.yml")


def test_the_caddyfile_can_be_read() -> None:
    run("caddy", "validate", "--adapter", "caddyfile", "--config", DEPLOY / "Caddyfile")


def test_all_variables_are_settings() -> None:
    text = "".join(path.read_text("utf-8") for path in DEPLOY.iterdir())
    named = set(re.findall(r"\bHEADWAY_[A-Z_]+\b", text))
    assert named <= {*settings.VARIABLES, *settings.SECRET_FILES}
