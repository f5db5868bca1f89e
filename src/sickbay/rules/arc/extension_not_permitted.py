from sickbay.model.arc import ClusterExtension
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each

_APPROVED = frozenset(
    """
    microsoft.vmware microsoft.avs microsoft.scvmm microsoft.azstackhci.operator
    microsoft.diagnosis.operator microsoft.hybridaksoperator
    """.split()
)


@each(ClusterExtension)
def is_not_of_the_list(extension: ClusterExtension, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    type = (extension.extension_type or "").casefold()
    is_on_bridge = "/microsoft.resourceconnector/appliances/" in extension.id.casefold()
    if not is_on_bridge or not extension.is_unwell or type in {"", *_APPROVED}:
        return Clear(f"{extension.name} is {extension.provisioning_state or 'of unknown state'}")
    return Match(
        f"{extension.name} is of type {extension.extension_type}, which no bridge takes",
        cites=(extension.cite("properties.extensionType", extension.extension_type),),
    )


RULE = Rule(
    title="The extension may not be installed on a resource bridge: only approved extensions are permitted",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        is_not_of_the_list,
        Signature(
            pattern=r"(?i)extension is not permitted on Azure Arc Resource Bridge|Only Azure Arc resource bridge approved extensions",
            says="the extension is not permitted on a bridge",
            sample="Extension installation failed. The specified extension is not permitted on Azure Arc Resource Bridge. Only Azure Arc resource bridge approved extensions can be installed.",
            near_miss="Extension installation on Azure Arc Resource Bridge succeeded",
        ),
    ),
    why="A resource bridge takes only the extensions of its private cloud (Microsoft.VMware, Microsoft.AVS, Microsoft.ScVmm, the operators of Azure Local). Any other extension belongs on a connected cluster.",
    remedy=(
        Step(
            "See what is installed on the bridge.",
            run=(
                "az",
                "k8s-extension",
                "list",
                "-g",
                "{resource_group}",
                "-c",
                "<bridge>",
                "-t",
                "appliances",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Remove the extension from the bridge.",
            run=(
                "az",
                "k8s-extension",
                "delete",
                "-g",
                "{resource_group}",
                "-c",
                "<bridge>",
                "-t",
                "appliances",
                "-n",
                "<extension>",
            ),
            risk=Risk.DISRUPTIVE,
        ),
        Step(
            "Install it on a connected cluster.",
            run=(
                "az",
                "k8s-extension",
                "create",
                "-g",
                "{resource_group}",
                "-c",
                "<cluster>",
                "-t",
                "connectedClusters",
                "-n",
                "<extension>",
                "--extension-type",
                "<type>",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/extensions",
    ),
    leads_to=("arc.extension_failed",),
)
