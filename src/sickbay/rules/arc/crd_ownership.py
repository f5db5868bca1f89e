from sickbay.model.installed import CustomResourceDefinition
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each

_GROUPS = (".clusterconfig.azure.com", ".arc.azure.com")


@each(CustomResourceDefinition)
def belongs_to_another_release(
    definition: CustomResourceDefinition,
    snapshot: Snapshot,  # noqa: ARG001
) -> Match | Clear | None:
    if not definition.name.endswith(_GROUPS):
        return None
    if definition.release in {"", "azure-arc"}:
        return Clear(f"{definition.name} belongs to {definition.release or 'no release'}")
    return Match(
        f"{definition.name} belongs to the release {definition.release}",
        cites=(definition.cite("metadata.annotations.release-name", definition.release),),
        # Extensions of AKS bring the same definitions, and nothing is wrong with that.
        felt_as=("arc.onboarding_timeout", "arc.connection_failed", "arc.agent_offline"),
    )


RULE = Rule(
    title="CRDs of the Arc agents already exist and belong to another Helm release",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        belongs_to_another_release,
        Signature(
            pattern=r"(?i)CRD ownership validation failed|Check Failed: CRD\b|crdCheck=Failed|CustomResourceDefinition \"[\w.-]*(?:clusterconfig|arc)\.azure\.com\".{0,200}?cannot be imported into the current release",
            says="CRDs are owned by another release",
            sample="Error: CRD ownership validation failed. Check Failed: CRD",
            near_miss="CRD ownership validation passed",
        ),
    ),
    why="The agents bring their own custom resource definitions. CRDs that an earlier installation or another release owns (crdCheck=Failed) stop the onboarding.",
    remedy=(
        Step(
            "See who owns them.",
            run=(
                "kubectl",
                "get",
                "crd",
                "-o",
                "custom-columns=NAME:.metadata.name,RELEASE:.metadata.annotations.meta\\.helm\\.sh/release-name",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Remove the stale CRDs, or correct their ownership annotations.",
            risk=Risk.DESTRUCTIVE,
        ),
        Step(
            "Connect again.",
            run=(
                "az",
                "connectedk8s",
                "connect",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
            ),
            risk=Risk.SAFE,
            verify="az connectedk8s show -g {resource_group} -n {cluster} --query connectivityStatus wants Connected",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/troubleshooting",),
    leads_to=(
        "arc.extension_resource_exists",
        "arc.onboarding_timeout",
        "arc.connection_failed",
    ),
)
