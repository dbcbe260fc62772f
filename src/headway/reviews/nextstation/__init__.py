"""Reviews of Next Station."""

from __future__ import annotations

from headway.reviews.nextstation.sheets import SheetReviewer

REVIEWER = SheetReviewer
