from sickbay.model.hybrid import ProvisionedClusterInstance
from sickbay.model.nexus import same_word
from sickbay.model.snapshot import Snapshot
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


@each(ProvisionedClusterInstance, TYPICAL)
def stays_upgrading(
    cluster: ProvisionedClusterInstance,
    snapshot: Snapshot,  # noqa: ARG001
) -> Match | Clear | None:
    state = cluster.status.current_state if cluster.status else None
    if not state:
        return None
    # While Azure itself still works on it, Upgrading is the way it should be.
    if not same_word(state, "Upgrading") or not cluster.is_succeeded:
        return Clear(f"{cluster.title} is {state}")
    return Match(
        f"{cluster.title} is Succeeded for Azure, but its current state is still {state}",
        facts={"cluster": cluster.title},
        cites=(
            cluster.cite("properties.status.currentState", state),
            cluster.cite("properties.provisioningState", cluster.provisioning_state),
        ),
    )


RULE = Rule(
    title="An AKS cluster on Azure Local is stuck in the state Upgrading",
    severity=Severity.ERROR,
    categories=(Category.UPGRADE,),
    detect=(
        stays_upgrading,
        Signature(
            pattern=r"(?i)(?:stuck|been|remains?|stays?|hangs?) (?:in|at) (?:the )?(?:state )?\W{0,2}Upgrading\b.{0,240}?\b(?:aksarc|hybridaksextension|aks ?arc|azure local)\b|\b(?:aksarc|hybridaksextension|aks ?arc|azure local)\b.{0,240}?(?:stuck|been|remains?|stays?|hangs?) (?:in|at) (?:the )?(?:state )?\W{0,2}Upgrading\b(?P<cluster>)",
            says="the cluster stays in the state Upgrading",
            sample="AKS Arc cluster shop stuck in Upgrading for three days",
            near_miss="AKS Arc cluster shop is Upgrading since ten minutes",
            weight=TYPICAL,
        ),
    ),
    why="The operation in Azure has ended, and the operator on the bridge still reports Upgrading. The extension hybridaksextension 2.1.211 and 2.1.223 (Azure Local 2503 and 2504) does not notice a transient failure during an upgrade and waits for ever.",
    remedy=(
        Step(
            "See the state and the version.",
            run=("az", "aksarc", "show", "-g", "{resource_group}", "-n", "{cluster}"),
            risk=Risk.READ,
        ),
        Step(
            "Make a harmless change, which starts the reconciliation again.",
            run=(
                "az",
                "aksarc",
                "update",
                "--enable-smb-driver",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Take it back.",
            run=(
                "az",
                "aksarc",
                "update",
                "--disable-smb-driver",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
            ),
            risk=Risk.SAFE,
            verify="az aksarc show -g {resource_group} -n {cluster} --query properties.status.currentState wants Succeeded",
        ),
        Step("Update Azure Local to 2505 or later."),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/cluster-upgrade-status",),
    ask="az aksarc show -g {resource_group} -n {cluster}",
)
