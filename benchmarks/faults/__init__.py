"""Faults on purpose: `python -m benchmarks --faults` breaks a cluster while people play on it.

`lab.py` builds the cluster, `faults.py` breaks it, `workload.py` plays and remembers what was
acknowledged, `measure.py` puts them together.
"""
