"""Detection by text: a pattern, and the lines that prove it."""

from sickbay.model.finding import Weight
from sickbay.record import NamedTuple


class Signature(NamedTuple):
    """RE2 syntax over the normal form of a text: one line, single spaces, no escaped quotes.

    Named groups become facts, and fill the braces in `says`, in the remedy and in `ask`. Groups
    called `pod`, `node`, `namespace`, `resource` (an ARM id) and the like also say what the text is
    about when nothing else does. A pattern ignores case with `(?i)`.
    """

    pattern: str
    says: str
    sample: str
    near_miss: str
    weight: Weight = Weight.DECISIVE
    # Only in texts whose channel starts with one of these ("event", "log/kubelet"); pasted text
    # always counts.
    channels: tuple[str, ...] = ()
    # RE2 as well: a text that matches this is another matter, though the pattern fits.
    unless: str = ""
    # Programs that are well print it, too, now and then: in a log that goes on it is over.
    passes: bool = False
    # Busy programs that are well print it all day: in a log it counts where it is no rare line.
    common: bool = False
    # RE2 once more: said later in the same log, this shows that it is over.
    ended_by: str = ""
    # General words though the rule is not: heard alone, it gives way to all that knows more.
    vague: bool = False
