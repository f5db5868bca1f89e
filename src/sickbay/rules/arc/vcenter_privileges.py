from sickbay.model.arc import VcenterRole
from sickbay.model.host_vcenter import VcenterAccount
from sickbay.model.snapshot import Snapshot
from sickbay.model.vcenter import PRIVILEGE_LABELS
from sickbay.rulekit import (
    TYPICAL,
    Category,
    Clear,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)

_MOST_NAMED = 6


@each(VcenterRole)
def lacks_privileges(role: VcenterRole, snapshot: Snapshot) -> Match | Clear | None:
    missing = role.missing
    if not missing:
        return Clear(f"{role.name} holds all privileges of the list")
    complete = [other.name for other in snapshot.some(VcenterRole) if not other.missing]
    if complete:
        return Clear(f"the role {complete[0]} holds all privileges of the list")
    named = ", ".join(missing[:_MOST_NAMED])
    more = f" and {len(missing) - _MOST_NAMED} others" if len(missing) > _MOST_NAMED else ""
    return Match(
        f"{role.name} lacks {named}{more}",
        facts={"missing": ", ".join(f"{id} ({PRIVILEGE_LABELS[id]})" for id in missing)},
        cites=(role.cite("privileges", f"{len(role.privileges or ())} held"),),
    )


@each(VcenterAccount)
def account_lacks_some(account: VcenterAccount, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    missing = account.missing
    if not missing:
        return Clear(f"{account.name} holds all privileges of the list in vCenter")
    told = [f"{id} on {held.what} {held.name}" for id, held in missing]
    more = f" and {len(told) - _MOST_NAMED} others" if len(told) > _MOST_NAMED else ""
    return Match(
        f"{account.name} lacks {', '.join(told[:_MOST_NAMED])}{more}",
        facts={"missing": ", ".join(f"{id} ({PRIVILEGE_LABELS[id]})" for id, _ in missing)},
        cites=(account.cite("held", f"{len(account.held)} objects asked"),),
        # What its groups may grant besides is not known.
        weight=TYPICAL if account.is_worked_out else None,
    )


RULE = Rule(
    title="The vCenter account lacks privileges that the resource bridge needs",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.CREATION,
    ),
    detect=(
        account_lacks_some,
        lacks_privileges,
        Signature(
            pattern=r"(?i)Missing privileges: ?\[(?P<missing>[^\]]{1,400})\]|\bInsufficientPrivilegesError\b|missing required vSphere privileges|ServerFaultCode: (?:Permission to perform this operation was denied|NoPermission)",
            says="the account lacks privileges[: {missing}]",
            sample="InsufficientPrivilegesError: The provided vCenter account is missing required vSphere privileges on the resource 'root folder (MoRefId: Folder:group-d1)'. Missing privileges: [Sessions.ValidateSession]. add the privileges to the vCenter account and try again.",
            near_miss="The provided vCenter account has the required vSphere privileges",
        ),
        Signature(
            pattern=r"(?i)(?:vcenter|vsphere|arcappliance|appliance).{0,200}?insufficient permissions?\b(?P<missing>)",
            says="the account has insufficient permissions",
            sample="Appliance cluster deployment failed with error: vCenter user has insufficient permissions",
            near_miss="Appliance cluster deployment used an account with permissions",
            weight=TYPICAL,
        ),
    ),
    why="Deployment and upgrade check the vSphere privileges (permissions) of the account on the root folder, datacenter, datastore, network, folder and resource pool. Without all of those in the required list (InsufficientPrivilegesError, NoPermission) they stop; add the missing ones to the role and propagate it.",
    remedy=(
        Step(
            "See what the role holds.",
            run=("govc", "role.ls", "<role>"),
            risk=Risk.READ,
        ),
        Step(
            "Add to the role what it lacks[: {missing}].",
            run=("govc", "role.update", "-a", "<role>", "<missing-privileges>"),
            risk=Risk.SAFE,
        ),
        Step(
            "Assign the role on the named object with propagation, then repeat.",
            run=(
                "govc",
                "permissions.set",
                "-principal",
                "<user>",
                "-role",
                "<role>",
                "-propagate=true",
                "<object>",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
        "https://learn.microsoft.com/azure/azure-arc/vmware-vsphere/quick-start-connect-vcenter-to-arc-using-script",
    ),
    leads_to=("arc.upgrade_failed",),
    ask="govc role.ls <role>",
)
