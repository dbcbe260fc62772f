"""Measurements on this machine: `headway bench`, `make bench`.

Each figure is measured several times and the best is kept, because other work on the machine can
only slow it down. Ratios are comparable between machines. `page/` drives a browser; it is not part
of the installed package.
"""
