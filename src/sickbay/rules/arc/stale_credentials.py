from sickbay.model.host import ManagementMachine
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(ManagementMachine)
def kept_ones_have_expired(machine: ManagementMachine, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    kept = machine.known(machine.cached_logins, "the folder .wssd")
    expired = [login for login in kept if login.is_expired]
    if not expired:
        return Clear("no expired credentials are kept under .wssd")
    first = expired[0]
    return Match(
        f"the credentials in {first.folder} of this user expired at {first.expires}",
        cites=(machine.cite("cachedLogins.expires", first.expires),),
    )


RULE = Rule(
    title="Expired credentials of an earlier deployment are left in the .wssd folders of the management machine",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.IDENTITY,
    ),
    detect=(
        kept_ones_have_expired,
        Signature(
            pattern=r"(?i)connection closed before server preface received",
            says="the local agent closes the connection at once",
            sample="rpc error: code = Unavailable desc = connection closed before server preface received",
            near_miss="rpc error: code = Unavailable desc = transport is closing",
        ),
    ),
    why="Earlier attempts to deploy the bridge cached credentials under .wssd\\python and .wssd\\kva in the user profile; once they expire the local agent closes the connection before the server preface is received, in validate, prepare and delete alike.",
    remedy=(
        Step(
            "Remove the cached credentials of the user (kva may be absent).",
            run=(
                "powershell",
                "Remove-Item",
                "-Recurse",
                "-Force",
                "$env:USERPROFILE\\.wssd\\python,$env:USERPROFILE\\.wssd\\kva",
            ),
            risk=Risk.DESTRUCTIVE,
        ),
        Step(
            "Repeat the command that failed.",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
    ),
)
