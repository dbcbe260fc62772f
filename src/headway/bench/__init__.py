"""Measurements on this machine: `headway bench`, `make bench`.

Everything is measured several times and the best is kept, since other work on the machine can only
slow it down. Where machines differ, what counts is a ratio. `page/` drives a browser; it stays in
the source tree, and no package carries it.
"""
