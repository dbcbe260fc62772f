"""Measurements on this machine: `python -m benchmarks`, `make bench`.

Each figure is measured several times and the best is kept, because other work on the machine can
only slow it down. Ratios are comparable between machines. `page/` drives a browser, `faults/`
breaks a cluster. Nothing here is part of the installed package.
"""
