"""The address at which pages read the operator's notice."""

from __future__ import annotations

from litestar import Controller

from headway.server.admin.notices import OperatorNotice
from headway.server.web.dependencies import ANYBODY, Process, read


class OperatorNoticeController(Controller):
    """What the operator tells everybody."""

    path = "/api/operator"
    tags = ("guests",)

    @read("/notice", opt=ANYBODY)
    async def operator_notice(self, process: Process) -> OperatorNotice:
        """The line that every page shows. The header `headway-notice` of answers has its number."""
        return process.operator_notice.now
