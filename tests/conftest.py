"""For all tests: variables of the processes that they start."""

from __future__ import annotations

import os
import sys

# Images of containers often set it; each of hundreds of processes would then compile our modules,
# a second of CPU time at a time.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Work on a Ray cluster is nice otherwise, and starves beside other tests.
os.environ |= {"RAY_worker_niceness": "0"}
