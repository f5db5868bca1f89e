"""What is known of a text before a word of it is read.

Where it stands, whose it is, and of what kind.
"""

from typing import NamedTuple

from sickbay.model.ids import Ref


class Frame(NamedTuple):
    source: str
    about: Ref | None = None
    # "log/kubelet", "describe", "pasted" …; a signature may ask for one.
    channel: str = ""
    # Log formats without a year need one from elsewhere: a file's name, a dated line.
    year: int | None = None
    # The line of the source at which the text begins.
    first_line: int = 1
