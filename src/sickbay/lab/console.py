"""What machines wrote to their serial console: a signed link, and what lies behind it."""

from typing import Final

from sickbay.lab.answers import Asked, Problem, Reply, not_found
from sickbay.lab.estate import Estate
from sickbay.lab.place import guid

_STORAGE: Final = "/bootdiagnostics"
_LOG: Final = "/serialconsole.log"


def links(estate: Estate, asked: Asked) -> Reply:
    """Links to the log and the screen of a machine."""
    machine = asked.id.rpartition("/")[0]
    if machine not in estate.store:
        return not_found(machine).reply()
    begin = f"{asked.origin}{_STORAGE}{machine}"
    signed = f"?sv=2024-08-04&sr=b&sp=r&sig={guid('signature', machine)}"
    found = {"consoleScreenshotBlobUri": f"{begin}/screenshot.bmp{signed}"}
    return Reply(200, {**found, "serialConsoleLogBlobUri": f"{begin}{_LOG}{signed}"})


def stored(estate: Estate, asked: Asked) -> Reply | None:
    """What storage answers: it takes a signature and no token; nothing, where it is not asked."""
    if not asked.path.startswith(_STORAGE):
        return None
    machine = asked.path.removeprefix(_STORAGE).removesuffix(_LOG)
    is_signed = asked.query.get("sig") == guid("signature", machine)
    if "authorization" in asked.headers or not is_signed:
        message = "Server failed to authenticate the request."
        return Problem(403, "AuthenticationFailed", message).reply()
    text = estate.answers.get(f"{machine}{_LOG}".casefold(), "")
    return Reply(200, str(text).encode(), is_html=True)
