"""Worker processes leave Ctrl-C to their owner, however early it comes."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import os, signal
from multiprocessing import active_children
from headway import process_pool

if __name__ == "__main__":
    pool = process_pool.open_pool(1)
    answer = pool.submit(os.getpid)
    for child in active_children():
        os.kill(child.pid, signal.SIGINT)  # it has just been started and imports nothing yet
    assert answer.result() == child.pid
    pool.shutdown()
    print("worked")
"""


def test_ctrl_c_while_a_worker_starts() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("worked\n", "")
