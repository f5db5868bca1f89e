from sickbay.model.nexus import NexusCluster, same_word
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import SYMPTOM, Category, Clear, Match, Risk, Rule, Severity, Step, each

_PARTS = {
    "azureloganalyticsready": "Log Analytics workspace",
    "azurecommandoutputready": "blob container for command output",
    "azuresecretarchiveready": "Key Vault",
    "azureprerequisitesready": "Azure prerequisites",
}


@each(NexusCluster, SYMPTOM)
def condition_is_false(site: NexusCluster, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    known = [one for one in site.conditions or () if (one.type or "").casefold() in _PARTS]
    bad = [one for one in known if same_word(one.status, "False")]
    if not bad:
        return Clear(f"the prerequisites of {site.name} are ready") if known else None
    names = ", ".join(dict.fromkeys(_PARTS[(one.type or "").casefold()] for one in bad))
    return Match(
        f"{site.name} is not ready to be deployed: {names}",
        cites=tuple(
            site.cite(f"properties.conditions[type={one.type}].status", one.status) for one in bad
        ),
    )


RULE = Rule(
    title="The Azure prerequisites of a Nexus cluster did not pass validation",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.IDENTITY),
    detect=(condition_is_false,),
    why="Before a deployment the cluster tries out its Log Analytics workspace, its blob container and its Key Vault; a condition such as AzurePrerequisitesReady False says that one of them failed. The code that tells why is in the message of the condition.",
    remedy=(
        Step(
            "Read the messages of the conditions.",
            run=(
                "az",
                "networkcloud",
                "cluster",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{name}",
                "--query",
                "conditions",
            ),
            risk=Risk.READ,
            verify="AzurePrerequisitesReady wants True",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/troubleshoot-azure-prerequisites-validation",
    ),
)
