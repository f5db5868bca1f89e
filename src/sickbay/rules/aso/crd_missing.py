from sickbay.model.aso import controller_version, crd_version
from sickbay.model.aso_retry import version_in
from sickbay.model.installed import CustomResourceDefinition
from sickbay.model.kubernetes import Pod
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


@each(CustomResourceDefinition)
def is_of_another_release(
    crd: CustomResourceDefinition, snapshot: Snapshot
) -> Match | Clear | None:
    found = version_in(crd_version(crd))
    if found is None:
        return None
    wanted = snapshot.once(controller_version)
    if wanted is None:
        snapshot.require(Pod)
        return None
    if found == wanted:
        return Clear(f"{crd.name} is of the release of the controller")
    return Match(
        f"{crd.name} is of ASO v{found[0]}.{found[1]}, and the controller is v{wanted[0]}.{wanted[1]}",
        facts={"kind": crd.name, "version": f"v{wanted[0]}.{wanted[1]}"},
        cites=(crd.cite("metadata.labels.app.kubernetes.io/version", crd_version(crd)),),
        # The controller can do with newer CRDs, and with older ones of kinds that it skips.
        weight=TYPICAL,
        felt_as=() if found < wanted else ("aso.controller_not_acting", "kubernetes.crash_loop"),
    )


RULE = Rule(
    title="The ASO controller needs a CRD that the cluster does not have in that version",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.UPGRADE,
    ),
    detect=(
        is_of_another_release,
        Signature(
            pattern=r'no matches for kind "(?P<kind>\w+)" in version "(?P<version>[\w.-]+\.azure\.com/[\w.-]+)"',
            says="the cluster does not serve {kind} in {version}",
            sample='E0302 21:54:54.260693 1 deleg.go:144] setup "msg"="problem running manager" "error"="failed to wait for registry caches to sync: no matches for kind \\"Registry\\" in version \\"containerregistry.azure.com/v1alpha1api20210901storage\\""',
            near_miss='no matches for kind "Gateway" in version "gateway.networking.k8s.io/v1"',
            # Kinds of other products of Azure.
            unless=r"(?:iotoperations|clusterconfig|arcdata|k8se)\.azure\.com|\.microsoft\.com/",
        ),
        Signature(
            pattern=r"found no Azure Service Operator CRDs, make sure|found 0 .{0,40}?CRDs, make sure you have ASO|Skipping reconciliation of resource because CRD was not installed or did not match the expected shape(?P<kind>)(?P<version>)",
            says="ASO ignores a kind whose CRD is absent or old",
            sample='"Skipping reconciliation of resource because CRD was not installed or did not match the expected shape" logger="setup" groupKind="Registry.containerregistry.azure.com"',
            near_miss="Skipping reconciliation of resource because it is being deleted",
        ),
    ),
    why="Each kind and API version of ASO is a CustomResourceDefinition (CRD) that must be installed from the same ASO release. With one missing or older, the controller cannot watch it: it exits with no matches for kind, or skips that kind.",
    remedy=(
        Step(
            "List the CRDs of ASO with the version that they came from.",
            run=(
                "kubectl",
                "get",
                "crd",
                "-l",
                "app.kubernetes.io/name=azure-service-operator",
                "-L",
                "app.kubernetes.io/version",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Install or upgrade the CRDs: name the group in crdPattern of the Helm release of the same version as the controller, e.g. containerregistry.azure.com/*.",
            risk=Risk.SAFE,
            verify="kubectl get crd -l app.kubernetes.io/name=azure-service-operator lists the kind",
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/guide/crd-management/",
        "https://azure.github.io/azure-service-operator/guide/upgrading/",
    ),
    leads_to=(
        "kubernetes.kind_not_served",
        "aso.not_ready",
    ),
    ask="kubectl get crd -l app.kubernetes.io/name=azure-service-operator -L app.kubernetes.io/version",
)
