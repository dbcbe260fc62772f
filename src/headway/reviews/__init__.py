"""Reviews: how much of a result was luck and how much was decided, with sums that add up."""

from __future__ import annotations

from headway.reviews.job import ENGINE, ReviewJob, Task, review, warm_up
from headway.reviews.report import Review, SeatReview, Turn

__all__ = ["ENGINE", "Review", "ReviewJob", "SeatReview", "Task", "Turn", "review", "warm_up"]
