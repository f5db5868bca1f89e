from sickbay.model.aso import crd_version
from sickbay.model.installed import CustomResourceDefinition
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

_MANY = 100


@each(CustomResourceDefinition, weight=TYPICAL)
def there_are_very_many(crd: CustomResourceDefinition, snapshot: Snapshot) -> Match | Clear | None:
    if not crd_version(crd):
        return None
    names = snapshot.once(_of_aso)
    if crd.name != names[0]:
        return None
    if len(names) <= _MANY:
        return Clear(f"the cluster has {len(names)} CRDs of ASO")
    return Match(
        f"the cluster has {len(names)} CRDs of ASO",
        cites=(crd.cite("metadata.labels", f"{len(names)} CRDs carry the label of ASO"),),
        # Many CRDs are no fault where the API server can bear them.
        felt_as=(
            "aso.webhook_down",
            "aso.crds_not_applied",
            "aso.status_not_saved",
            "kubernetes.api_overloaded",
        ),
    )


def _of_aso(snapshot: Snapshot) -> list[str]:
    return sorted(crd.name for crd in snapshot.some(CustomResourceDefinition) if crd_version(crd))


RULE = Rule(
    title="ASO loses its leader lease or restarts: the API server is too slow for so many CRDs",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.CONNECTIVITY),
    detect=(
        there_are_very_many,
        Signature(
            pattern=r"(?:azureserviceoperator|azure-service-operator|controllers-leader-election-azinfra).{0,400}?(?:leader election lost|failed to renew lease)|\"msg\"=\"failed to start manager\" \"error\"=\"leader election lost\"|failed to renew lease \S*azureserviceoperator|Failed to update lock \w{0,20}:? ?Put \S{1,200}/leases/controllers-leader",
            says="the controller lost its leader lease",
            sample='E0716 11:24:21.487916 1 main.go:41] "msg"="failed to start manager" "error"="leader election lost" "logger"="setup"',
            near_miss="successfully renewed lease azureserviceoperator-system/controllers-leader-election-azinfra-generated",
            weight=TYPICAL,
        ),
        # Every client asks for all groups at its start, and is the slower the more there are.
        Signature(
            pattern=r"due to client-side throttling\b.{0,120}?/apis/[\w.-]+\.azure\.com/v\d?(?:alpha|beta|api|20)",
            says="clients throttle themselves over the many groups of ASO",
            sample="I0718 11:09:35.498829 26074 request.go:601] Waited for 1.199426276s due to client-side throttling, not priority and fairness, request: GET:https://127.0.0.1:60294/apis/signalrservice.azure.com/v1alpha1api20211001storage?timeout=32s",
            near_miss="request: GET:https://127.0.0.1:60294/apis/signalrservice.azure.com/v1alpha1api20211001storage?timeout=32s",
            weight=TYPICAL,
            passes=True,
            vague=True,
            ended_by=r"(?i)happy helming|status: deployed|\b(?:configured|unchanged|created|deleted)\b",
        ),
    ),
    why="Each CRD of ASO is large, and a free-tier or small API server becomes slow when all of them are installed. The controller then cannot renew its lease in time (leader election lost, context deadline exceeded), exits and starts again, and its webhooks do not answer meanwhile.",
    remedy=(
        Step(
            "Count the CRDs of ASO.",
            run=(
                "kubectl",
                "get",
                "crds",
                "-l",
                "app.kubernetes.io/name=azure-service-operator",
                "-o",
                "name",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Install only the groups that are used: set crdPattern, for example resources.azure.com/*;containerservice.azure.com/*, and delete CRDs that no object uses.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pods -n azureserviceoperator-system wants RESTARTS to stay",
        ),
        Step(
            "Use a paid tier for the API server.",
            run=(
                "az",
                "aks",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--tier",
                "standard",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/guide/crd-management/",
        "https://learn.microsoft.com/azure/aks/free-standard-pricing-tiers",
    ),
    leads_to=(
        "aso.webhook_down",
        "aso.crds_not_applied",
        "aso.status_not_saved",
        "aso.controller_not_acting",
        "kubernetes.client_rate_limited",
        "kubernetes.leader_lease_lost",
    ),
    ask="kubectl get crds -l app.kubernetes.io/name=azure-service-operator -o name",
)
