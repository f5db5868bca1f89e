"""What `az … --debug` prints, told by the names of its loggers."""

import re
from typing import Final

from sickbay.bundle.foreign.piece import Piece
from sickbay.bundle.sink import Sink

LOGGERS: Final = (
    r"cli\.azure\.cli\.core\.sdk\.policies|msrest\.http_logger"
    r"|azure\.core\.pipeline\.policies\.http_logging_policy"
)
PREFIX: Final = r"(?:\[?[\d:., T-]{8,40}\]? ?\|? ?)?(?:(?:DEBUG|INFO|WARNING|ERROR): )?"
_TELLS: Final = (
    rf"(?m)^{PREFIX}(?:cli\.knack\.cli: Command arguments|(?:{LOGGERS}) ?: (?:Request|Response)"
    r"|urllib3\.connectionpool: .{1,300}\" \d{3} )"
)


class AzDebug:
    def matches(self, piece: Piece) -> bool:
        return re.search(_TELLS, piece.head) is not None

    def read(self, piece: Piece, sink: Sink) -> None:
        from sickbay.bundle.foreign.az_log import read_log  # noqa: PLC0415 - few texts need it

        read_log(piece, sink)


READER = AzDebug()
