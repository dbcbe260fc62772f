"""For all tests: the processes they start share the modules that Python has compiled."""

from __future__ import annotations

import os
import sys

# Images of containers often set it; each of hundreds of processes would then compile our modules,
# a second of CPU time at a time.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
