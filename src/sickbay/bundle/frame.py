"""What is known of a text before a word of it is read.

Where it stands, whose it is, and of what kind.
"""

from typing import Final

from sickbay.model.ids import Ref
from sickbay.record import NamedTuple

MARK: Final = "sickbay.bundle"
# What every part of a bundle begins with, and nothing else does.
BEGINNING: Final = f'{{"{MARK}":'


class Frame(NamedTuple):
    source: str
    about: Ref | None = None
    # "log/kubelet", "describe", "pasted" …; a signature may ask for one.
    channel: str = ""
    # Log formats without a year need one from elsewhere: a file's name, a dated line.
    year: int | None = None
    # The line of the source at which the text begins.
    first_line: int = 1
