"""Counts for `/metrics`, in Prometheus' text format."""

from __future__ import annotations

from collections.abc import Callable

BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class Metrics:
    """Counters, spans and gauges of this process; nothing in them tells of a single table."""

    def __init__(self) -> None:
        self.counts: dict[tuple[str, str], int] = {}
        self.spans: dict[str, list[float]] = {}
        self.gauges: dict[str, Callable[[], float]] = {}

    def count(self, name: str, **labels: object) -> None:
        """One more of it."""
        key = name, ",".join(f'{label}="{value}"' for label, value in sorted(labels.items()))
        self.counts[key] = self.counts.get(key, 0) + 1

    def span(self, name: str, seconds: float) -> None:
        """One more that took so long."""
        row = self.spans.setdefault(name, [0.0] * (len(BOUNDS) + 2))
        for i, bound in enumerate(BOUNDS):
            row[i] += seconds <= bound
        row[-2] += 1
        row[-1] += seconds

    def gauge(self, name: str, read: Callable[[], float]) -> None:
        """Something that can be read at any time."""
        self.gauges[name] = read

    def text(self) -> str:
        """All of it."""
        lines = []
        for (name, labels), value in sorted(self.counts.items()):
            lines.append(f"{name}{{{labels}}} {value}" if labels else f"{name} {value}")
        for name, row in sorted(self.spans.items()):
            for bound, below in zip(BOUNDS, row, strict=False):
                lines.append(f'{name}_bucket{{le="{bound}"}} {below:.0f}')
            lines.append(f'{name}_bucket{{le="+Inf"}} {row[-2]:.0f}')
            lines.append(f"{name}_count {row[-2]:.0f}")
            lines.append(f"{name}_sum {row[-1]:.6f}")
        lines += [f"{name} {read():g}" for name, read in sorted(self.gauges.items())]
        return "\n".join(lines) + "\n"


METRICS = Metrics()
